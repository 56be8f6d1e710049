package dev.spur.model.utility;

import dev.spur.model.job.Job;
import dev.spur.model.objective.Objective;

/**
 * The gain of {@code COMPLETION_TIME}: how fast the time that jobs have left falls, those nearest to their end first.
 *
 * <pre>
 * gain = urgency * ((f * (1 - d / L) * g / g1)^exponent + (stay + changePenalty) * [unchanged])
 * urgency = (600 / (600 + left))^0.2 * max(1, (age + left) / (2 * max(60, alone)))^0.5
 * </pre>
 *
 * with left = R / g1 and alone = W / g1, the seconds that the rest and the whole of the job take at its fastest, L =
 * left, but at least 2 d and at most half an hour, and the rest as in {@link Utility}; f * (1 - d / L) is 1 for a job
 * that holds nothing. Jobs that are nearest to their end go first, as in shortest remaining processing time, but weight
 * falls slowly with length: the slots of a long job are many short ones' only as long as these last. A job that will
 * take more than twice as long as alone gains weight, so that nobody is passed over for long. A start is free for who
 * waits: all jobs pay it once, and would they pay it here, the longer of two would win. All numbers were found by
 * replay.
 */
final class CompletionTime {
    /** Seconds left at which a job has lost an eighth of its weight to jobs that are all but done. */
    private static final double SHORT = 600;

    private static final double SHORT_FIRST = 0.2;
    /** How many times as long as alone a job may take before it gains weight. */
    private static final double TOLERATED = 2;

    private static final double CATCHING_UP = 0.5;
    /** Jobs that would take less seconds alone count as if they took so many: rounds and starts alone delay them. */
    private static final double LEAST_ALONE = 60;
    /** Seconds for which a configuration is counted on at most: beyond, jobs come and go. */
    private static final double LONGEST_COUNTED = 1800;
    /** What staying adds beside the change penalty: it keeps plans from moving jobs for next to nothing. */
    private static final double STAYING = 0.05;

    private final Objective objective;
    private final ReferenceGoodputs references;
    private final double now;

    CompletionTime(Objective objective, ReferenceGoodputs references, double now) {
        this.objective = objective;
        this.references = references;
        this.now = now;
    }

    /** The gain; negative infinity for a change that is ruled out. */
    double of(Job job, double goodput, boolean unchanged) {
        double fastest = references.fastest(job);
        double share = fastest == 0 ? 0 : goodput / fastest;
        if (!unchanged && job.allocation() != null) {
            share *= shareLeftByRestart(job, fastest) * Utility.restartDiscount(job, now);
        }
        if (share == 0) {
            return unchanged ? 0 : Double.NEGATIVE_INFINITY;
        }
        double staying = unchanged ? STAYING + objective.changePenalty() : 0;
        return urgency(job, fastest) * (Math.pow(share, objective.exponent()) + staying);
    }

    private double urgency(Job job, double fastest) {
        double left = job.remainingSamples() / fastest;
        double alone = Math.max(LEAST_ALONE, job.spec().totalSamples() / fastest);
        double stretch = (Math.max(0, now - job.arrival()) + left) / (TOLERATED * alone);
        return Math.pow(SHORT / (SHORT + left), SHORT_FIRST) * Math.pow(Math.max(1, stretch), CATCHING_UP);
    }

    /**
     * Share of the time for which a configuration is counted on that a restart leaves: a short job has little time to
     * win it back.
     */
    private static double shareLeftByRestart(Job job, double fastest) {
        double penalty = job.spec().restartPenaltySeconds();
        double counted = Math.max(2 * penalty, Math.min(LONGEST_COUNTED, job.remainingSamples() / fastest));
        return counted == 0 ? 1 : 1 - penalty / counted;
    }
}
