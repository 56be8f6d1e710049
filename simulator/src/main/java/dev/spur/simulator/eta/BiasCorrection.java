package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Bias correction of simulated times, for effects that the simulation does not model, for example future resizes. The
 * correction depends on the horizon. It is interpolated linearly in the logarithm of the horizon between the centers,
 * and constant outside them. Equal times stay equal, so no job is predicted to start before its slots are free. Samples
 * that are more dispersed than the outcomes are shrunk toward their median.
 *
 * @param byAhead correction at each of {@link #CENTERS}
 */
public record BiasCorrection(List<HorizonCorrection> byAhead) {
    /** Upper limits of the horizon classes, seconds; the last class has no limit. */
    static final List<Double> BOUNDS = List.of(600.0, 3600.0, 4 * 3600.0, Double.POSITIVE_INFINITY);

    /** Center of each horizon class, seconds. */
    static final List<Double> CENTERS = List.of(300.0, 1800.0, 2 * 3600.0, 8 * 3600.0);

    /**
     * Offset added to real and simulated times before the logarithm, seconds: times are rounded to the beginning of
     * rounds.
     */
    static final double FROM = 60;

    /** Limit of stretch factors, up and down; values beyond it indicate errors and are limited. */
    private static final double LIMIT = 20;

    /**
     * Correction at one horizon.
     *
     * @param stretch distribution of the stretch factor
     * @param whole spread of the outcomes about the median of all samples, including the dispersion of the samples, at
     *     least 0
     * @param retained shrinkage: fraction of the log distance from the median of all samples that is kept, at least 0
     *     and at most 1
     */
    public record HorizonCorrection(Uncertainty stretch, double whole, double retained) {
        public HorizonCorrection {
            Checks.atLeast("whole", whole, 0);
            Checks.atLeast("retained", retained, 0);
        }
    }

    public BiasCorrection {
        byAhead = Checks.copy(byAhead);
        Checks.require(
                byAhead.size() == CENTERS.size(),
                "byAhead has %s corrections, but there must be one per center",
                byAhead.size());
    }

    /** Returns this correction with spreads at least as large as those of {@code other}; the medians are unchanged. */
    BiasCorrection noNarrowerThan(BiasCorrection other) {
        List<HorizonCorrection> wide = new ArrayList<>();
        for (int index = 0; index < byAhead.size(); index++) {
            HorizonCorrection bend = byAhead.get(index);
            HorizonCorrection min = other.byAhead.get(index);
            wide.add(new HorizonCorrection(
                    new Uncertainty(bend.stretch.median(), Math.max(bend.stretch.spread(), min.stretch.spread())),
                    Math.max(bend.whole, min.whole),
                    Math.max(bend.retained, min.retained)));
        }
        return new BiasCorrection(wide);
    }

    /** Returns the horizon class of {@code ahead}. */
    static int index(double ahead) {
        int index = 0;
        while (ahead > BOUNDS.get(index)) {
            index++;
        }
        return index;
    }

    /**
     * Returns the logarithm of the stretch factor between the simulated time {@code ahead} and the real time
     * {@code real}, seconds, both at least 0.
     */
    static double logarithm(double ahead, double real) {
        double logarithm = Math.log((real + FROM) / (ahead + FROM));
        return Math.max(-Math.log(LIMIT), Math.min(Math.log(LIMIT), logarithm));
    }

    /**
     * Returns the corrected time for the simulated time {@code ahead}, at quantile {@code share}; seconds ahead, at
     * least 0.
     *
     * @param middle median of the samples, seconds ahead; if infinite, the median is unknown and samples are not shrunk
     */
    double correct(double ahead, double middle, double share) {
        double drawn = ahead;
        if (Double.isFinite(middle)) {
            double retained = at(middle, HorizonCorrection::retained);
            drawn = Math.exp((1 - retained) * Math.log(middle + FROM) + retained * Math.log(ahead + FROM)) - FROM;
        }
        var uncertainty = new Uncertainty(
                Math.exp(at(drawn, bend -> Math.log(bend.stretch.median()))), at(drawn, bend -> bend.stretch.spread()));
        return Math.max(0, (drawn + FROM) * uncertainty.quantile(share) - FROM);
    }

    /**
     * Returns the corrected time, seconds ahead at quantile {@code share}, of a time that is simulated to be at least
     * {@code ahead}. The dispersion beyond it is unknown, so the total spread of the outcomes applies.
     */
    double earliest(double ahead, double share) {
        var uncertainty = new Uncertainty(
                Math.exp(at(ahead, bend -> Math.log(bend.stretch.median()))), at(ahead, HorizonCorrection::whole));
        return Math.max(0, (ahead + FROM) * uncertainty.quantile(share) - FROM);
    }

    private double at(double ahead, ToDoubleFunction<HorizonCorrection> figure) {
        int next = 0;
        while (next < CENTERS.size() && CENTERS.get(next) < ahead) {
            next++;
        }
        if (next == 0 || next == CENTERS.size()) {
            return figure.applyAsDouble(byAhead.get(next == 0 ? 0 : next - 1));
        }
        double from = CENTERS.get(next - 1);
        double part = Math.log(ahead / from) / Math.log(CENTERS.get(next) / from);
        return (1 - part) * figure.applyAsDouble(byAhead.get(next - 1))
                + part * figure.applyAsDouble(byAhead.get(next));
    }
}
