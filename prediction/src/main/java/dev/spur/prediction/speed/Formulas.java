package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;
import java.util.List;

/** All formulas. */
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

    /** Returns the formulas that describe steps under {@code strategy}, the one with the most parameters first. */
    static List<Formula> of(SyncStrategy strategy) {
        return ALL.stream().filter(formula -> formula.covers(strategy)).toList();
    }

    /**
     * Returns the formula with the name {@code name}.
     *
     * @throws IllegalArgumentException if no formula of {@code strategy} has this name
     */
    static Formula ofName(String name, SyncStrategy strategy) {
        return of(strategy).stream()
                .filter(formula -> formula.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("formula (%s) must be one of %s"
                        .formatted(
                                name, of(strategy).stream().map(Formula::name).toList())));
    }
}
