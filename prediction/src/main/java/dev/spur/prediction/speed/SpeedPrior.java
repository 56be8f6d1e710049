package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/** The prior of a job's speed before its own steps are used, for each formula of a strategy. */
public final class SpeedPrior {
    /** The population prior only. */
    public static final SpeedPrior NONE = new SpeedPrior(Map.of(), Map.of(), "");

    private final Map<String, Gaussian> gaussiansByFormula;
    /** Differences of other jobs' parameters from the population prior; used where no better prior exists. */
    private final Map<String, Gaussian> gaussians;
    /** Name of the formula with the best predictions on the data of this prior; empty without data. */
    private final String bestFormula;

    private SpeedPrior(Map<String, Gaussian> gaussiansByFormula, Map<String, Gaussian> gaussians, String bestFormula) {
        this.gaussiansByFormula = Map.copyOf(gaussiansByFormula);
        this.gaussians = Map.copyOf(gaussians);
        this.bestFormula = bestFormula;
    }

    /**
     * Returns the prior for a job from the measured steps of similar jobs.
     *
     * @param observations steps of the same strategy, at least one
     * @param difference standard deviation of the logarithms of the times of different jobs, at least 0
     */
    public static SpeedPrior of(List<StepObservation> observations, SpeedPrior priorBefore, double difference) {
        Map<String, Gaussian> gaussiansByFormula = new HashMap<>();
        PosteriorModel best = SpeedModels.fit(observations, priorBefore);
        for (Formula formula : Formulas.of(best.strategy())) {
            PosteriorModel fittedModel = SpeedModels.fit(observations, priorBefore, formula.name());
            gaussiansByFormula.put(formula.name(), widen(formula, fittedModel.parameters(), difference));
        }
        return new SpeedPrior(gaussiansByFormula, Map.of(), best.formula());
    }

    /**
     * Returns the prior of an accelerator type and its network from any other jobs, similar or not: their differences
     * from the population prior.
     *
     * @param otherObservations steps of each of them on one type under one strategy; jobs without steps are ignored
     */
    public static SpeedPrior ofOthers(SyncStrategy strategy, List<List<StepObservation>> otherObservations) {
        Map<String, Gaussian> gaussians = new HashMap<>();
        for (Formula formula : Formulas.of(strategy)) {
            List<RealVector> found = otherObservations.stream()
                    .filter(steps -> !steps.isEmpty())
                    .map(steps -> PopulationPrior.parameters(formula, steps)
                            .subtract(PopulationPrior.of(formula, steps).mean()))
                    .toList();
            if (!found.isEmpty()) {
                Gaussian usual = formula.usual(1, 1);
                Gaussian none = new Gaussian(usual.mean().mapMultiply(0), usual.covariance());
                gaussians.put(formula.name(), PopulationPrior.mix(none, found));
            }
        }
        return new SpeedPrior(Map.of(), gaussians, "");
    }

    /**
     * Returns this prior with all times multiplied by {@code factor}, the logarithm of which has a standard deviation
     * of {@code spread}.
     */
    public SpeedPrior times(double factor, double spread) {
        Map<String, Gaussian> moved = new HashMap<>();
        for (Formula formula : Formulas.all()) {
            Gaussian own = gaussiansByFormula.get(formula.name());
            if (own != null) {
                RealVector times = MatrixUtils.createRealVector(formula.times());
                moved.put(
                        formula.name(),
                        widen(
                                formula,
                                new Gaussian(own.mean().add(times.mapMultiply(Math.log(factor))), own.covariance()),
                                spread));
            }
        }
        return new SpeedPrior(moved, gaussians, bestFormula);
    }

    /** Returns this prior for another accelerator type. */
    public SpeedPrior shift(SpeedShift shift) {
        Map<String, Gaussian> moved = new HashMap<>();
        for (Formula formula : Formulas.all()) {
            Gaussian own = gaussiansByFormula.get(formula.name());
            if (own != null) {
                moved.put(formula.name(), shift.apply(formula, own));
            }
        }
        return new SpeedPrior(moved, gaussians, bestFormula);
    }

    /** Adds a variance that all times share, and the same variance to each parameter separately. */
    private static Gaussian widen(Formula formula, Gaussian gaussian, double spread) {
        RealVector times = MatrixUtils.createRealVector(formula.times());
        RealMatrix own = MatrixUtils.createRealIdentityMatrix(times.getDimension());
        RealMatrix added = times.outerProduct(times).add(own).scalarMultiply(spread * spread);
        return new Gaussian(gaussian.mean(), gaussian.covariance().add(added));
    }

    /** Returns true if no step can be predicted before the first measurement. */
    public boolean isEmpty() {
        return gaussiansByFormula.isEmpty();
    }

    /**
     * Returns the predictive distribution before the first step.
     *
     * @throws IllegalStateException if there is no data
     */
    public PredictiveDistribution forecast(SyncStrategy strategy) {
        Gaussian knownGaussian = gaussiansByFormula.get(bestFormula);
        if (knownGaussian == null) {
            throw new IllegalStateException("no data on steps under " + strategy);
        }
        return new PriorModel(Formulas.ofName(bestFormula, strategy), knownGaussian, SpeedModels.USUAL);
    }

    Gaussian of(Formula formula, List<StepObservation> observations) {
        Gaussian knownGaussian = gaussiansByFormula.get(formula.name());
        if (knownGaussian != null) {
            return knownGaussian;
        }
        Gaussian usual = PopulationPrior.of(formula, observations);
        Gaussian offset = gaussians.get(formula.name());
        return offset == null ? usual : new Gaussian(usual.mean().add(offset.mean()), offset.covariance());
    }
}
