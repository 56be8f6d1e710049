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
 * Step times of one model on one accelerator type. A measured placement has its own points, whatever the order of its
 * nodes. Any other placement is interpolated from shapes with similar slots per node.
 */
public final class StepTimes {
    private final Map<List<Integer>, TimingCurve> curves;
    private final ShapeGrid grid;
    private final Map<List<Integer>, List<ShapeGrid.Share>> shares = new ConcurrentHashMap<>();
    private final List<MeasuredPoint> points;
    private final int minPerDevice;

    private StepTimes(Map<List<Integer>, TimingCurve> curves, ShapeGrid grid, List<MeasuredPoint> points) {
        this.curves = curves;
        this.grid = grid;
        this.points = List.copyOf(points);
        minPerDevice = curves.values().stream().mapToInt(TimingCurve::min).min().orElse(1);
    }

    /**
     * Returns the timing of a step on {@code shape}, in descending order, with {@code perDevice} samples per pass and
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

    /** Returns the timing for any placement of {@code slots} on {@code nodes}: the mean of the measured ones. */
    Timing mean(int nodes, int slots, double perDevice) {
        return sum(grid.mixture(nodes, slots), perDevice);
    }

    /** Returns the maximum number of samples per pass and device on {@code shape}. */
    int maxPerDevice(List<Integer> shape) {
        return mixture(shape).stream()
                .mapToInt(share -> share.curve().max())
                .min()
                .orElseThrow();
    }

    /** Returns the minimum number of samples per pass and device that was measured. */
    int minPerDevice() {
        return minPerDevice;
    }

    /** Returns the measured numbers of slots, by the number of nodes. */
    Map<Integer, Set<Integer>> shapes() {
        return grid.shapes();
    }

    /**
     * Returns the largest batch of a single slot over its longest step, in samples per second; 0 if a single slot was
     * never measured. It compares types before a job has run.
     */
    double peakOfOneSlot() {
        TimingCurve one = curves.get(List.of(1));
        return one == null ? 0 : one.max() / longestStep(one);
    }

    private static double longestStep(TimingCurve curve) {
        return IntStream.of(curve.measuredBatches())
                .mapToDouble(batch -> curve.at(batch).step())
                .max()
                .orElseThrow();
    }

    /** Returns all measurements in the order of the files: placements, then shapes of which only the size is known. */
    public List<MeasuredPoint> points() {
        return points;
    }

    private List<ShapeGrid.Share> mixture(List<Integer> shape) {
        return shares.computeIfAbsent(shape, this::mix);
    }

    private List<ShapeGrid.Share> mix(List<Integer> shape) {
        TimingCurve measured = curves.get(shape);
        return measured == null ? grid.mixture(shape.size(), slots(shape)) : List.of(new ShapeGrid.Share(measured, 1));
    }

    private static int slots(List<Integer> shape) {
        return shape.stream().mapToInt(Integer::intValue).sum();
    }

    /** Collector of measured points. */
    static final class Builder {
        private final Map<List<Integer>, TimingCurve.Builder> placementBuilders = new HashMap<>();
        private final NavigableMap<Integer, NavigableMap<Integer, TimingCurve.Builder>> cellBuilders = new TreeMap<>();
        private final List<MeasuredPoint> points = new ArrayList<>();

        /** Adds a point of {@code shape}, slots on each node in descending order. */
        void place(List<Integer> shape, int perDevice, Timing timing) {
            placementBuilders
                    .computeIfAbsent(shape, key -> new TimingCurve.Builder())
                    .add(perDevice, timing);
            scale(shape.size(), slots(shape), perDevice, timing);
        }

        /** Adds a point of which only the numbers of nodes and slots are known. */
        void scale(int nodes, int slots, int perDevice, Timing timing) {
            points.add(new MeasuredPoint(nodes, slots, perDevice, timing));
            cellBuilders
                    .computeIfAbsent(nodes, n -> new TreeMap<>())
                    .computeIfAbsent(slots, k -> new TimingCurve.Builder())
                    .add(perDevice, timing);
        }

        boolean isEmpty() {
            return cellBuilders.isEmpty();
        }

        StepTimes build() {
            Map<List<Integer>, TimingCurve> built = new HashMap<>();
            placementBuilders.forEach((shape, curve) -> built.put(shape, curve.build()));
            ShapeGrid grid = new ShapeGrid();
            cellBuilders.forEach(
                    (nodes, bySlots) -> bySlots.forEach((slots, curve) -> grid.put(nodes, slots, curve.build())));
            return new StepTimes(built, grid, points);
        }
    }
}
