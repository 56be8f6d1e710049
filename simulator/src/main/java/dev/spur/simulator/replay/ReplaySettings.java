package dev.spur.simulator.replay;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a replay.
 *
 * @param settings settings of the rounds that policies receive
 * @param roundSeconds seconds from one round to the next, above 0
 * @param earlySeconds minimum seconds from the last round to a round that follows an event, at least 0; null if rounds
 *     are only at multiples of {@code roundSeconds}
 * @param failures failure model of nodes; null for no failures
 * @param checkpointSeconds interval of run time between checkpoints of a job, above 0. A node failure undoes the
 *     progress since the last one; a planned change loses nothing
 * @param checkEvery interval, in rounds, at which the plan validator checks the decision, at least 1
 * @param stallSeconds the replay ends, with unfinished jobs, once no job has run or arrived for this time
 * @param endSeconds time at which the replay ends, with unfinished jobs, seconds since the start of the trace, above 0;
 *     infinite if only the jobs end it
 * @param seed seed of every random choice
 */
public record ReplaySettings(
        RoundSettings settings,
        double roundSeconds,
        @Nullable Double earlySeconds,
        @Nullable NodeFailures failures,
        double checkpointSeconds,
        int checkEvery,
        double stallSeconds,
        double endSeconds,
        long seed) {
    /**
     * Budget of a decision: limited by work, so that a replay gives the same result on each machine under any load. The
     * time limit is far above it. A plan within the gap of two in a thousand suffices, and the solver finds it sooner
     * than an optimal one.
     */
    private static final SolveBudget BUDGET = new SolveBudget(1, 600, 1, 1);

    private static final double GAP = 0.002;
    /** Maximum work budget of a decision with the settings of a service. */
    private static final double MAX_SERVICE_WORK = 5;

    private static final double SERVICE_SECONDS = 300;

    /** Rounds of one minute, no failures, each decision validated; the objective is that of a new installation. */
    public static final ReplaySettings DEFAULT = new ReplaySettings(
            RoundSettings.DEFAULT.withEffort(GAP, BUDGET),
            60,
            null,
            null,
            1800,
            1,
            7 * 86_400,
            Double.POSITIVE_INFINITY,
            1);

    public ReplaySettings {
        Checks.positive("roundSeconds", roundSeconds);
        if (earlySeconds != null) {
            Checks.atLeast("earlySeconds", earlySeconds, 0);
        }
        Checks.positive("checkpointSeconds", checkpointSeconds);
        Checks.atLeast("checkEvery", checkEvery, 1);
        Checks.positive("stallSeconds", stallSeconds);
        Checks.require(endSeconds > 0, "endSeconds (%s) must be above 0", endSeconds);
    }

    /**
     * Returns true if the time limit may have cut a decision of this duration: no step reaches its time limit before
     * half of the decision's limit. Another run of the replay may then differ.
     */
    public boolean mayBeCutByClock(double decisionSeconds) {
        return decisionSeconds > settings.budget().wallSeconds() / 2;
    }

    /** Returns these settings with other times of rounds. */
    public ReplaySettings withRounds(double otherRoundSeconds, @Nullable Double otherEarlySeconds) {
        return new ReplaySettings(
                settings,
                otherRoundSeconds,
                otherEarlySeconds,
                failures,
                checkpointSeconds,
                checkEvery,
                stallSeconds,
                endSeconds,
                seed);
    }

    /** Returns these settings with another failure model and another checkpoint interval. */
    public ReplaySettings withFailures(@Nullable NodeFailures other, double otherCheckpointSeconds) {
        return new ReplaySettings(
                settings,
                roundSeconds,
                earlySeconds,
                other,
                otherCheckpointSeconds,
                checkEvery,
                stallSeconds,
                endSeconds,
                seed);
    }

    /** Returns these settings with other settings of rounds. */
    public ReplaySettings withPlanning(RoundSettings other) {
        return new ReplaySettings(
                other,
                roundSeconds,
                earlySeconds,
                failures,
                checkpointSeconds,
                checkEvery,
                stallSeconds,
                endSeconds,
                seed);
    }

    /**
     * Returns these settings with the settings of rounds of a service. Decisions end by work instead of time, after at
     * most 5 work units, so that equal inputs give equal replays.
     */
    public ReplaySettings withServicePlanning(RoundSettings service) {
        SolveBudget budget =
                new SolveBudget(Math.min(MAX_SERVICE_WORK, service.budget().work()), SERVICE_SECONDS, 1, (int) seed);
        return withPlanning(service.withEffort(service.gapTarget(), budget));
    }

    /** Returns these settings with a check of the plan validator every {@code rounds} rounds. */
    public ReplaySettings withCheckEvery(int rounds) {
        return new ReplaySettings(
                settings,
                roundSeconds,
                earlySeconds,
                failures,
                checkpointSeconds,
                rounds,
                stallSeconds,
                endSeconds,
                seed);
    }

    /** Returns these settings with another seed. */
    public ReplaySettings withSeed(long other) {
        return new ReplaySettings(
                settings,
                roundSeconds,
                earlySeconds,
                failures,
                checkpointSeconds,
                checkEvery,
                stallSeconds,
                endSeconds,
                other);
    }

    /**
     * Returns these settings with other ends of the replay.
     *
     * @param otherStallSeconds time without running jobs and arrivals after which it ends
     * @param otherEndSeconds time at which it ends at the latest, seconds since the start of the trace
     */
    public ReplaySettings withEnd(double otherStallSeconds, double otherEndSeconds) {
        return new ReplaySettings(
                settings,
                roundSeconds,
                earlySeconds,
                failures,
                checkpointSeconds,
                checkEvery,
                otherStallSeconds,
                otherEndSeconds,
                seed);
    }
}
