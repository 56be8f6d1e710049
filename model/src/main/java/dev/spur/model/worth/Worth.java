package dev.spur.model.worth;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.Shapes;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.objective.Objective;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.TenantTree;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What it is worth that a job runs in a configuration for its horizon. Waiting is worth 0.
 *
 * <p>With goodput g, restart penalty d (0 if nothing changes), horizon T, remaining work R, total work W, and weight w
 * (the job's, times that of its tenants, times 1 + wait / ageing time):
 *
 * <pre>
 * progress                = min(R, g * max(0, T - d))
 * PROGRESS                = w * progress / W                    (Hu et al., arXiv 2109.03389)
 * REMAINING_TIME          = w * progress / R
 * FAIR_GOODPUT            = w * (runBonus - (f * g / g0)^power - changePenalty * [changed])    (Sia, SOSP '23)
 * LEAST_ATTAINED_SERVICE  = queueFactor^(queues below the job's) * FAIR_GOODPUT          (queues: Tiresias, NSDI '19)
 * </pre>
 *
 * where g0 is the goodput of the job's smallest configuration that runs, and f = max(age - restarts * d, 0) / (age + d) for a job
 * that holds something else and is at least d old, otherwise 1. The price of the slots over T is taken off.
 */
public final class Worth {
    private final double now;
    private final RoundSettings settings;
    /** By accelerator type: slots of the largest node, and of all nodes. */
    private final Map<String, int[]> slotsOf = new HashMap<>();

    private final Map<String, Double> weights = new HashMap<>();
    /** Filled on demand, perhaps by several threads. */
    private final Map<String, Double> smallestGoodputs = new ConcurrentHashMap<>();

    public Worth(RoundProblem problem) {
        now = problem.now();
        settings = problem.settings();
        for (Node node : problem.nodes()) {
            if (node.acceleratorType() != null && node.slots() > 0) {
                int[] slots = slotsOf.computeIfAbsent(node.acceleratorType(), type -> new int[2]);
                slots[0] = Math.max(slots[0], node.slots());
                slots[1] += node.slots();
            }
        }
        TenantTree tenants = new TenantTree(problem.tenants());
        for (Job job : problem.jobs()) {
            double ageing = 1 + job.waited(now) / settings.ageingSeconds();
            weights.put(job.id(), job.spec().effectiveWeight() * tenants.weightOf(job.tenant()) * ageing);
        }
    }

    /** Horizon of {@code job}, seconds. */
    public double horizon(Job job) {
        return settings.horizon().seconds(job.spec().restartPenaltySeconds());
    }

    /**
     * Worth of {@code configuration}, at {@code goodput} useful samples per second.
     *
     * @param unchanged true if the job holds exactly this on exactly these devices
     * @param pricePerSlotHour mean price of its slots
     * @return a finite number, or negative infinity for a change that the objective rules out; what is kept is never ruled out
     */
    public double of(Job job, Configuration configuration, double goodput, boolean unchanged, double pricePerSlotHour) {
        double worth = gain(job, goodput, unchanged) * weight(job);
        double price = pricePerSlotHour * configuration.slots() * horizon(job) / 3600;
        return worth - settings.objective().pricePenalty() * price;
    }

    private double weight(Job job) {
        return weights.getOrDefault(job.id(), 1.0);
    }

    private double gain(Job job, double goodput, boolean unchanged) {
        return switch (settings.objective().kind()) {
            case PROGRESS -> progress(job, goodput, unchanged) / job.spec().totalSamples();
            case REMAINING_TIME ->
                job.remainingSamples() == 0 ? 0 : progress(job, goodput, unchanged) / job.remainingSamples();
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
        double smallest = smallestGoodputs.computeIfAbsent(job.id(), id -> smallestGoodput(job.spec()));
        double kept = unchanged || job.allocation() == null ? 1 : restartDiscount(job);
        double normalized = smallest == 0 ? 0 : kept * goodput / smallest;
        if (normalized == 0) {
            return unchanged ? 0 : Double.NEGATIVE_INFINITY;
        }
        double change = unchanged ? 0 : objective.changePenalty();
        return objective.runBonus() - Math.pow(normalized, objective.power()) - change;
    }

    private double restartDiscount(Job job) {
        double penalty = job.spec().restartPenaltySeconds();
        double age = Math.max(0, now - job.arrival());
        if (age < penalty || age + penalty == 0) {
            return 1;
        }
        return Math.max(age - (double) job.history().restarts() * penalty, 0) / (age + penalty);
    }

    /** Queue factor to the power of the number of queues that the job has not yet dropped out of. */
    private double queueWeight(Job job) {
        Objective objective = settings.objective();
        long above = objective.queueLimits().stream()
                .filter(limit -> job.history().attainedService() < limit)
                .count();
        return Math.pow(objective.queueFactor(), (double) above);
    }

    /**
     * The lowest goodput, over the types of the cluster, on the fewest allowed slots on which the job runs at all, in one
     * place; 0 if it runs nowhere.
     */
    private double smallestGoodput(JobSpec spec) {
        double smallest = Double.POSITIVE_INFINITY;
        for (Map.Entry<String, int[]> type : slotsOf.entrySet()) {
            if (spec.elasticity().allowsType(type.getKey())) {
                double goodput = smallestGoodput(spec, type.getKey(), type.getValue()[0], type.getValue()[1]);
                smallest = goodput > 0 ? Math.min(smallest, goodput) : smallest;
            }
        }
        return Double.isInfinite(smallest) ? 0 : smallest;
    }

    private static double smallestGoodput(JobSpec spec, String type, int largestNode, int allSlots) {
        if (!spec.profile().acceleratorTypes().contains(type)) {
            return 0;
        }
        for (int slots : spec.elasticity().counts(allSlots)) {
            int nodes = Shapes.consolidated(slots, largestNode).size();
            double goodput = bestGoodput(spec, type, slots, nodes);
            if (goodput > 0) {
                return goodput;
            }
        }
        return 0;
    }

    private static double bestGoodput(JobSpec spec, String type, int slots, int nodes) {
        Synchronization allowed = spec.synchronization();
        double goodput = allowed.allReduce() ? bestGoodput(spec, type, slots, nodes, SyncStrategy.ALL_REDUCE, 0) : 0;
        return goodput > 0 || !allowed.parameterServer()
                ? goodput
                : bestGoodput(spec, type, slots, nodes, SyncStrategy.PARAMETER_SERVER, leastAggregation(spec, type));
    }

    private static double bestGoodput(
            JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregation) {
        return Goodput.bestBatch(spec, type, slots, nodes, strategy, aggregation).stream()
                .mapToDouble(batch -> Goodput.of(spec, type, slots, nodes, strategy, aggregation, batch))
                .sum();
    }

    private static double leastAggregation(JobSpec spec, String type) {
        double least = spec.synchronization().minAggregationSlots();
        if (least > 0) {
            return least;
        }
        double[] measured = spec.profile().aggregationSlots(type);
        return measured.length == 0
                ? 0
                : Math.min(measured[0], spec.synchronization().maxAggregationSlots());
    }
}
