package dev.spur.model.utility;

import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.objective.Objective;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The gain of a job under the objective {@code COMPLETION_TIME}: the decrease of the remaining times of jobs, with a
 * preference for jobs that are close to their end.
 *
 * <pre>
 * gain = urgency * ((f * (1 - d / L) * g / g1)^exponent + (stay + changePenalty) * (1 - p))
 * urgency = (600 / (600 + left))^h * max(1, (age + left) / (2 * max(60, alone)))^0.5
 * </pre>
 *
 * <p>Here left = R / g1 is the remaining time, and alone = W / g1 the total time, of the job in its fastest
 * configuration, in seconds; both are an hour if the speed is unknown. h is 0.5 for a rigid job, and 0.2 for others. L
 * is left, but at least 2 d and at most half an hour. The other symbols are those of {@link Utility}; f * (1 - d / L)
 * is 1 for a job without an allocation.
 *
 * <p>Jobs that are closest to their end go first, as in shortest remaining processing time. The weight decreases slowly
 * with length, because the slots of a long job serve several short jobs only while these run. A job that takes more
 * than twice its time alone gains weight. Where the work is an estimate, its errors are large, and the expected
 * remaining time does not fall with progress: the length is the estimate plus the time done, so that jobs of unknown
 * length are ordered by attained service. Waiting jobs start without a restart discount: every job pays it once, and a
 * discount would favor the longer of two jobs. All constants were tuned by replay.
 */
final class CompletionTime {
    /** Remaining seconds at which a job has lost an eighth of its weight to jobs that are almost done. */
    private static final double SHORT_SECONDS = 600;

    /**
     * Assumed length of a job of whose speed nothing is known, seconds. It is long, so that such a job displaces no job
     * that is known to be shorter.
     */
    private static final double UNKNOWN_SECONDS = 3600;

    private static final double LENGTH_EXPONENT = 0.2;
    /** The same for rigid jobs: their slots serve no other job meanwhile, so that order matters more. */
    private static final double RIGID_LENGTH_EXPONENT = 0.5;

    /** Multiple of its time alone that a job may take before it gains weight. */
    private static final double TOLERATED_SLOWDOWN = 2;

    private static final double CATCH_UP_EXPONENT = 0.5;
    /** Minimum time alone, seconds: shorter jobs are delayed by rounds and starts in any case. */
    private static final double MIN_ALONE_SECONDS = 60;
    /**
     * Bonus for an unchanged allocation in addition to the change penalty. It prevents moves with a negligible gain.
     */
    private static final double STAY_BONUS = 0.05;

    private final double fastest;
    private final double exponent;
    private final double urgency;
    /** By mechanism that the job supports: the factor of its speed, and the bonus. */
    private final Map<ChangeMechanism, Double> remaining = new EnumMap<>(ChangeMechanism.class);

    private final Map<ChangeMechanism, Double> bonus = new EnumMap<>(ChangeMechanism.class);

    /** @param fastest goodput of the fastest configuration of {@code job} */
    CompletionTime(Job job, Objective objective, double fastest, double now) {
        this.fastest = fastest;
        exponent = objective.exponent();
        urgency = urgency(job, fastest, now);
        for (ChangeMechanism change : ChangeMechanism.values()) {
            if (job.spec().supports(change)) {
                remaining.put(change, fractionAfter(change, job, fastest) * Utility.discount(job, change, now));
                bonus.put(
                        change,
                        (STAY_BONUS + objective.changePenalty()) * (1 - Utility.shareOfRestart(job.spec(), change)));
            }
        }
    }

    /** Returns the gain; negative infinity for an excluded change. */
    double of(double goodput, ChangeMechanism change) {
        double share = fastest == 0 ? 0 : goodput / fastest * Objects.requireNonNull(remaining.get(change));
        if (share == 0) {
            return change == ChangeMechanism.UNCHANGED ? 0 : Double.NEGATIVE_INFINITY;
        }
        return urgency * (Math.pow(share, exponent) + Objects.requireNonNull(bonus.get(change)));
    }

    private static double urgency(Job job, double fastest, double now) {
        boolean unknown = job.spec().profile().isAssumed();
        double limit = job.secondsToEndByLimit(now);
        double left = Math.min(limit, unknown ? UNKNOWN_SECONDS : job.remainingSamples() / fastest);
        double alone = Math.max(
                MIN_ALONE_SECONDS,
                Math.min(
                        limit + job.history().runSeconds(),
                        unknown ? UNKNOWN_SECONDS : job.spec().totalSamples() / fastest));
        double slowdown = (Math.max(0, now - job.arrival()) + left) / (TOLERATED_SLOWDOWN * alone);
        double length = job.spec().work().estimated() ? alone + secondsDone(job, left, alone) : left;
        double lengthExponent = job.spec().elasticity().allowsOneCount() ? RIGID_LENGTH_EXPONENT : LENGTH_EXPONENT;
        return Math.pow(SHORT_SECONDS / (SHORT_SECONDS + length), lengthExponent)
                * Math.pow(Math.max(1, slowdown), CATCH_UP_EXPONENT);
    }

    /** Returns the seconds of work done. The run time of a rigid job also counts what exceeds the estimated work. */
    private static double secondsDone(Job job, double left, double alone) {
        return job.spec().elasticity().allowsOneCount() ? job.history().runSeconds() : Math.max(0, alone - left);
    }

    /**
     * Returns the fraction of the expected lifetime of a configuration that remains after the stall of a change. A
     * short job has little time to recover it.
     */
    private static double fractionAfter(ChangeMechanism change, Job job, double fastest) {
        double stall = job.spec().stallSeconds(change);
        double lifetime = StopCost.lifetime(stall, job.remainingSamples() / fastest);
        return job.allocation() == null || lifetime == 0 ? 1 : 1 - stall / lifetime;
    }
}
