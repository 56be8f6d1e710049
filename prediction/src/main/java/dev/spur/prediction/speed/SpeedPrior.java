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
    public static final SpeedPrior NONE = new SpeedPrior(Map.of(), "");

    private final Map<String, Gaussian> byFormula;
    /** Name of the formula that foretells best where this prior comes from; empty if it comes from nowhere. */
    private final String favourite;

    private SpeedPrior(Map<String, Gaussian> byFormula, String favourite) {
        this.byFormula = Map.copyOf(byFormula);
        this.favourite = favourite;
    }

    /**
     * What measured steps of similar jobs say of another such job.
     *
     * @param observations steps of the same strategy, at least one
     * @param difference how far jobs differ from each other: the standard deviation of the logarithms of their times, at least 0
     */
    public static SpeedPrior of(List<Observation> observations, SpeedPrior before, double difference) {
        Map<String, Gaussian> byFormula = new HashMap<>();
        FittedSpeed best = SpeedModels.fit(observations, before);
        for (Formula formula : Formulas.of(best.strategy())) {
            FittedSpeed fitted = SpeedModels.fit(observations, before, formula.name());
            byFormula.put(formula.name(), widened(formula, fitted.parameters(), difference));
        }
        return new SpeedPrior(byFormula, best.formula());
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
        return new SpeedPrior(moved, favourite);
    }

    /** Adds a spread that all times share, and as much to each parameter by itself. */
    private static Gaussian widened(Formula formula, Gaussian gaussian, double spread) {
        RealVector times = MatrixUtils.createRealVector(formula.times());
        RealMatrix own = MatrixUtils.createRealIdentityMatrix(times.getDimension());
        RealMatrix added = times.outerProduct(times).add(own).scalarMultiply(spread * spread);
        return new Gaussian(gaussian.mean(), gaussian.covariance().add(added));
    }

    /** True if nothing is known but what is usual. */
    public boolean isEmpty() {
        return byFormula.isEmpty();
    }

    /**
     * What is expected before the first step.
     *
     * @throws IllegalStateException if nothing is known
     */
    public SpeedForecast forecast(SyncStrategy strategy) {
        Gaussian known = byFormula.get(favourite);
        if (known == null) {
            throw new IllegalStateException("nothing is known of steps under " + strategy);
        }
        return new BelievedSpeed(Formulas.named(favourite, strategy), known, new Kinship(SpeedModels.LARGEST_SPREAD));
    }

    Gaussian of(Formula formula, List<Observation> observations) {
        Gaussian known = byFormula.get(formula.name());
        return known == null ? usual(formula, observations) : known;
    }

    /** Centred on the pass of the smallest shape, as synchronisation weighs least there. */
    private static Gaussian usual(Formula formula, List<Observation> observations) {
        Observation typical = observations.get(0);
        for (Observation observation : observations) {
            if (observation.shape().slots() < typical.shape().slots()) {
                typical = observation;
            }
        }
        return formula.usual(
                typical.stepSeconds() / (typical.shape().accumulationSteps() + 1),
                typical.shape().perSlotBatch());
    }
}
