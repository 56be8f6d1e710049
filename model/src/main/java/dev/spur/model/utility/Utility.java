package dev.spur.model.utility;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.FairShare;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The utility of a job in a configuration over its horizon. Waiting has utility 0.
 *
 * <p>The symbols are goodput g, horizon T, remaining work R, total work W, and weight w. The stall of the change is d,
 * 0 if nothing changes. Its share of the stall of a restart is p, 1 for a start. The weight is the job's, times that of
 * its tenants with their {@link FairShare} factors. A running job has its {@link StopCost} added:
 *
 * <pre>
 * progress                = min(R, g * max(0, T - d))
 * PROGRESS                = w * progress / W                    (Hu et al., arXiv 2109.03389)
 * REMAINING_TIME          = w * progress / R
 * COMPLETION_TIME         = w * urgency * ((f * (1 - d / L) * g / g1)^exponent + (stay + changePenalty) * (1 - p))
 * FAIR_GOODPUT            = w * (runBonus - (f * g / g0)^-exponent - changePenalty * p)            (Sia, SOSP '23)
 * LEAST_ATTAINED_SERVICE  = queueFactor^(queues below the job's) * FAIR_GOODPUT          (queues: Tiresias, NSDI '19)
 * PROFIT                  = w * T / max(60, t) * (revenue * progress / R - cost * t)    (Hu et al., arXiv 2109.03389)
 * </pre>
 *
 * <p>Here g0 is the goodput of the job's smallest configuration that runs, and g1 that of its fastest. Urgency, L and
 * stay are those of {@link CompletionTime}. f = max(age - lost, 0) / (age + d) for a job of age d or more that holds
 * another allocation, otherwise 1; lost = restarts * d for another restart, otherwise 0. In the configuration of its
 * profiling target, the gain of a job is 1.1 times that of an unchanged fastest configuration.
 *
 * <p>The cost is that of the slots, CPUs and power for one second. In {@code PROFIT} it counts for t = min(T, d + R /
 * g), because the slots then serve other jobs; a job that ends within T earns at its rate until T. In the other kinds
 * the price penalty times the cost over T is subtracted.
 */
public final class Utility {
    /** Minimum time for which a job holds its slots, seconds: shorter jobs leave them idle until the next round. */
    private static final double MIN_SECONDS = 60;

    private final double now;
    private final RoundSettings settings;
    private final ReferenceGoodputs references;
    private final FairShare fairShare;
    /** By name of the type: watts of a busy device above those of an idle one. */
    private final Map<String, Double> watts;
    /** By job id; filled on demand, possibly by several threads. */
    private final Map<String, JobUtility> byJob;
    /** By job id: goodput of its fastest configuration; likewise. */
    private final Map<String, Double> fastest;

    public Utility(RoundProblem problem) {
        now = problem.now();
        settings = problem.settings();
        references = new ReferenceGoodputs(problem.nodes());
        fairShare = problem.fairShare();
        watts = problem.acceleratorTypes().stream()
                .collect(Collectors.toMap(AcceleratorType::name, AcceleratorType::wattsOfLoad));
        byJob = new ConcurrentHashMap<>(2 * problem.jobs().size());
        fastest = new ConcurrentHashMap<>(2 * problem.jobs().size());
    }

    /** Returns the utility of {@code job}, one of the problem, by configuration. */
    public JobUtility of(Job job) {
        return byJob.computeIfAbsent(job.id(), id -> compute(job));
    }

    /**
     * Returns the seconds that all work of {@code job}, one of the problem, takes in its fastest configuration;
     * infinite if it runs nowhere.
     */
    public double secondsAlone(Job job) {
        double goodput = fastest(job);
        return goodput == 0 ? Double.POSITIVE_INFINITY : job.spec().totalSamples() / goodput;
    }

    private double fastest(Job job) {
        return fastest.computeIfAbsent(job.id(), id -> references.fastest(job.spec()));
    }

    private JobUtility compute(Job job) {
        return new JobUtility(
                gain(job),
                StopCost.of(job, fastest(job)),
                job.spec().weight() * fairShare.weightOf(job.tenant()),
                (configuration, price) -> slotPrice(job, configuration, price),
                horizon(job),
                settings.objective().kind() == ObjectiveKind.PROFIT
                        ? 0
                        : settings.objective().pricePenalty(),
                job.profilingTarget(),
                job.profilingTarget() == null ? 0 : fastest(job));
    }

    private double slotPrice(Job job, Configuration configuration, double pricePerSlotHour) {
        double share = job.spec().elasticity().partsPerDevice() / (double) Elasticity.PARTS;
        return settings.prices()
                .ofSlotHour(
                        share * pricePerSlotHour,
                        job.spec().hostIn(configuration).cpusPerSlot(),
                        share * watts.getOrDefault(configuration.acceleratorType(), 0.0));
    }

    private double horizon(Job job) {
        return settings.horizon().seconds(job.spec().restartPenaltySeconds());
    }

    private JobUtility.Gain gain(Job job) {
        return switch (settings.objective().kind()) {
            case PROGRESS -> progress(job, job.spec().totalSamples());
            case REMAINING_TIME -> progress(job, job.remainingSamples());
            case COMPLETION_TIME -> {
                CompletionTime time = new CompletionTime(job, settings.objective(), fastest(job), now);
                yield (goodput, change, costPerSecond) -> time.of(goodput, change);
            }
            case FAIR_GOODPUT -> fairGoodput(job, 1);
            case LEAST_ATTAINED_SERVICE -> fairGoodput(job, queueWeight(job));
            case PROFIT -> profit(job);
        };
    }

    /** Returns the progress as a fraction of {@code samples}, 0 for 0 samples. */
    private JobUtility.Gain progress(Job job, double samples) {
        double horizon = horizon(job);
        return (goodput, change, costPerSecond) -> {
            double lost = job.spec().stallSeconds(change);
            double progress = Math.min(job.remainingSamples(), goodput * Math.max(0, horizon - lost));
            return samples == 0 ? 0 : progress / samples;
        };
    }

    /** Returns the profit over the horizon at the rate of the time until the job ends. */
    private JobUtility.Gain profit(Job job) {
        double horizon = horizon(job);
        double revenue = Objects.requireNonNullElse(job.spec().revenue(), 0.0);
        JobUtility.Gain share = progress(job, job.remainingSamples());
        return (goodput, change, costPerSecond) -> {
            double left = job.remainingSamples() == 0 ? 0 : job.remainingSamples() / goodput;
            double seconds = Math.min(horizon, job.spec().stallSeconds(change) + left);
            double profit = revenue * share.of(goodput, change, costPerSecond) - costPerSecond * seconds;
            return horizon / Math.max(MIN_SECONDS, seconds) * profit;
        };
    }

    private JobUtility.Gain fairGoodput(Job job, double queueWeight) {
        Objective objective = settings.objective();
        double smallest = references.smallest(job.spec());
        return (goodput, change, costPerSecond) -> {
            double normalized = smallest == 0 ? 0 : discount(job, change, now) * goodput / smallest;
            if (normalized == 0) {
                return change == ChangeMechanism.UNCHANGED ? 0 : Double.NEGATIVE_INFINITY;
            }
            double penalty = objective.changePenalty() * shareOfRestart(job.spec(), change);
            return queueWeight * (objective.runBonus() - Math.pow(normalized, -objective.exponent()) - penalty);
        };
    }

    /**
     * Returns the fraction of its age that a job would have spent working with one more change; 1 for a job younger
     * than the stall, and for a job that waits. Earlier restarts count against a new generation only.
     */
    static double discount(Job job, ChangeMechanism change, double now) {
        double stall = job.spec().stallSeconds(change);
        double age = Math.max(0, now - job.arrival());
        if (job.allocation() == null || age < stall || age + stall == 0) {
            return 1;
        }
        double lost = change.keepsGeneration()
                ? 0
                : job.history().restarts() * job.spec().restartPenaltySeconds();
        return Math.max(age - lost, 0) / (age + stall);
    }

    /** Returns the stall of a change relative to a restart, from 0 to 1. */
    static double shareOfRestart(JobSpec spec, ChangeMechanism change) {
        if (change == ChangeMechanism.RESTART) {
            return 1;
        }
        double stall = spec.stallSeconds(change);
        return stall == 0 ? 0 : Math.min(1, stall / spec.restartPenaltySeconds());
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
