package dev.spur.prediction.online;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How much aggregators have to do for a job, as a multiple of what it states: the median of the last windows that were
 * measured. Plain data.
 *
 * <p>Windows that have not come yet count as stated, so that fewer than three change nothing; of five, two may be
 * anything. A lasting change shows after three.
 *
 * @param ratios of the last windows, the oldest first: work that was measured / work that was expected as stated
 * @param factor by which rounds multiply what is stated, from {@link #LEAST} to {@link #MOST}
 * @param windows how many were measured
 */
public record LearnedLoad(List<Double> ratios, double factor, long windows) {
    /** Nothing was measured. */
    public static final LearnedLoad NOTHING = new LearnedLoad(List.of(), 1, 0);

    /** No factor is lower: a measurement that says less is not believed. */
    public static final double LEAST = 1.0 / 16;
    /** No factor is higher. */
    public static final double MOST = 16;

    private static final int REMEMBERED = 5;
    /** A factor that is off by less stays, since shards move when it changes. */
    private static final double NOTABLE = 1.1;

    public LearnedLoad {
        ratios = Checks.copy(ratios);
        Checks.require(ratios.size() <= REMEMBERED, "there are %s ratios, not up to %s", ratios.size(), REMEMBERED);
        ratios.forEach(ratio -> Checks.positive("ratio", ratio));
        Checks.require(factor >= LEAST && factor <= MOST, "factor (%s) is out of range", factor);
        Checks.require(windows >= ratios.size(), "windows (%s) must be at least those remembered", windows);
    }

    /** With one more window, whose ratio is above 0. */
    public LearnedLoad and(double ratio) {
        Checks.positive("ratio", ratio);
        List<Double> last = new ArrayList<>(ratios);
        last.add(ratio);
        if (last.size() > REMEMBERED) {
            last.remove(0);
        }
        double now = Math.min(MOST, Math.max(LEAST, median(last)));
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
