package dev.spur.simulator.dataprep;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.dataprep.SlowdownCurve;
import dev.spur.model.dataprep.SlowdownCurve.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Synthetic workload of preparations. Arrivals are a Poisson process. Working sets take a quarter of a node to all of
 * it, and the work is 10 minutes to an hour. There are three slowdown curves: flat, medium and steep. A preparation
 * does not start where it would take more than twice its shortest time.
 *
 * @param nodes number of nodes
 * @param memoryGiB memory of each node
 * @param ownShare mean fraction of memory that the nodes use themselves
 * @param uneven true if a third of the nodes is nearly full and the others are nearly empty
 * @param load arriving working sets multiplied by their seconds, as a fraction of the memory that the nodes leave
 * @param seconds length of the arrivals and of the replay
 */
public record MemoryWorkload(
        int nodes, double memoryGiB, double ownShare, boolean uneven, double load, double seconds) {
    private static final double MIN_SECONDS = 600;
    private static final double MAX_SECONDS = 3600;
    private static final List<List<Point>> CURVES = List.of(
            List.of(new Point(0.4, 1.25), new Point(0.5, 1.2), new Point(0.75, 1.05), new Point(1, 1)),
            List.of(new Point(0.4, 2.4), new Point(0.5, 2), new Point(0.75, 1.4), new Point(1, 1)),
            List.of(new Point(0.4, 5), new Point(0.5, 4), new Point(0.75, 2), new Point(1, 1)));

    private static final List<Double> MIN_SHARES = List.of(0.4, 0.5, 0.75);

    public MemoryWorkload {
        Checks.atLeast("nodes", nodes, 2);
        Checks.positive("memoryGiB", memoryGiB);
        Checks.require(ownShare > 0 && ownShare < 0.6, "ownShare (%s) must be above 0 and below 0.6", ownShare);
        Checks.positive("load", load);
        Checks.positive("seconds", seconds);
    }

    /** Returns the preparations of {@code seed}, by arrival. */
    List<Preparation> preparations(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double meanGiBSeconds = memoryGiB * 0.625 * (MIN_SECONDS + MAX_SECONDS) / 2;
        double pause = meanGiBSeconds / (load * nodes * memoryGiB * (1 - ownShare));
        List<Preparation> made = new ArrayList<>();
        double now = 0;
        while (now < seconds) {
            int working = (int) Math.round(memoryGiB * (0.25 + 0.75 * random.nextDouble()));
            double work = MIN_SECONDS + (MAX_SECONDS - MIN_SECONDS) * random.nextDouble();
            int kind = random.nextInt(CURVES.size());
            SlowdownCurve slowdown = new SlowdownCurve(CURVES.get(kind), SlowdownCurve.DEFAULT_SWAP_FACTOR);
            double min = MIN_SHARES.get(kind);
            PreparationSpec spec = new PreparationSpec(List.of(), 2, working, slowdown, min, work, 1, 0);
            made.add(Preparation.of("p%04d".formatted(made.size()), "root", now, spec, work, null));
            now -= pause * Math.log1p(-random.nextDouble());
        }
        return made;
    }
}
