package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/** What is known of a job's speed from elsewhere before its own steps are looked at, for each formula of a strategy. */
public final class SpeedPrior {
    /** Nothing but what is usual of any job. */
    public static final SpeedPrior NONE = new SpeedPrior(Map.of(), Map.of(), "");

    private final Map<String, Gaussian> byFormula;
    /** By how much other jobs' parameters differ from what is usual; used where nothing better is known. */
    private final Map<String, Gaussian> offsets;
    /** Name of the formula that foretells best where this prior comes from; empty if it comes from nowhere. */
    private final String favourite;

    private SpeedPrior(Map<String, Gaussian> byFormula, Map<String, Gaussian> offsets, String favourite) {
        this.byFormula = Map.copyOf(byFormula);
        this.offsets = Map.copyOf(offsets);
        this.favourite = favourite;
    }

    /**
     * What measured steps of similar jobs say of another such job.
     *
     * @param observations steps of the same strategy, at least one
     * @param difference how far jobs differ from each other: the standard deviation of the logarithms of their times,
     *     at least 0
     */
    public static SpeedPrior of(List<StepObservation> observations, SpeedPrior before, double difference) {
        Map<String, Gaussian> byFormula = new HashMap<>();
        PosteriorModel best = SpeedModels.fit(observations, before);
        for (Formula formula : Formulas.of(best.strategy())) {
            PosteriorModel fitted = SpeedModels.fit(observations, before, formula.name());
            byFormula.put(formula.name(), widened(formula, fitted.parameters(), difference));
        }
        return new SpeedPrior(byFormula, Map.of(), best.formula());
    }

    /**
     * What other jobs, be they like this one or not, tell of how a type and its network behave: how far they are from
     * what is usual.
     *
     * @param others steps of each of them on one type under one strategy; those without steps tell nothing
     */
    public static SpeedPrior ofOthers(SyncStrategy strategy, List<List<StepObservation>> others) {
        Map<String, Gaussian> offsets = new HashMap<>();
        for (Formula formula : Formulas.of(strategy)) {
            List<RealVector> found = others.stream()
                    .filter(steps -> !steps.isEmpty())
                    .map(steps -> PopulationPrior.parameters(formula, steps)
                            .subtract(PopulationPrior.of(formula, steps).mean()))
                    .toList();
            if (!found.isEmpty()) {
                Gaussian usual = formula.usual(1, 1);
                Gaussian none = new Gaussian(usual.mean().mapMultiply(0), usual.covariance());
                offsets.put(formula.name(), PopulationPrior.mixed(none, found));
            }
        }
        return new SpeedPrior(Map.of(), offsets, "");
    }

    /**
     * The same where all takes {@code factor} times as long, a factor known to a standard deviation of its logarithm of
     * {@code spread}.
     */
    public SpeedPrior times(double factor, double spread) {
        Map<String, Gaussian> moved = new HashMap<>();
        for (Formula formula : Formulas.all()) {
            Gaussian own = byFormula.get(formula.name());
            if (own != null) {
                RealVector times = MatrixUtils.createRealVector(formula.times());
                moved.put(
                        formula.name(),
                        widened(
                                formula,
                                new Gaussian(own.mean().add(times.mapMultiply(Math.log(factor))), own.covariance()),
                                spread));
            }
        }
        return new SpeedPrior(moved, offsets, favourite);
    }

    /** The same on another accelerator type. */
    public SpeedPrior shifted(SpeedShift shift) {
        Map<String, Gaussian> moved = new HashMap<>();
        for (Formula formula : Formulas.all()) {
            Gaussian own = byFormula.get(formula.name());
            if (own != null) {
                moved.put(formula.name(), shift.apply(formula, own));
            }
        }
        return new SpeedPrior(moved, offsets, favourite);
    }

    /** Adds a spread that all times share, and as much to each parameter by itself. */
    private static Gaussian widened(Formula formula, Gaussian gaussian, double spread) {
        RealVector times = MatrixUtils.createRealVector(formula.times());
        RealMatrix own = MatrixUtils.createRealIdentityMatrix(times.getDimension());
        RealMatrix added = times.outerProduct(times).add(own).scalarMultiply(spread * spread);
        return new Gaussian(gaussian.mean(), gaussian.covariance().add(added));
    }

    /** True if no step can be foretold before one was measured. */
    public boolean isEmpty() {
        return byFormula.isEmpty();
    }

    /**
     * What is expected before the first step.
     *
     * @throws IllegalStateException if nothing is known
     */
    public PredictiveDistribution forecast(SyncStrategy strategy) {
        Gaussian known = byFormula.get(favourite);
        if (known == null) {
            throw new IllegalStateException("nothing is known of steps under " + strategy);
        }
        return new PriorModel(Formulas.named(favourite, strategy), known, SpeedModels.USUAL);
    }

    Gaussian of(Formula formula, List<StepObservation> observations) {
        Gaussian known = byFormula.get(formula.name());
        if (known != null) {
            return known;
        }
        Gaussian usual = PopulationPrior.of(formula, observations);
        Gaussian offset = offsets.get(formula.name());
        return offset == null ? usual : new Gaussian(usual.mean().add(offset.mean()), offset.covariance());
    }
}
