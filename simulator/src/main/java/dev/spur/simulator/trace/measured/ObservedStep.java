package dev.spur.simulator.trace.measured;

import java.util.List;

/**
 * Observed configuration of a step.
 *
 * @param shape slots on each node, descending
 * @param perDevice samples per pass and device
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
