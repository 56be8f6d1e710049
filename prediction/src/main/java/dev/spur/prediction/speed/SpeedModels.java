package dev.spur.prediction.speed;

import dev.spur.model.Checks;
import dev.spur.model.performance.SyncStrategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Selects and fits a formula for the steps of one job on one accelerator type under one strategy. Every formula of the
 * strategy is cross-validated; the one with the highest predictive density on the held-out observations is kept. The
 * same observations in the same order give the same model.
 */
public final class SpeedModels {
    /** Maximum number of folds of the cross-validation, and the number with many observations. */
    private static final int FOLDS = 8;

    private static final int FOLDS_OF_MANY = 4;
    private static final int MANY = 16;
    /** Kernels of the formula's error and the measurement noise: for accurate and for rough formulas. */
    private static final List<Kernel> KERNELS = List.of(new Kernel(0.05, 0.05), new Kernel(0.2, 0.12));
    /** Kernel of a formula with prior parameters only. */
    static final Kernel USUAL = KERNELS.get(1);

    private SpeedModels() {}

    /**
     * Returns the model with the best cross-validated predictions.
     *
     * @throws IllegalArgumentException if there is no observation, or they mix strategies
     */
    public static PosteriorModel fit(List<StepObservation> observations) {
        return fit(observations, SpeedPrior.NONE);
    }

    /** Returns the best model given a {@code prior}. */
    public static PosteriorModel fit(List<StepObservation> observations, SpeedPrior prior) {
        PosteriorModel best = null;
        double max = Double.NEGATIVE_INFINITY;
        for (Formula formula : Formulas.of(strategy(observations))) {
            PosteriorModel fittedModel = fit(observations, prior, formula);
            double score = observations.size() == 1 ? 0 : heldOutDensity(fittedModel);
            if (best == null || score > max) {
                best = fittedModel;
                max = score;
            }
        }
        return Objects.requireNonNull(best, "every strategy has a formula");
    }

    /** Returns the names of the formulas that describe steps under {@code strategy}. */
    public static List<String> formulas(SyncStrategy strategy) {
        return Formulas.of(strategy).stream().map(Formula::name).toList();
    }

    /** Returns the model of one formula, for comparison. */
    public static PosteriorModel fit(List<StepObservation> observations, SpeedPrior prior, String formula) {
        return fit(observations, prior, Formulas.ofName(formula, strategy(observations)));
    }

    /** Returns the more likely of an accurate and a rough fit. */
    private static PosteriorModel fit(List<StepObservation> observations, SpeedPrior prior, Formula formula) {
        Gaussian priorGaussian = prior.of(formula, observations);
        return KERNELS.stream()
                .map(kernel -> fit(
                        formula,
                        priorGaussian,
                        new ObservationCovariance(observations, kernel),
                        priorGaussian.mean().toArray()))
                .max(Comparator.comparingDouble(PosteriorModel::logLikelihood))
                .orElseThrow();
    }

    private static PosteriorModel fit(
            Formula formula, Gaussian priorGaussian, ObservationCovariance covariance, double[] start) {
        return new PosteriorModel(
                formula, new MapEstimator(formula, priorGaussian, covariance).from(start), priorGaussian, covariance);
    }

    /** Returns the mean logarithm of the predictive density at held-out observations. */
    private static double heldOutDensity(PosteriorModel wholeModel) {
        List<StepObservation> all = wholeModel.observations();
        int folds = all.size() > MANY ? FOLDS_OF_MANY : Math.min(FOLDS, all.size());
        double score = 0;
        for (int fold = 0; fold < folds; fold++) {
            List<StepObservation> retained = new ArrayList<>();
            List<StepObservation> left = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                (i % folds == fold ? left : retained).add(all.get(i));
            }
            PosteriorModel fittedModel = wholeModel.refit(retained);
            for (StepObservation observation : left) {
                score += density(fittedModel, observation);
            }
        }
        return score / all.size();
    }

    /** Returns the logarithm of the density at an observation, up to a constant. */
    private static double density(PosteriorModel fittedModel, StepObservation observation) {
        double spread = fittedModel.spread(observation.shape());
        double error = Math.log(observation.stepSeconds() / fittedModel.stepSeconds(observation.shape())) / spread;
        return -Math.log(spread) - error * error / 2;
    }

    private static SyncStrategy strategy(List<StepObservation> observations) {
        Checks.require(!observations.isEmpty(), "a fit requires at least one observation");
        SyncStrategy strategy = observations.get(0).shape().strategy();
        Checks.require(
                observations.stream().allMatch(o -> o.shape().strategy() == strategy),
                "observations of a fit must share their strategy");
        return strategy;
    }
}
