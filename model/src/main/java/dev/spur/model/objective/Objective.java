package dev.spur.model.objective;

import dev.spur.model.Checks;
import java.util.List;

/**
 * The objective function of an operator and its parameters.
 *
 * @param kind the formula
 * @param exponent above 0: normalized goodput to the power of {@code -exponent} is the cost in
 *     {@link ObjectiveKind#FAIR_GOODPUT} and {@link ObjectiveKind#LEAST_ATTAINED_SERVICE}, where a larger exponent is
 *     fairer; the share of the fastest speed to the power of {@code exponent} is the gain in
 *     {@link ObjectiveKind#COMPLETION_TIME}
 * @param runBonus gain of a running job in the first two, at least 1 so that a running job outranks a waiting one
 *     (Sia's lambda_n)
 * @param changePenalty subtracted in the first two for every change of configuration (Sia's lambda_a), and added in
 *     {@code COMPLETION_TIME} for every job with an unchanged allocation; at least 0
 * @param queueLimits attained service in slot-seconds at which a job drops to the next queue, ascending
 * @param queueFactor weight of a queue as a multiple of that of the next one, at least 1
 * @param pricePenalty objective value of one unit of price, subtracted for the cost of the resources over the horizon;
 *     0 to ignore prices. {@link ObjectiveKind#PROFIT} counts prices without it
 */
public record Objective(
        ObjectiveKind kind,
        double exponent,
        double runBonus,
        double changePenalty,
        List<Double> queueLimits,
        double queueFactor,
        double pricePenalty) {
    public Objective {
        Checks.require(
                Double.isFinite(exponent) && exponent > 0, "exponent (%s) must be a finite number above 0", exponent);
        Checks.atLeast("runBonus", runBonus, 1);
        Checks.atLeast("changePenalty", changePenalty, 0);
        queueLimits = Checks.copy(queueLimits);
        for (int i = 0; i < queueLimits.size(); i++) {
            Checks.positive("queueLimits", queueLimits.get(i));
            Checks.require(
                    i == 0 || queueLimits.get(i) > queueLimits.get(i - 1), "queueLimits (%s) must ascend", queueLimits);
        }
        Checks.atLeast("queueFactor", queueFactor, 1);
        Checks.atLeast("pricePenalty", pricePenalty, 0);
    }

    /** Returns true if plans depend on prices. */
    public boolean countsPrices() {
        return kind == ObjectiveKind.PROFIT || pricePenalty > 0;
    }

    /**
     * Returns the objective of {@code kind} with the published parameters: p = -exponent = -0.5, lambda_n = 1.1,
     * lambda_a = 0.01 (Sia), one queue limit of 3,600 slot-seconds (Tiresias).
     */
    public static Objective of(ObjectiveKind kind) {
        return new Objective(kind, 0.5, 1.1, 0.01, List.of(3600.0), 16, 0);
    }
}
