package dev.spur.simulator.replay;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import org.jspecify.annotations.Nullable;

/**
 * How a trace is replayed.
 *
 * @param planning what policies are told to plan for
 * @param roundSeconds seconds from one round to the next, above 0
 * @param earlySeconds a round follows whatever happens, at least this long after the last one; null if rounds are only
 *     at multiples of {@code roundSeconds}
 * @param failures how nodes fail; null if they do not
 * @param checkpointSeconds progress that a job saves each time it has run for so long, above 0; what came after is lost
 *     when a node fails. A planned change loses nothing
 * @param checkEvery every how many rounds the judge looks at the decision, at least 1
 * @param hopelessSeconds the replay ends, with jobs left over, once nothing has run or arrived for so long
 * @param seed seed of every random choice
 */
public record ReplaySettings(
        RoundSettings planning,
        double roundSeconds,
        @Nullable Double earlySeconds,
        @Nullable NodeFailures failures,
        double checkpointSeconds,
        int checkEvery,
        double hopelessSeconds,
        long seed) {
    /**
     * What a decision may spend: work alone, so that a replay gives the same on each machine, however busy. The clock
     * is far behind it. A plan within the gap of two in a thousand serves as well as a better one, and is found sooner.
     */
    private static final SolveBudget BUDGET = new SolveBudget(1, 600, 1, 1);

    private static final double GAP = 0.002;

    /** Rounds of a minute, no failures, each decision judged; planned for the objective of a new installation. */
    public static final ReplaySettings DEFAULT =
            new ReplaySettings(RoundSettings.DEFAULT.withEffort(GAP, BUDGET), 60, null, null, 1800, 1, 7 * 86_400, 1);

    public ReplaySettings {
        Checks.positive("roundSeconds", roundSeconds);
        if (earlySeconds != null) {
            Checks.atLeast("earlySeconds", earlySeconds, 0);
        }
        Checks.positive("checkpointSeconds", checkpointSeconds);
        Checks.atLeast("checkEvery", checkEvery, 1);
        Checks.positive("hopelessSeconds", hopelessSeconds);
    }

    /**
     * True if the clock may have cut a decision that took so long: no step ends by the clock before half of its limit.
     * Another run of the replay may then differ.
     */
    public boolean mayBeCutByClock(double decisionSeconds) {
        return decisionSeconds > planning.budget().wallSeconds() / 2;
    }

    /** These settings with other times of rounds. */
    public ReplaySettings withRounds(double otherRoundSeconds, @Nullable Double otherEarlySeconds) {
        return new ReplaySettings(
                planning,
                otherRoundSeconds,
                otherEarlySeconds,
                failures,
                checkpointSeconds,
                checkEvery,
                hopelessSeconds,
                seed);
    }

    /** These settings with other failures, and another interval of checkpoints. */
    public ReplaySettings withFailures(@Nullable NodeFailures other, double otherCheckpointSeconds) {
        return new ReplaySettings(
                planning, roundSeconds, earlySeconds, other, otherCheckpointSeconds, checkEvery, hopelessSeconds, seed);
    }

    /** These settings with other settings of rounds. */
    public ReplaySettings withPlanning(RoundSettings other) {
        return new ReplaySettings(
                other, roundSeconds, earlySeconds, failures, checkpointSeconds, checkEvery, hopelessSeconds, seed);
    }

    /** These settings with the judge looking every {@code rounds} rounds. */
    public ReplaySettings withCheckEvery(int rounds) {
        return new ReplaySettings(
                planning, roundSeconds, earlySeconds, failures, checkpointSeconds, rounds, hopelessSeconds, seed);
    }

    /** These settings with another seed. */
    public ReplaySettings withSeed(long other) {
        return new ReplaySettings(
                planning, roundSeconds, earlySeconds, failures, checkpointSeconds, checkEvery, hopelessSeconds, other);
    }
}
