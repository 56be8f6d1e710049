package dev.spur.prediction.online;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The load of a job on its aggregators as a multiple of the stated load: the median of the last measured windows. Plain
 * data.
 *
 * <p>Missing windows count as the stated load, so that less than three windows change nothing. Of five windows, two may
 * be outliers. A lasting change takes effect after three.
 *
 * @param ratios measured load relative to the stated load in the last windows, the oldest first
 * @param factor factor by which rounds multiply the stated load, from {@link #MIN} to {@link #MAX}
 * @param windows number of measured windows
 */
public record LearnedLoad(List<Double> ratios, double factor, long windows) {
    /** A load without measurements. */
    public static final LearnedLoad NOTHING = new LearnedLoad(List.of(), 1, 0);

    /** Minimum factor; a measurement below it is considered invalid. */
    public static final double MIN = 1.0 / 16;
    /** Maximum factor. */
    public static final double MAX = 16;

    private static final int REMEMBERED = 5;
    /** Minimum relative change of the factor, since every change moves shards. */
    private static final double NOTABLE = 1.1;

    public LearnedLoad {
        ratios = Checks.copy(ratios);
        Checks.require(ratios.size() <= REMEMBERED, "there are %s ratios, not up to %s", ratios.size(), REMEMBERED);
        ratios.forEach(ratio -> Checks.positive("ratio", ratio));
        Checks.require(factor >= MIN && factor <= MAX, "factor (%s) is out of range", factor);
        Checks.require(windows >= ratios.size(), "windows (%s) must be at least those remembered", windows);
    }

    /** Returns this load with one more window, whose ratio is above 0. */
    public LearnedLoad and(double ratio) {
        Checks.positive("ratio", ratio);
        List<Double> last = new ArrayList<>(ratios);
        last.add(ratio);
        if (last.size() > REMEMBERED) {
            last.remove(0);
        }
        double now = Math.min(MAX, Math.max(MIN, median(last)));
        boolean notable = now > factor * NOTABLE || now < factor / NOTABLE;
        return new LearnedLoad(last, notable ? now : factor, windows + 1);
    }

    private static double median(List<Double> last) {
        List<Double> all = new ArrayList<>(last);
        all.addAll(Collections.nCopies(REMEMBERED - last.size(), 1.0));
        Collections.sort(all);
        return all.get(REMEMBERED / 2);
    }
}
