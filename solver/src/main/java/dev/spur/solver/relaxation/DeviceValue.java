package dev.spur.solver.relaxation;

import dev.spur.model.job.Elasticity;
import java.util.Arrays;

/** Maximum value of the shares that fit the free parts of one device, by dynamic programming over the parts. */
final class DeviceValue {
    private final int[] parts;
    private final double[] most = new double[Elasticity.PARTS + 1];
    /** Kind that fills the last parts; -1 for none. */
    private final int[] last = new int[most.length];

    /**
     * @param parts parts of a device by kind of piece; kinds of whole devices are ignored
     * @param values value by kind of piece
     */
    DeviceValue(int[] parts, double[] values) {
        this.parts = parts;
        Arrays.fill(last, -1);
        int smallest = Arrays.stream(parts).min().orElse(Elasticity.PARTS);
        for (int p = 1; p < most.length && smallest < Elasticity.PARTS; p++) {
            most[p] = most[p - 1];
            for (int k = 0; k < parts.length; k++) {
                if (parts[k] < Elasticity.PARTS && parts[k] <= p && most[p - parts[k]] + values[k] > most[p]) {
                    most[p] = most[p - parts[k]] + values[k];
                    last[p] = k;
                }
            }
        }
    }

    /** Returns the value of {@code room} parts of a device. */
    double of(int room) {
        return most[room];
    }

    /** Adds the shares of maximum value in {@code room} parts to {@code pieces}, their number by kind. */
    void addPieces(int room, int[] pieces) {
        for (int p = room; p > 0; p -= last[p] < 0 ? 1 : parts[last[p]]) {
            if (last[p] >= 0) {
                pieces[last[p]]++;
            }
        }
    }
}
