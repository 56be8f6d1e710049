package dev.spur.prediction.family;

import dev.spur.model.Checks;
import java.util.List;

/**
 * By how much steps take longer on one type than on another.
 *
 * @param factor seconds there over seconds here, above 0
 * @param spread standard deviation of its logarithm between families
 */
public record TypeDifference(double factor, double spread) {
    /** Families that the usual spread counts for. */
    private static final double USUAL_FAMILIES = 2;

    public TypeDifference {
        Checks.positive("factor", factor);
        Checks.atLeast("spread", spread, 0);
    }

    /** The mean of several families' logarithms; their spread is mixed with what is usual. */
    static TypeDifference of(List<Double> logs, double usual) {
        double mean = logs.stream().mapToDouble(x -> x).average().orElseThrow();
        double squares = logs.stream().mapToDouble(x -> (x - mean) * (x - mean)).sum();
        double variance = (squares + USUAL_FAMILIES * usual * usual) / (logs.size() + USUAL_FAMILIES);
        return new TypeDifference(Math.exp(mean), Math.sqrt(variance));
    }
}
