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
 * By how much the parameters of every formula differ between two accelerator types, going by jobs that ran on both.
 * Compute and synchronisation differ by factors of their own, so there is one for each parameter.
 */
public final class SpeedShift {
    /** How far a job's ratio of two types is from that of others, as a factor that all times share. */
    private static final double SHARED_SPREAD = 0.4;
    /** The same for each parameter by itself. */
    private static final double OWN_SPREAD = 0.3;

    /**
     * One job on both types.
     *
     * @param from its steps on the type that is known, at least one
     * @param to its steps on the other, at least one
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
            byFormula.put(formula.name(), PopulationPrior.mixed(scaled(formula, factor), found));
        }
    }

    /** What {@code jobs} tell; empty if there are none. */
    public static Optional<SpeedShift> of(SyncStrategy strategy, List<Both> jobs) {
        return jobs.isEmpty() ? Optional.empty() : Optional.of(new SpeedShift(strategy, jobs));
    }

    /** Mean logarithm of how much longer steps take than the formula says. */
    private static double slower(Formula formula, double[] parameters, List<StepObservation> steps) {
        return steps.stream()
                .mapToDouble(o -> Math.log(o.stepSeconds()) - formula.logSeconds(parameters, o.shape()))
                .average()
                .orElseThrow();
    }

    /** All times longer by the same factor. */
    private static Gaussian scaled(Formula formula, double log) {
        RealVector times = MatrixUtils.createRealVector(formula.times());
        RealMatrix own =
                MatrixUtils.createRealIdentityMatrix(times.getDimension()).scalarMultiply(OWN_SPREAD * OWN_SPREAD);
        RealMatrix shared = times.outerProduct(times).scalarMultiply(SHARED_SPREAD * SHARED_SPREAD);
        return new Gaussian(times.mapMultiply(log), own.add(shared));
    }

    /** What {@code known} of one type becomes on the other. */
    Gaussian apply(Formula formula, Gaussian known) {
        Gaussian shift = byFormula.getOrDefault(formula.name(), scaled(formula, 0));
        RealVector mean = known.mean().add(shift.mean());
        return new Gaussian(
                MatrixUtils.createRealVector(mean.toArray()), known.covariance().add(shift.covariance()));
    }
}
