package dev.spur.benchmarks.scaling;

import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import dev.spur.solver.policy.Pop;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The ways to plan that the ladder compares, by the names that people type. */
public final class SolverVariants {
    private static final int[] PARTS = {2, 4, 8};
    private static final Map<String, Supplier<Policy>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("core", Policies::spur);
        ALL.put("cpsat", Policies::cpSat);
        ALL.put("lp", Policies::highs);
        for (int parts : PARTS) {
            ALL.put("pop" + parts, () -> new Pop(Policies.spur(), parts));
        }
        ALL.put("greedy", Policies::greedy);
    }

    private SolverVariants() {}

    /**
     * The ways that {@code names} means, in its order; {@code pop} stands for every number of parts.
     *
     * @throws IllegalArgumentException if a name is unknown
     */
    public static Map<String, Policy> parse(List<String> names) {
        Map<String, Policy> methods = new LinkedHashMap<>();
        for (String name : names) {
            if (name.strip().equals("pop")) {
                Arrays.stream(PARTS).forEach(parts -> methods.put("pop" + parts, method("pop" + parts)));
            } else {
                methods.put(name.strip(), method(name.strip()));
            }
        }
        return methods;
    }

    private static Policy method(String name) {
        Supplier<Policy> method = ALL.get(name);
        if (method == null) {
            throw new IllegalArgumentException(
                    "there is no method %s; there are pop, %s".formatted(name, String.join(", ", ALL.keySet())));
        }
        return method.get();
    }
}
