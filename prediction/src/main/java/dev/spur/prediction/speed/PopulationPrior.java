package dev.spur.prediction.speed;

import java.util.Comparator;
import java.util.List;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/** Parameters of a formula as they usually are, and as they are found to be for several jobs. */
final class PopulationPrior {
    /** How far steps are from a formula where its parameters are looked for alone. */
    private static final Kernel LOOSE = new Kernel(0.05, 0.1);
    /** Jobs that what is usual of any job counts for. */
    private static final double USUAL_JOBS = 1;
    /** Share of the largest weight below which a step is no measure of a job. */
    private static final double BELIEVED = 0.05;

    private PopulationPrior() {}

    /**
     * What is usual of a job with these steps: its passes are taken to last as in the smallest shape, where others
     * disturb least. Steps that are hardly believed beside others are not asked.
     */
    static Gaussian of(Formula formula, List<StepObservation> observations) {
        double least = BELIEVED
                * observations.stream()
                        .mapToDouble(StepObservation::weight)
                        .max()
                        .orElse(0);
        StepObservation typical = observations.stream()
                .filter(observation -> observation.weight() >= least)
                .min(Comparator.comparingInt(observation -> observation.shape().slots()))
                .orElseThrow();
        return formula.usual(
                typical.stepSeconds() / (typical.shape().accumulationSteps() + 1),
                typical.shape().perSlotBatch());
    }

    /** The parameters that explain {@code observations} best. */
    static RealVector parameters(Formula formula, List<StepObservation> observations) {
        Gaussian usual = of(formula, observations);
        Gaussian wide = new Gaussian(usual.mean(), usual.covariance().scalarMultiply(4));
        return MatrixUtils.createRealVector(
                new MapEstimator(formula, wide, new ObservationCovariance(observations, LOOSE))
                        .from(usual.mean().toArray()));
    }

    /**
     * The distribution behind {@code samples}, mixed with {@code before} as if that were one more of them.
     *
     * @param samples vectors as long as the mean of {@code before}; may be none
     */
    static Gaussian mixed(Gaussian before, List<RealVector> samples) {
        double jobs = samples.size() + USUAL_JOBS;
        RealVector mean = before.mean().mapMultiply(USUAL_JOBS / jobs);
        for (RealVector sample : samples) {
            mean = mean.add(sample.mapMultiply(1 / jobs));
        }
        RealMatrix covariance = before.covariance().scalarMultiply(USUAL_JOBS / jobs);
        for (RealVector sample : samples) {
            RealVector off = sample.subtract(mean);
            for (int i = 0; i < off.getDimension(); i++) {
                covariance.addToEntry(i, i, off.getEntry(i) * off.getEntry(i) / jobs);
            }
        }
        return new Gaussian(mean, covariance);
    }
}
