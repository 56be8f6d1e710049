package dev.spur.service.explain;

import java.time.Instant;

/**
 * Job in the queue, with the conditions that prevent its start.
 *
 * @param id id of the job
 * @param name display name
 * @param tenant tenant of the job
 * @param owner owner of the job
 * @param state state of the job
 * @param held true if the job is on hold
 * @param pauseSeconds time that is left of the pause after a failure; 0 without a pause
 * @param waitingSince start of the last waiting period
 * @param waitingSeconds length of the waiting period, by the clock of the database
 * @param awaited names and states of the preparations that the job waits for; empty if there are none
 */
record WaitingJob(
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
    /** Returns true if rounds must not start it. */
    public boolean heldBack() {
        return held || pauseSeconds > 0 || !awaited.isEmpty();
    }
}
