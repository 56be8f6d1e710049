package dev.spur.prediction.speed;

import dev.spur.model.Checks;
import dev.spur.model.performance.SyncStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Chooses a formula for the steps of one job on one accelerator type under one strategy and fits it. Every formula of the strategy is
 * fitted several times, each time without some of the observations; the one that foretells those best is kept. The same
 * observations in the same order give the same model.
 */
public final class SpeedModels {
    /** Parts that are left out in turn, at most. */
    private static final int FOLDS = 8;
    /** Usual errors of formulas among which observations choose. */
    private static final double[] SPREADS = {0.03, 0.1};

    static final double LARGEST_SPREAD = SPREADS[SPREADS.length - 1];

    private SpeedModels() {}

    /**
     * The model that foretells best.
     *
     * @throws IllegalArgumentException if there is no observation, or they mix strategies
     */
    public static FittedSpeed fit(List<Observation> observations) {
        return fit(observations, SpeedPrior.NONE);
    }

    /** The same, where {@code prior} is known from elsewhere. */
    public static FittedSpeed fit(List<Observation> observations, SpeedPrior prior) {
        List<Formula> formulas = Formulas.of(strategy(observations));
        Attempt best = null;
        for (Formula formula : formulas) {
            for (double spread : SPREADS) {
                Attempt attempt = attempt(formula, spread, observations, prior);
                if (best == null || attempt.score > best.score) {
                    best = attempt;
                }
            }
        }
        return Optional.ofNullable(best).orElseThrow().fitted;
    }

    /** Names of the formulas that describe steps under {@code strategy}. */
    public static List<String> formulas(SyncStrategy strategy) {
        return Formulas.of(strategy).stream().map(Formula::name).toList();
    }

    /** The model of one formula alone, for comparison. */
    public static FittedSpeed fit(List<Observation> observations, SpeedPrior prior, String formula) {
        Formula chosen = Formulas.named(formula, strategy(observations));
        Attempt best = null;
        for (double spread : SPREADS) {
            Attempt attempt = attempt(chosen, spread, observations, prior);
            best = best == null || attempt.score > best.score ? attempt : best;
        }
        return Optional.ofNullable(best).orElseThrow().fitted;
    }

    private record Attempt(FittedSpeed fitted, double score) {}

    private static Attempt attempt(Formula formula, double spread, List<Observation> observations, SpeedPrior prior) {
        Gaussian believed = prior.of(formula, observations);
        Kinship kinship = new Kinship(spread);
        double[] start = believed.mean().toArray();
        double[] all = mode(formula, believed, new Evidence(observations, kinship), start);
        FittedSpeed fitted = new FittedSpeed(formula, all, believed, new Evidence(observations, kinship));
        return new Attempt(
                fitted, observations.size() == 1 ? 0 : foretold(formula, kinship, believed, observations, all));
    }

    private static double foretold(
            Formula formula, Kinship kinship, Gaussian believed, List<Observation> observations, double[] start) {
        int folds = Math.min(FOLDS, observations.size());
        double score = 0;
        for (int fold = 0; fold < folds; fold++) {
            List<Observation> kept = new ArrayList<>();
            List<Observation> left = new ArrayList<>();
            for (int i = 0; i < observations.size(); i++) {
                (i % folds == fold ? left : kept).add(observations.get(i));
            }
            Evidence evidence = new Evidence(kept, kinship);
            FittedSpeed fitted = new FittedSpeed(formula, mode(formula, believed, evidence, start), believed, evidence);
            for (Observation observation : left) {
                score += likelihood(fitted, observation);
            }
        }
        return score / observations.size();
    }

    /** Logarithm of the density at an observation, up to a constant. */
    private static double likelihood(FittedSpeed fitted, Observation observation) {
        double spread = fitted.spread(observation.shape());
        double error = Math.log(observation.stepSeconds() / fitted.stepSeconds(observation.shape())) / spread;
        return -Math.log(spread) - error * error / 2;
    }

    private static double[] mode(Formula formula, Gaussian believed, Evidence evidence, double[] start) {
        return new ModeSearch(formula, believed, evidence).from(start);
    }

    private static SyncStrategy strategy(List<Observation> observations) {
        Checks.require(!observations.isEmpty(), "a fit needs at least one observation");
        SyncStrategy strategy = observations.get(0).shape().strategy();
        Checks.require(
                observations.stream().allMatch(o -> o.shape().strategy() == strategy),
                "observations of a fit must share their strategy");
        return strategy;
    }
}
