package dev.spur.model.dataprep;

import dev.spur.model.Checks;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How much longer a preparation takes when not all of its working set is in the memory of its own node.
 *
 * @param points measured with the rest in the memory of other nodes: any number of shares, each once, the last one 1
 *     with factor 1; a larger share is never slower. The curve need not be convex
 * @param swapFactor how many times as long a page takes that comes from the disk instead of from another node, at least
 *     1
 */
public record SlowdownCurve(List<Point> points, double swapFactor) {
    /** Infiniswap (NSDI '17) saw 4 to 15.4 times the throughput of swapping to disk; this is the geometric mean. */
    public static final double DEFAULT_SWAP_FACTOR = 8;

    /**
     * A point of the curve.
     *
     * @param localFraction share of the working set in the memory of its own node, above 0 and up to 1
     * @param factor time taken, as a multiple of that with all of it there, at least 1
     */
    public record Point(double localFraction, double factor) {
        public Point {
            Checks.positive("localFraction", localFraction);
            Checks.require(localFraction <= 1, "localFraction (%s) must be at most 1", localFraction);
            Checks.atLeast("factor", factor, 1);
        }
    }

    public SlowdownCurve {
        points = Checks.copy(points).stream()
                .sorted(Comparator.comparingDouble(Point::localFraction))
                .toList();
        Checks.require(!points.isEmpty(), "points must not be empty");
        Set<Double> shares = new HashSet<>();
        for (int i = 0; i < points.size(); i++) {
            Point point = points.get(i);
            Checks.require(shares.add(point.localFraction()), "localFraction (%s) stands twice", point.localFraction());
            Checks.require(
                    i == 0 || point.factor() <= points.get(i - 1).factor(),
                    "factor (%s) at localFraction %s must not be above that of a smaller share",
                    point.factor(),
                    point.localFraction());
        }
        Point last = points.get(points.size() - 1);
        Checks.require(
                last.localFraction() == 1 && last.factor() == 1,
                "the last point (%s, %s) must have localFraction 1 and factor 1",
                last.localFraction(),
                last.factor());
        Checks.atLeast("swapFactor", swapFactor, 1);
    }

    /** Smallest share that was measured. */
    public double leastShare() {
        return points.get(0).localFraction();
    }

    /**
     * Factor with {@code local} of the working set in the own memory and all the rest in that of others: the chord
     * between two points; below the first one in inverse proportion to the share, so that nothing is promised where
     * nothing was measured.
     *
     * @param local above 0; 1 and more count as 1
     */
    public double at(double local) {
        Point before = points.get(0);
        if (local <= before.localFraction()) {
            return before.factor() * before.localFraction() / local;
        }
        for (Point point : points) {
            if (local <= point.localFraction()) {
                double part = (local - before.localFraction()) / (point.localFraction() - before.localFraction());
                return before.factor() + part * (point.factor() - before.factor());
            }
            before = point;
        }
        return 1;
    }

    /**
     * Factor with {@code local} of the working set in the own memory, {@code borrowed} in that of others, and the rest
     * on disk. What is lost with pages that are not there is shared out over where they are: {@code 1 + (at(local) - 1)
     * * (1 + (swapFactor - 1) * swapped / (1 - local))}.
     *
     * @param local above 0
     * @param borrowed at least 0
     */
    public double at(double local, double borrowed) {
        double away = 1 - local;
        if (away <= 0) {
            return 1;
        }
        double swapped = Math.max(0, away - borrowed);
        return 1 + (at(local) - 1) * (1 + (swapFactor - 1) * swapped / away);
    }
}
