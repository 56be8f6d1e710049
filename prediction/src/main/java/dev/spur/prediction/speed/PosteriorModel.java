package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;
import java.util.List;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * A formula with its posterior parameters, and a Gaussian process of its residuals: near a measured shape, the
 * formula's error there is expected to recur. The variance consists of that of the parameters, the usual error of the
 * formula, and noise.
 */
public final class PosteriorModel implements PredictiveDistribution {
    /** Weight of the prior variance as a number of observations. */
    private static final int PRIOR_POINTS = 4;

    /**
     * Widening of intervals with one observation, proportionally less with more, for the selection of the formula from
     * the same data. Calibrated so that 80 % intervals contain about 80 % of the steps of the measured models.
     */
    private static final double SELECTION_WIDENING = 2.5;

    private final Formula formula;
    private final double[] parameters;
    private final Gaussian priorGaussian;
    private final ObservationCovariance covariance;
    /** Inverse covariance times the errors of the formula at the observations. */
    private final RealVector weightedErrors;

    private final RealMatrix slopes;
    /**
     * Ratio of the variance to the prior variance, estimated from the deviations of the observations from the prior.
     */
    private final double varianceScale;

    private final CholeskyDecomposition whole;

    PosteriorModel(Formula formula, double[] parameters, Gaussian priorGaussian, ObservationCovariance covariance) {
        this.formula = formula;
        this.parameters = parameters.clone();
        this.priorGaussian = priorGaussian;
        this.covariance = covariance;
        weightedErrors =
                covariance.solve(covariance.logs().subtract(MapEstimator.logs(formula, parameters, covariance)));
        slopes = MatrixUtils.createRealMatrix(covariance.size(), parameters.length);
        for (int i = 0; i < covariance.size(); i++) {
            slopes.setRow(i, MapEstimator.gradient(formula, parameters, covariance.shape(i)));
        }
        varianceScale = varianceScale();
        whole = Cholesky.of(slopes.multiply(priorGaussian.covariance())
                .multiply(slopes.transpose())
                .add(covariance.covariance()));
    }

    private double varianceScale() {
        RealVector errors = covariance.logs().subtract(MapEstimator.logs(formula, parameters, covariance));
        RealVector moved = MatrixUtils.createRealVector(parameters).subtract(priorGaussian.mean());
        double squares = errors.dotProduct(weightedErrors)
                + moved.dotProduct(
                        Cholesky.of(priorGaussian.covariance()).getSolver().solve(moved));
        return (PRIOR_POINTS + squares) / (PRIOR_POINTS + covariance.size());
    }

    @Override
    public double noise() {
        return varianceScale * covariance.kernel().noise(1);
    }

    @Override
    public double deviations(double probability) {
        double widening = 1 + SELECTION_WIDENING / covariance.size();
        return widening
                * new TDistribution(PRIOR_POINTS + covariance.size())
                        .inverseCumulativeProbability((1 + probability) / 2);
    }

    /** Returns the logarithm of the marginal likelihood of the observations, up to a constant. */
    double logLikelihood() {
        double squares = varianceScale * (PRIOR_POINTS + covariance.size()) - PRIOR_POINTS;
        double logDeterminant = 0;
        for (int i = 0; i < covariance.size(); i++) {
            logDeterminant += 2 * Math.log(whole.getL().getEntry(i, i));
        }
        return -logDeterminant / 2 - (PRIOR_POINTS + covariance.size()) / 2.0 * Math.log1p(squares / PRIOR_POINTS);
    }

    @Override
    public String formula() {
        return formula.name();
    }

    /** Returns the strategy of the measured steps. */
    public SyncStrategy strategy() {
        return covariance.shape(0).strategy();
    }

    /** Returns the observations. */
    public List<StepObservation> observations() {
        return covariance.observations();
    }

    @Override
    public double stepSeconds(StepShape shape) {
        double seconds = Math.exp(logSeconds(shape));
        return shape.slots() == 1 ? seconds : Math.max(seconds, Math.exp(logSeconds(shape.onOneSlot())));
    }

    private double logSeconds(StepShape shape) {
        return formula.logSeconds(parameters, shape)
                + covariance.kernelTo(shape).dotProduct(weightedErrors);
    }

    @Override
    public double covariance(StepShape a, StepShape b) {
        RealVector slopeA = MatrixUtils.createRealVector(MapEstimator.gradient(formula, parameters, a));
        RealVector slopeB = MatrixUtils.createRealVector(MapEstimator.gradient(formula, parameters, b));
        RealVector spreadB = priorGaussian.covariance().operate(slopeB);
        RealVector toA =
                slopes.operate(priorGaussian.covariance().operate(slopeA)).add(covariance.kernelTo(a));
        RealVector toB = slopes.operate(spreadB).add(covariance.kernelTo(b));
        return varianceScale
                * (slopeA.dotProduct(spreadB)
                        + covariance.kernel().between(a, b)
                        - toA.dotProduct(whole.getSolver().solve(toB)));
    }

    /** Returns the same formula fitted to other observations, at least one. */
    PosteriorModel refit(List<StepObservation> observations) {
        ObservationCovariance other = new ObservationCovariance(observations, covariance.kernel());
        return new PosteriorModel(
                formula, new MapEstimator(formula, priorGaussian, other).from(parameters), priorGaussian, other);
    }

    /** Returns the posterior distribution of the parameters. */
    Gaussian parameters() {
        RealMatrix back = priorGaussian.covariance().multiply(slopes.transpose());
        RealMatrix explained = back.multiply(whole.getSolver().solve(back.transpose()));
        RealMatrix left = priorGaussian.covariance().subtract(explained);
        return new Gaussian(
                MatrixUtils.createRealVector(parameters),
                left.add(left.transpose()).scalarMultiply(0.5));
    }
}
