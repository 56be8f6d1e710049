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
     * @param from its steps on the type with data, at least one
     * @param to its steps on the other type, at least one
     */
    public record Both(List<StepObservation> from, List<StepObservation> to) {
        public Both {
            from = List.copyOf(from);
            to = List.copyOf(to);
            Checks.require(!from.isEmpty() && !to.isEmpty(), "a job must have run on both types");
        }
    }

    private final Map<String, Gaussian> byFormula = new HashMap<>();

    private SpeedShift(SyncStrategy strategy, List<Both> jobs) {
        for (Formula formula : Formulas.of(strategy)) {
            List<RealVector> found = new ArrayList<>();
            double factor = 0;
            for (Both job : jobs) {
                RealVector from = PopulationPrior.parameters(formula, job.from);
                found.add(PopulationPrior.parameters(formula, job.to).subtract(from));
                factor += slower(formula, from.toArray(), job.to) / jobs.size();
            }
            byFormula.put(formula.name(), PopulationPrior.mix(scale(formula, factor), found));
        }
    }

    /** Returns the shift estimated from {@code jobs}; empty if there are none. */
    public static Optional<SpeedShift> of(SyncStrategy strategy, List<Both> jobs) {
        return jobs.isEmpty() ? Optional.empty() : Optional.of(new SpeedShift(strategy, jobs));
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

    /** Returns the distribution {@code known} of one type shifted to the other type. */
    Gaussian apply(Formula formula, Gaussian known) {
        Gaussian shift = byFormula.getOrDefault(formula.name(), scale(formula, 0));
        RealVector mean = known.mean().add(shift.mean());
        return new Gaussian(
                MatrixUtils.createRealVector(mean.toArray()), known.covariance().add(shift.covariance()));
    }
}
