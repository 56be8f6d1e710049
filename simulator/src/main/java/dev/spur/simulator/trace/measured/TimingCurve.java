package dev.spur.simulator.trace.measured;

import java.util.NavigableMap;
import java.util.TreeMap;

/** Step times of one placement by samples per pass and device: linear between measurements, constant outside them. */
final class TimingCurve {
    private final int[] batches;
    private final Timing[] timings;

    private TimingCurve(int[] batches, Timing[] timings) {
        this.batches = batches;
        this.timings = timings;
    }

    Timing at(double batch) {
        int above = 0;
        while (above < batches.length && batches[above] < batch) {
            above++;
        }
        if (above == 0) {
            return timings[0];
        }
        if (above == batches.length) {
            return timings[above - 1];
        }
        double part = (batch - batches[above - 1]) / (batches[above] - batches[above - 1]);
        return new Timing(0, 0).plus(timings[above - 1], 1 - part).plus(timings[above], part);
    }

    int min() {
        return batches[0];
    }

    int max() {
        return batches[batches.length - 1];
    }

    /** Returns the measured samples per pass and device, ascending. */
    int[] measuredBatches() {
        return batches.clone();
    }

    /** Collector of points; repeated measurements of a point are averaged. */
    static final class Builder {
        private final NavigableMap<Integer, double[]> sums = new TreeMap<>();

        void add(int batch, Timing timing) {
            double[] sum = sums.computeIfAbsent(batch, b -> new double[3]);
            sum[0] += timing.step();
            sum[1] += timing.sync();
            sum[2]++;
        }

        TimingCurve build() {
            return new TimingCurve(
                    sums.keySet().stream().mapToInt(Integer::intValue).toArray(),
                    sums.values().stream()
                            .map(sum -> new Timing(sum[0] / sum[2], sum[1] / sum[2]))
                            .toArray(Timing[]::new));
        }
    }
}
