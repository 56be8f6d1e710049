package dev.spur.prediction.speed;

import java.util.Comparator;
import java.util.List;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/** The population prior of the parameters of a formula, and its update with the parameters of several jobs. */
final class PopulationPrior {
    /** Error of a formula in a search for parameters only. */
    private static final Kernel LOOSE = new Kernel(0.05, 0.1);
    /** Weight of the population prior as a number of jobs. */
    private static final double USUAL_JOBS = 1;
    /** Fraction of the maximum weight below which a step is ignored. */
    private static final double MIN_RELATIVE_WEIGHT = 0.05;

    private PopulationPrior() {}

    /**
     * Returns the prior of a job with these steps: its pass time is estimated from the smallest shape, where contention
     * is lowest. Steps with a relatively small weight are ignored.
     */
    static Gaussian of(Formula formula, List<StepObservation> observations) {
        double min = MIN_RELATIVE_WEIGHT
                * observations.stream()
                        .mapToDouble(StepObservation::weight)
                        .max()
                        .orElse(0);
        StepObservation typical = observations.stream()
                .filter(observation -> observation.weight() >= min)
                .min(Comparator.comparingInt(observation -> observation.shape().slots()))
                .orElseThrow();
        return formula.usual(
                typical.stepSeconds() / (typical.shape().accumulationSteps() + 1),
                typical.shape().perSlotBatch());
    }

    /** Returns the parameters that explain {@code observations} best. */
    static RealVector parameters(Formula formula, List<StepObservation> observations) {
        Gaussian usual = of(formula, observations);
        Gaussian wide = new Gaussian(usual.mean(), usual.covariance().scalarMultiply(4));
        return MatrixUtils.createRealVector(
                new MapEstimator(formula, wide, new ObservationCovariance(observations, LOOSE))
                        .from(usual.mean().toArray()));
    }

    /**
     * Returns the distribution of {@code samples}, mixed with {@code gaussianBefore} as one further sample.
     *
     * @param samples vectors of the length of the mean of {@code gaussianBefore}; may be empty
     */
    static Gaussian mix(Gaussian gaussianBefore, List<RealVector> samples) {
        double jobs = samples.size() + USUAL_JOBS;
        RealVector mean = gaussianBefore.mean().mapMultiply(USUAL_JOBS / jobs);
        for (RealVector sample : samples) {
            mean = mean.add(sample.mapMultiply(1 / jobs));
        }
        RealMatrix covariance = gaussianBefore.covariance().scalarMultiply(USUAL_JOBS / jobs);
        for (RealVector sample : samples) {
            RealVector off = sample.subtract(mean);
            for (int i = 0; i < off.getDimension(); i++) {
                covariance.addToEntry(i, i, off.getEntry(i) * off.getEntry(i) / jobs);
            }
        }
        return new Gaussian(mean, covariance);
    }
}
