package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;
import java.util.List;

/** All formulas there are. */
final class Formulas {
    private static final List<Formula> ALL = List.of(
            new PolluxFormula(),
            new ContentionFormula(),
            SumFormula.saxena(),
            SumFormula.optimus(),
            SumFormula.ernest(),
            new ScalabilityFormula());

    private Formulas() {}

    static List<Formula> all() {
        return ALL;
    }

    /** Those that describe steps under {@code strategy}, the richest first. */
    static List<Formula> of(SyncStrategy strategy) {
        return ALL.stream().filter(formula -> formula.covers(strategy)).toList();
    }

    /**
     * The formula called {@code name}.
     *
     * @throws IllegalArgumentException if no formula of {@code strategy} is called so
     */
    static Formula named(String name, SyncStrategy strategy) {
        return of(strategy).stream()
                .filter(formula -> formula.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("formula (%s) must be one of %s"
                        .formatted(
                                name, of(strategy).stream().map(Formula::name).toList())));
    }
}
