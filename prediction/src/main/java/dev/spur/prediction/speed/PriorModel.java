package dev.spur.prediction.speed;

import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealVector;

/** A formula with the prior distribution of its parameters, before any measured step. */
final class PriorModel implements PredictiveDistribution {
    private final Formula formula;
    private final Gaussian priorGaussian;
    private final double[] parameters;
    private final Kernel kernel;

    PriorModel(Formula formula, Gaussian priorGaussian, Kernel kernel) {
        this.formula = formula;
        this.priorGaussian = priorGaussian;
        this.kernel = kernel;
        parameters = priorGaussian.mean().toArray();
    }

    @Override
    public String formula() {
        return formula.name();
    }

    @Override
    public double stepSeconds(StepShape shape) {
        return Math.exp(formula.logSeconds(parameters, shape));
    }

    @Override
    public double covariance(StepShape a, StepShape b) {
        RealVector slopeA = MatrixUtils.createRealVector(MapEstimator.gradient(formula, parameters, a));
        RealVector slopeB = MatrixUtils.createRealVector(MapEstimator.gradient(formula, parameters, b));
        return slopeA.dotProduct(priorGaussian.covariance().operate(slopeB)) + kernel.between(a, b);
    }

    @Override
    public double noise() {
        return kernel.noise(1);
    }

    @Override
    public double deviations(double probability) {
        return new NormalDistribution().inverseCumulativeProbability((1 + probability) / 2);
    }
}
