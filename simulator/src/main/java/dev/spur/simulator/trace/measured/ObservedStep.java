package dev.spur.simulator.trace.measured;

import java.util.List;

/**
 * A way in which a job has run.
 *
 * @param shape slots on each node, descending
 * @param perDevice samples of a pass on a device
 */
record ObservedStep(List<Integer> shape, int perDevice) {
    int slots() {
        int slots = 0;
        for (int piece : shape) {
            slots += piece;
        }
        return slots;
    }
}
