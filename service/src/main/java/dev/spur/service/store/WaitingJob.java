package dev.spur.service.store;

import java.time.Instant;

/**
 * A job as its owner knows it, with what decides whether it can run.
 *
 * @param id its id
 * @param name its name
 * @param tenant its tenant
 * @param owner its owner
 * @param state its state
 * @param held true if it is held back
 * @param pauseSeconds time for which no round may start it, since its executors failed it; 0 for none
 * @param waitingSince when it last began to wait
 * @param waitingSeconds for how long it has waited, by the clock of the database
 * @param awaited names and states of the preparations that it waits for; empty if there are none
 */
public record WaitingJob(
        String id,
        String name,
        String tenant,
        String owner,
        String state,
        boolean held,
        double pauseSeconds,
        Instant waitingSince,
        double waitingSeconds,
        String awaited) {
    /** True if no round may start it. */
    public boolean heldBack() {
        return held || pauseSeconds > 0 || !awaited.isEmpty();
    }
}
