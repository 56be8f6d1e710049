package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;
import java.util.List;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * A formula with its most likely parameters, and with what the measured steps say beyond it: near a measured shape the
 * formula's error there is taken to recur. The spread follows from what the parameters may still be, from the formula's
 * usual error, and from noise.
 */
public final class PosteriorModel implements PredictiveDistribution {
    /** Observations that the spread believed beforehand counts for. */
    private static final int BELIEVED_POINTS = 4;

    /**
     * By how much bands are wider with one observation, and in proportion less with more: what choosing a formula after
     * the fact hides. Chosen so that 80 % bands held about so many of the steps of the measured models.
     */
    private static final double CHOSEN_AFTERWARDS = 2.5;

    private final Formula formula;
    private final double[] parameters;
    private final Gaussian believed;
    private final ObservationCovariance evidence;
    /** What makes errors of the formula at the observations those elsewhere. */
    private final RealVector lessons;

    private final RealMatrix slopes;
    /**
     * By how much variances are larger than believed beforehand, going by how far the observations are from what was
     * believed.
     */
    private final double surprise;

    private final CholeskyDecomposition whole;

    PosteriorModel(Formula formula, double[] parameters, Gaussian believed, ObservationCovariance evidence) {
        this.formula = formula;
        this.parameters = parameters.clone();
        this.believed = believed;
        this.evidence = evidence;
        lessons = evidence.solve(evidence.logs().subtract(MapEstimator.logs(formula, parameters, evidence)));
        slopes = MatrixUtils.createRealMatrix(evidence.size(), parameters.length);
        for (int i = 0; i < evidence.size(); i++) {
            slopes.setRow(i, MapEstimator.gradient(formula, parameters, evidence.shape(i)));
        }
        surprise = surprise();
        whole = Cholesky.of(slopes.multiply(believed.covariance())
                .multiply(slopes.transpose())
                .add(evidence.covariance()));
    }

    private double surprise() {
        RealVector errors = evidence.logs().subtract(MapEstimator.logs(formula, parameters, evidence));
        RealVector moved = MatrixUtils.createRealVector(parameters).subtract(believed.mean());
        double squares = errors.dotProduct(lessons)
                + moved.dotProduct(
                        Cholesky.of(believed.covariance()).getSolver().solve(moved));
        return (BELIEVED_POINTS + squares) / (BELIEVED_POINTS + evidence.size());
    }

    @Override
    public double noise() {
        return surprise * evidence.kinship().noise(1);
    }

    @Override
    public double deviations(double probability) {
        double chosen = 1 + CHOSEN_AFTERWARDS / evidence.size();
        return chosen
                * new TDistribution(BELIEVED_POINTS + evidence.size())
                        .inverseCumulativeProbability((1 + probability) / 2);
    }

    /** Logarithm of the density of the observations under what was believed, up to a constant. */
    double logLikelihood() {
        double squares = surprise * (BELIEVED_POINTS + evidence.size()) - BELIEVED_POINTS;
        double logDeterminant = 0;
        for (int i = 0; i < evidence.size(); i++) {
            logDeterminant += 2 * Math.log(whole.getL().getEntry(i, i));
        }
        return -logDeterminant / 2 - (BELIEVED_POINTS + evidence.size()) / 2.0 * Math.log1p(squares / BELIEVED_POINTS);
    }

    @Override
    public String formula() {
        return formula.name();
    }

    /** The strategy under which the steps ran. */
    public SyncStrategy strategy() {
        return evidence.shape(0).strategy();
    }

    /** What was measured. */
    public List<StepObservation> observations() {
        return evidence.observations();
    }

    @Override
    public double stepSeconds(StepShape shape) {
        double seconds = Math.exp(logSeconds(shape));
        return shape.slots() == 1 ? seconds : Math.max(seconds, Math.exp(logSeconds(shape.onOneSlot())));
    }

    private double logSeconds(StepShape shape) {
        return formula.logSeconds(parameters, shape) + evidence.kinshipTo(shape).dotProduct(lessons);
    }

    @Override
    public double covariance(StepShape a, StepShape b) {
        RealVector slopeA = MatrixUtils.createRealVector(MapEstimator.gradient(formula, parameters, a));
        RealVector slopeB = MatrixUtils.createRealVector(MapEstimator.gradient(formula, parameters, b));
        RealVector spreadB = believed.covariance().operate(slopeB);
        RealVector toA = slopes.operate(believed.covariance().operate(slopeA)).add(evidence.kinshipTo(a));
        RealVector toB = slopes.operate(spreadB).add(evidence.kinshipTo(b));
        return surprise
                * (slopeA.dotProduct(spreadB)
                        + evidence.kinship().between(a, b)
                        - toA.dotProduct(whole.getSolver().solve(toB)));
    }

    /** The same formula, fitted to other observations, at least one. */
    PosteriorModel refitted(List<StepObservation> observations) {
        ObservationCovariance other = new ObservationCovariance(observations, evidence.kinship());
        return new PosteriorModel(
                formula, new MapEstimator(formula, believed, other).from(parameters), believed, other);
    }

    /** What is known of the parameters now. */
    Gaussian parameters() {
        RealMatrix back = believed.covariance().multiply(slopes.transpose());
        RealMatrix explained = back.multiply(whole.getSolver().solve(back.transpose()));
        RealMatrix left = believed.covariance().subtract(explained);
        return new Gaussian(
                MatrixUtils.createRealVector(parameters),
                left.add(left.transpose()).scalarMultiply(0.5));
    }
}
