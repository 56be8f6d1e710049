package dev.spur.model.dataprep;

import dev.spur.model.Checks;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The slowdown of a preparation when a part of its working set is not in the memory of its own node.
 *
 * @param points measurements with the rest of the working set in the memory of other nodes: fractions, each once, the
 *     last one 1 with factor 1; the factor does not increase with the fraction. The curve need not be convex
 * @param swapFactor time to fetch a page from disk as a multiple of that from another node, at least 1
 */
public record SlowdownCurve(List<Point> points, double swapFactor) {
    /**
     * Geometric mean of the 4 to 15.4 times higher throughput than swapping to disk that Infiniswap (NSDI '17) reports.
     */
    public static final double DEFAULT_SWAP_FACTOR = 8;

    /**
     * A point of the curve.
     *
     * @param localFraction fraction of the working set in the memory of its own node, above 0 and up to 1
     * @param factor run time as a multiple of that with the whole working set there, at least 1
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
            Checks.require(
                    shares.add(point.localFraction()), "localFraction (%s) appears twice", point.localFraction());
            Checks.require(
                    i == 0 || point.factor() <= points.get(i - 1).factor(),
                    "factor (%s) at localFraction %s must not be above that of a smaller fraction",
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

    /** Returns the smallest measured fraction. */
    public double minLocalFraction() {
        return points.get(0).localFraction();
    }

    /**
     * Returns the slowdown factor with the fraction {@code local} of the working set in the memory of the own node and
     * the rest in that of other nodes. It is linear between two points. Below the first point it is inversely
     * proportional to the fraction, a cautious extrapolation.
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
     * Returns the slowdown factor with the rest of the working set on disk. The arguments are the fractions in the
     * memory of the own node and of other nodes. The slowdown is attributed to the remote pages in proportion to their
     * number: {@code 1 + (at(local) - 1) * (1 + (swapFactor - 1) * swapped / (1 - local))}.
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
