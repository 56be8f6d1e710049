package dev.spur.benchmarks.ladder;

import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The ways to plan that the ladder compares, by the names that people type. */
public final class Methods {
    private static final Map<String, Supplier<Policy>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("core", Policies::spur);
        ALL.put("cpsat", Policies::cpSat);
    }

    private Methods() {}

    /**
     * The ways that {@code names} means, in its order.
     *
     * @throws IllegalArgumentException if a name is unknown
     */
    public static Map<String, Policy> parse(List<String> names) {
        Map<String, Policy> methods = new LinkedHashMap<>();
        for (String name : names) {
            Supplier<Policy> method = ALL.get(name.strip());
            if (method == null) {
                throw new IllegalArgumentException(
                        "there is no method %s; there are %s".formatted(name, String.join(", ", ALL.keySet())));
            }
            methods.put(name.strip(), method.get());
        }
        return methods;
    }
}
