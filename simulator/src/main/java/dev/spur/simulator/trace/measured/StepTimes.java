package dev.spur.simulator.trace.measured;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Step times of one model on one accelerator type. A placement that was measured is read off its own points, whatever
 * the order of its nodes; any other one is mixed from shapes of about as many slots per node.
 */
public final class StepTimes {
    private final Map<List<Integer>, TimingCurve> placements;
    private final ShapeGrid grid;
    private final Map<List<Integer>, List<ShapeGrid.Share>> mixtures = new ConcurrentHashMap<>();
    private final List<MeasuredPoint> points;
    private final int leastPerDevice;

    private StepTimes(Map<List<Integer>, TimingCurve> placements, ShapeGrid grid, List<MeasuredPoint> points) {
        this.placements = placements;
        this.grid = grid;
        this.points = List.copyOf(points);
        leastPerDevice =
                placements.values().stream().mapToInt(TimingCurve::least).min().orElse(1);
    }

    /**
     * Seconds of a step on {@code shape}, which is in descending order, with {@code perDevice} samples per pass and
     * device.
     */
    public Timing at(List<Integer> shape, double perDevice) {
        return sum(mixture(shape), perDevice);
    }

    private static Timing sum(List<ShapeGrid.Share> shares, double perDevice) {
        Timing sum = new Timing(0, 0);
        for (ShapeGrid.Share share : shares) {
            sum = sum.plus(share.curve().at(perDevice), share.weight());
        }
        return sum;
    }

    /** The same for any placement of {@code slots} on {@code nodes}: the mean of those that were measured. */
    Timing mean(int nodes, int slots, double perDevice) {
        return sum(grid.mixture(nodes, slots), perDevice);
    }

    /** Most samples of one pass on one device of {@code shape}. */
    int mostPerDevice(List<Integer> shape) {
        return mixture(shape).stream()
                .mapToInt(share -> share.curve().most())
                .min()
                .orElseThrow();
    }

    /** Fewest samples of one pass on one device that were measured. */
    int leastPerDevice() {
        return leastPerDevice;
    }

    /** Measured numbers of slots, by the number of nodes. */
    Map<Integer, Set<Integer>> shapes() {
        return grid.shapes();
    }

    /**
     * The largest batch of a single slot over its longest step, samples per second: how types are compared before a job
     * has run. 0 if a single slot was never measured.
     */
    double peakOfOneSlot() {
        TimingCurve one = placements.get(List.of(1));
        return one == null ? 0 : one.most() / longestStep(one);
    }

    private static double longestStep(TimingCurve curve) {
        return IntStream.of(curve.measured())
                .mapToDouble(batch -> curve.at(batch).step())
                .max()
                .orElseThrow();
    }

    /**
     * Everything that was measured, in the order of the files: placements, then shapes of which only the size is known.
     */
    public List<MeasuredPoint> points() {
        return points;
    }

    private List<ShapeGrid.Share> mixture(List<Integer> shape) {
        return mixtures.computeIfAbsent(shape, this::mix);
    }

    private List<ShapeGrid.Share> mix(List<Integer> shape) {
        TimingCurve measured = placements.get(shape);
        return measured == null ? grid.mixture(shape.size(), slots(shape)) : List.of(new ShapeGrid.Share(measured, 1));
    }

    private static int slots(List<Integer> shape) {
        return shape.stream().mapToInt(Integer::intValue).sum();
    }

    /** Collects measured points. */
    static final class Builder {
        private final Map<List<Integer>, TimingCurve.Builder> placements = new HashMap<>();
        private final NavigableMap<Integer, NavigableMap<Integer, TimingCurve.Builder>> cells = new TreeMap<>();
        private final List<MeasuredPoint> points = new ArrayList<>();

        /** A point of {@code shape}, slots on each node in descending order. */
        void place(List<Integer> shape, int perDevice, Timing timing) {
            placements.computeIfAbsent(shape, key -> new TimingCurve.Builder()).add(perDevice, timing);
            scale(shape.size(), slots(shape), perDevice, timing);
        }

        /** A point of which only the numbers of nodes and slots are known. */
        void scale(int nodes, int slots, int perDevice, Timing timing) {
            points.add(new MeasuredPoint(nodes, slots, perDevice, timing));
            cells.computeIfAbsent(nodes, n -> new TreeMap<>())
                    .computeIfAbsent(slots, k -> new TimingCurve.Builder())
                    .add(perDevice, timing);
        }

        boolean isEmpty() {
            return cells.isEmpty();
        }

        StepTimes build() {
            Map<List<Integer>, TimingCurve> built = new HashMap<>();
            placements.forEach((shape, curve) -> built.put(shape, curve.build()));
            ShapeGrid grid = new ShapeGrid();
            cells.forEach((nodes, bySlots) -> bySlots.forEach((slots, curve) -> grid.put(nodes, slots, curve.build())));
            return new StepTimes(built, grid, points);
        }
    }
}
