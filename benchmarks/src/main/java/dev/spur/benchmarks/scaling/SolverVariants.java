package dev.spur.benchmarks.scaling;

import dev.spur.policies.monolithic.MonolithicSolver;
import dev.spur.policies.pop.Pop;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Methods of the scaling benchmark, by the names of the command-line option. */
public final class SolverVariants {
    private static final int[] PARTS = {2, 4, 8};
    private static final Map<String, Supplier<Policy>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("core", Policies::spur);
        ALL.put("cpsat", MonolithicSolver::cpSat);
        ALL.put("highs", MonolithicSolver::highs);
        ALL.put("scip", MonolithicSolver::scip);
        for (int parts : PARTS) {
            ALL.put("pop" + parts, () -> new Pop(Policies.spur(), parts));
        }
        ALL.put("greedy", Policies::greedy);
    }

    private SolverVariants() {}

    /**
     * Returns the methods of {@code names}, in their order; {@code pop} selects all POP variants.
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
                    "Unknown method: %s; known methods: pop, %s".formatted(name, String.join(", ", ALL.keySet())));
        }
        return method.get();
    }
}
