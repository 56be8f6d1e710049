package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * By what the times of replays are stretched, for what no replay knows of, such as who will be resized for whom. How
 * much that is depends on how far ahead a time is: between the centres it goes straight in the logarithm, and is
 * constant beyond them. Equal times stay equal, so that nobody is expected to start before the slots are free. Samples
 * that lie further apart than what comes are drawn together.
 *
 * @param byAhead for each of {@link #CENTRES}
 */
public record BiasCorrection(List<HorizonCorrection> byAhead) {
    /** Ends of the times ahead that are told apart, seconds; the last has none. */
    static final List<Double> BOUNDS = List.of(600.0, 3600.0, 4 * 3600.0, Double.POSITIVE_INFINITY);

    /** A time in the middle of each, seconds. */
    static final List<Double> CENTRES = List.of(300.0, 1800.0, 2 * 3600.0, 8 * 3600.0);

    /** Times count as this much longer, seconds, both the real one and that of a replay: rounds begin when they do. */
    static final double FROM = 60;

    /** Stretches beyond this, up or down, tell of a mistake. */
    private static final double LIMIT = 20;

    /**
     * What is done to the times of samples.
     *
     * @param stretch by what they are stretched
     * @param whole spread of what comes about the middle of all samples, their own distances included, at least 0
     * @param kept how much of the logarithms of their distances from the middle of all samples is kept, at least 0 and
     *     at most 1
     */
    public record HorizonCorrection(Uncertainty stretch, double whole, double kept) {
        public HorizonCorrection {
            Checks.atLeast("whole", whole, 0);
            Checks.atLeast("kept", kept, 0);
        }
    }

    public BiasCorrection {
        byAhead = Checks.copy(byAhead);
        Checks.require(byAhead.size() == CENTRES.size(), "there are %s drifts", byAhead.size());
    }

    /** This, but nowhere narrower than {@code other}; the middle stays. */
    BiasCorrection noNarrowerThan(BiasCorrection other) {
        List<HorizonCorrection> wide = new ArrayList<>();
        for (int index = 0; index < byAhead.size(); index++) {
            HorizonCorrection bend = byAhead.get(index);
            HorizonCorrection least = other.byAhead.get(index);
            wide.add(new HorizonCorrection(
                    new Uncertainty(bend.stretch.median(), Math.max(bend.stretch.spread(), least.stretch.spread())),
                    Math.max(bend.whole, least.whole),
                    Math.max(bend.kept, least.kept)));
        }
        return new BiasCorrection(wide);
    }

    /** Which of the times ahead {@code ahead} belongs to. */
    static int index(double ahead) {
        int index = 0;
        while (ahead > BOUNDS.get(index)) {
            index++;
        }
        return index;
    }

    /**
     * Logarithm of the stretch of a time that was replayed as {@code ahead} and really was {@code real}, seconds, both
     * at least 0.
     */
    static double logarithm(double ahead, double real) {
        double logarithm = Math.log((real + FROM) / (ahead + FROM));
        return Math.max(-Math.log(LIMIT), Math.min(Math.log(LIMIT), logarithm));
    }

    /**
     * Seconds ahead of a time that was replayed as {@code ahead}, at quantile {@code share}; at least 0.
     *
     * @param middle the median of the samples, seconds ahead; infinite if it is not known, and nothing is drawn towards
     *     it
     */
    double stretched(double ahead, double middle, double share) {
        double drawn = ahead;
        if (Double.isFinite(middle)) {
            double kept = at(middle, HorizonCorrection::kept);
            drawn = Math.exp((1 - kept) * Math.log(middle + FROM) + kept * Math.log(ahead + FROM)) - FROM;
        }
        var stretch = new Uncertainty(
                Math.exp(at(drawn, bend -> Math.log(bend.stretch.median()))), at(drawn, bend -> bend.stretch.spread()));
        return Math.max(0, (drawn + FROM) * stretch.quantile(share) - FROM);
    }

    /**
     * Seconds ahead, at quantile {@code share}, of a time of which replays say that it is {@code ahead} at least. How
     * far apart they are beyond it is not known, so that all that was missed counts.
     */
    double earliest(double ahead, double share) {
        var stretch = new Uncertainty(
                Math.exp(at(ahead, bend -> Math.log(bend.stretch.median()))), at(ahead, HorizonCorrection::whole));
        return Math.max(0, (ahead + FROM) * stretch.quantile(share) - FROM);
    }

    private double at(double ahead, ToDoubleFunction<HorizonCorrection> figure) {
        int next = 0;
        while (next < CENTRES.size() && CENTRES.get(next) < ahead) {
            next++;
        }
        if (next == 0 || next == CENTRES.size()) {
            return figure.applyAsDouble(byAhead.get(next == 0 ? 0 : next - 1));
        }
        double from = CENTRES.get(next - 1);
        double part = Math.log(ahead / from) / Math.log(CENTRES.get(next) / from);
        return (1 - part) * figure.applyAsDouble(byAhead.get(next - 1))
                + part * figure.applyAsDouble(byAhead.get(next));
    }
}
