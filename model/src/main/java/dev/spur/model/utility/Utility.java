package dev.spur.model.utility;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.Job;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.objective.Objective;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.FairShare;
import java.util.HashMap;
import java.util.Map;

/**
 * The utility of a job in a configuration over its horizon. Waiting has utility 0.
 *
 * <p>The symbols are goodput g, restart penalty d (0 if nothing changes), horizon T, remaining work R, total work W,
 * and weight w. The weight is the job's, times that of its tenants with their {@link FairShare} factors, times 1 + wait
 * / aging time:
 *
 * <pre>
 * progress                = min(R, g * max(0, T - d))
 * PROGRESS                = w * progress / W                    (Hu et al., arXiv 2109.03389)
 * REMAINING_TIME          = w * progress / R
 * COMPLETION_TIME         = w * urgency * ((f * (1 - d / L) * g / g1)^exponent + (stay + changePenalty) * [unchanged])
 * FAIR_GOODPUT            = w * (runBonus - (f * g / g0)^-exponent - changePenalty * [changed])    (Sia, SOSP '23)
 * LEAST_ATTAINED_SERVICE  = queueFactor^(queues below the job's) * FAIR_GOODPUT          (queues: Tiresias, NSDI '19)
 * </pre>
 *
 * <p>Here g0 is the goodput of the job's smallest configuration that runs, and g1 that of its fastest. Urgency, L and
 * stay are those of {@link CompletionTime}. f = max(age - restarts * d, 0) / (age + d) for a job of age d or more that
 * holds another allocation, otherwise 1. In the configuration of its profiling target, the gain of a job is 1.1 times
 * that of an unchanged fastest configuration. The price of the slots over T is subtracted.
 */
public final class Utility {
    /** Relative bonus of a profiling run over the fastest known configuration. */
    private static final double PROFILING_BONUS = 0.1;

    private final double now;
    private final RoundSettings settings;
    private final ReferenceGoodputs references;
    private final CompletionTime completionTime;
    private final Map<String, Double> weights = new HashMap<>();

    public Utility(RoundProblem problem) {
        now = problem.now();
        settings = problem.settings();
        references = new ReferenceGoodputs(problem.nodes());
        completionTime = new CompletionTime(settings.objective(), references, now);
        FairShare tenants = problem.fairShare();
        for (Job job : problem.jobs()) {
            double aging = 1 + job.waited(now) / settings.agingSeconds();
            weights.put(job.id(), job.spec().effectiveWeight() * tenants.weightOf(job.tenant()) * aging);
        }
    }

    /** Returns the horizon of {@code job}, seconds. */
    public double horizon(Job job) {
        return settings.horizon().seconds(job.spec().restartPenaltySeconds());
    }

    /**
     * Returns the utility of {@code configuration} at {@code goodput} effective samples per second.
     *
     * @param unchanged true if the job holds exactly this allocation on exactly these devices
     * @param pricePerSlotHour mean price of its slots
     * @return a finite number, or negative infinity for a change that the objective excludes; an unchanged allocation
     *     is never excluded
     */
    public double of(Job job, Configuration configuration, double goodput, boolean unchanged, double pricePerSlotHour) {
        ProfilingTarget profilingTarget = job.profilingTarget();
        double gain = profilingTarget != null && profilingTarget.matches(configuration)
                ? profilingGain(job, goodput)
                : gain(job, goodput, unchanged);
        double utility = gain * weight(job);
        double price = pricePerSlotHour * configuration.slots() * horizon(job) / 3600;
        return utility - settings.objective().pricePenalty() * price;
    }

    /**
     * A measurement serves the rest of the job, so that neither the speed of the profiling run nor its restart counts.
     */
    private double profilingGain(Job job, double goodput) {
        double fastest = gain(job, Math.max(goodput, references.fastest(job)), true);
        return fastest + PROFILING_BONUS * Math.abs(fastest);
    }

    private double weight(Job job) {
        return weights.getOrDefault(job.id(), 1.0);
    }

    private double gain(Job job, double goodput, boolean unchanged) {
        return switch (settings.objective().kind()) {
            case PROGRESS -> progress(job, goodput, unchanged) / job.spec().totalSamples();
            case REMAINING_TIME ->
                job.remainingSamples() == 0 ? 0 : progress(job, goodput, unchanged) / job.remainingSamples();
            case COMPLETION_TIME -> completionTime.of(job, goodput, unchanged);
            case FAIR_GOODPUT -> fairGoodput(job, goodput, unchanged);
            case LEAST_ATTAINED_SERVICE -> queueWeight(job) * fairGoodput(job, goodput, unchanged);
        };
    }

    private double progress(Job job, double goodput, boolean unchanged) {
        double lost = unchanged ? 0 : job.spec().restartPenaltySeconds();
        return Math.min(job.remainingSamples(), goodput * Math.max(0, horizon(job) - lost));
    }

    private double fairGoodput(Job job, double goodput, boolean unchanged) {
        Objective objective = settings.objective();
        double smallest = references.smallest(job);
        double kept = unchanged || job.allocation() == null ? 1 : restartDiscount(job, now);
        double normalized = smallest == 0 ? 0 : kept * goodput / smallest;
        if (normalized == 0) {
            return unchanged ? 0 : Double.NEGATIVE_INFINITY;
        }
        double change = unchanged ? 0 : objective.changePenalty();
        return objective.runBonus() - Math.pow(normalized, -objective.exponent()) - change;
    }

    /**
     * Returns the fraction of its age that a job would have spent working with one more restart; 1 for a job younger
     * than a restart.
     */
    static double restartDiscount(Job job, double now) {
        double penalty = job.spec().restartPenaltySeconds();
        double age = Math.max(0, now - job.arrival());
        if (age < penalty || age + penalty == 0) {
            return 1;
        }
        return Math.max(age - (double) job.history().restarts() * penalty, 0) / (age + penalty);
    }

    /** Returns the queue factor to the power of the number of queues that the job has not yet left. */
    private double queueWeight(Job job) {
        Objective objective = settings.objective();
        long above = objective.queueLimits().stream()
                .filter(limit -> job.history().attainedService() < limit)
                .count();
        return Math.pow(objective.queueFactor(), (double) above);
    }
}
