package dev.spur.prediction.speed;

import dev.spur.model.Checks;
import dev.spur.model.performance.SyncStrategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * The difference of the parameters of every formula between two accelerator types, from jobs that ran on both. Compute
 * and synchronization differ by separate factors, so that each parameter has its own.
 */
public final class SpeedShift {
    /** Standard deviation of a job's ratio of two types from that of other jobs, as a factor shared by all times. */
    private static final double SHARED_SPREAD = 0.4;
    /** Standard deviation of the same ratio for each parameter separately. */
    private static final double OWN_SPREAD = 0.3;

    /**
     * One job on both types.
     *
     * @param fromObservations its steps on the type with data, at least one
     * @param toObservations its steps on the other type, at least one
     */
    public record Both(List<StepObservation> fromObservations, List<StepObservation> toObservations) {
        public Both {
            fromObservations = List.copyOf(fromObservations);
            toObservations = List.copyOf(toObservations);
            Checks.require(
                    !fromObservations.isEmpty() && !toObservations.isEmpty(), "a job must have run on both types");
        }
    }

    private final Map<String, Gaussian> gaussiansByFormula = new HashMap<>();

    private SpeedShift(SyncStrategy strategy, List<Both> both) {
        for (Formula formula : Formulas.of(strategy)) {
            List<RealVector> found = new ArrayList<>();
            double factor = 0;
            for (Both job : both) {
                RealVector from = PopulationPrior.parameters(formula, job.fromObservations);
                found.add(
                        PopulationPrior.parameters(formula, job.toObservations).subtract(from));
                factor += slower(formula, from.toArray(), job.toObservations) / both.size();
            }
            gaussiansByFormula.put(formula.name(), PopulationPrior.mix(scale(formula, factor), found));
        }
    }

    /** Returns the shift estimated from {@code both}; empty if there are none. */
    public static Optional<SpeedShift> of(SyncStrategy strategy, List<Both> both) {
        return both.isEmpty() ? Optional.empty() : Optional.of(new SpeedShift(strategy, both));
    }

    /** Returns the mean logarithm of the ratio of measured steps to the formula. */
    private static double slower(Formula formula, double[] parameters, List<StepObservation> steps) {
        return steps.stream()
                .mapToDouble(o -> Math.log(o.stepSeconds()) - formula.logSeconds(parameters, o.shape()))
                .average()
                .orElseThrow();
    }

    /** Returns the shift that multiplies all times by the same factor. */
    private static Gaussian scale(Formula formula, double log) {
        RealVector times = MatrixUtils.createRealVector(formula.times());
        RealMatrix own =
                MatrixUtils.createRealIdentityMatrix(times.getDimension()).scalarMultiply(OWN_SPREAD * OWN_SPREAD);
        RealMatrix shared = times.outerProduct(times).scalarMultiply(SHARED_SPREAD * SHARED_SPREAD);
        return new Gaussian(times.mapMultiply(log), own.add(shared));
    }

    /** Returns the distribution {@code knownGaussian} of one type shifted to the other type. */
    Gaussian apply(Formula formula, Gaussian knownGaussian) {
        Gaussian shift = gaussiansByFormula.getOrDefault(formula.name(), scale(formula, 0));
        RealVector mean = knownGaussian.mean().add(shift.mean());
        return new Gaussian(
                MatrixUtils.createRealVector(mean.toArray()),
                knownGaussian.covariance().add(shift.covariance()));
    }
}
