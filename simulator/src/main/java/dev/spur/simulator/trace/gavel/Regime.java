package dev.spur.simulator.trace.gavel;

import dev.spur.model.Checks;

/**
 * Range of epochs at one batch size.
 *
 * @param firstEpoch first epoch of the range, from 0
 * @param batch samples of one step
 */
record Regime(int firstEpoch, int batch) {
    Regime {
        Checks.atLeast("firstEpoch", firstEpoch, 0);
        Checks.atLeast("batch", batch, 1);
    }
}
