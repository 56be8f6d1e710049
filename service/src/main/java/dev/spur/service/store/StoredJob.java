package dev.spur.service.store;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as it is stored. What a plan gives it (desired) and what executors report (observed) are kept apart.
 *
 * @param seq its number in the order of submission
 * @param id its id
 * @param tenant name of its tenant
 * @param owner who answers for it
 * @param name its name for people
 * @param externalId its id elsewhere
 * @param labels names and values of the owner's choice
 * @param spec what was asked for, as JSON; null if it was not read
 * @param command what executors start, as JSON; null if none starts it, or if it was not read
 * @param nextCommand what they start instead from the next generation on, as JSON; null if that is the same, or if it
 *     was not read
 * @param deadline when it must be done
 * @param deadlineStatus what was said about the deadline
 * @param waitForHardware true if it may be impossible today
 * @param dependsOn ids of the preparations that it still waits for
 * @param state where it is in its life
 * @param held true if no round may start it
 * @param retryAt before which no round may start it again, since it failed; null if it need not wait
 * @param submittedAt when it came
 * @param endedAt when it ended; null before
 * @param work its work and what is done
 * @param generation number of its allocation
 * @param allocation what the plan gives it; null if it waits or has ended
 * @param observed what was last reported; null before
 * @param version of the row
 */
public record StoredJob(
        long seq,
        String id,
        String tenant,
        String owner,
        String name,
        @Nullable String externalId,
        Map<String, String> labels,
        @Nullable String spec,
        @Nullable String command,
        @Nullable String nextCommand,
        @Nullable Instant deadline,
        DeadlineStatus deadlineStatus,
        boolean waitForHardware,
        List<String> dependsOn,
        JobState state,
        boolean held,
        @Nullable Instant retryAt,
        Instant submittedAt,
        @Nullable Instant endedAt,
        JobWork work,
        long generation,
        @Nullable Allocation allocation,
        @Nullable Observed observed,
        long version) {
    public StoredJob {
        dependsOn = List.copyOf(dependsOn);
    }

    /** What executors start for the next generation, as JSON; null if none starts it, or if it was not read. */
    public @Nullable String commandToStart() {
        return nextCommand == null ? command : nextCommand;
    }

    /** Share of its work that is done, from 0 to 1; 1 for a job that is done, whatever was reported. */
    public double progress() {
        if (state == JobState.DONE) {
            return 1;
        }
        double all = work.expected() == null ? work.total() : work.expected();
        return all <= 0 ? 0 : Math.min(1, work.done() / all);
    }

    /** What was asked for. */
    public JobSpec readSpec() {
        return RoundJson.mapper().readValue(spec, JobSpec.class);
    }

    /** True if all that it holds is on one node, so that there is nobody to wait for. */
    public boolean isOnOneNode() {
        return allocation != null && allocation.placement().size() == 1;
    }

    /**
     * Work in samples. Useful ones count progress at the initial batch size, raw ones are what executors count.
     *
     * @param total effective samples to do in all; with a target loss, at most
     * @param expected effective samples after which the target loss is expected; null if there is none, or no loss was
     *     reported
     * @param done effective samples done
     * @param raw raw samples reported
     * @param reportGeneration generation of the last report; 0 before the first
     * @param reportSeq number of the last report in that generation
     */
    public record JobWork(
            double total, @Nullable Double expected, double done, double raw, long reportGeneration, long reportSeq) {
        /** Effective samples to do, as far as is known. */
        public double remaining() {
            return Math.max(0, (expected == null ? total : expected) - done);
        }
    }

    /**
     * What was last reported.
     *
     * @param state RUNNING, COMPLETED or FAILED
     * @param detail anything that was added for people
     * @param at when
     * @param lastCheckpointStep step of the last checkpoint; null if none was reported
     */
    public record Observed(
            String state,
            @Nullable String detail,
            Instant at,
            @Nullable Long lastCheckpointStep) {}
}
