package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodePreference;
import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.resource.RestartLimit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Explanations of the configurations of the running jobs of a plan. */
public final class ConfigurationExplanation {
    private final CandidateSet candidates;
    /** The cluster without any job. */
    private final ResidualCapacity idleCapacity;

    private final RestartLimit restarts;
    private final boolean restartLimitIsReached;

    /** @param runningAllocations allocations of the plan by index of the job */
    public ConfigurationExplanation(CandidateSet candidates, Map<Integer, Allocation> runningAllocations) {
        this.candidates = candidates;
        this.idleCapacity = new ResidualCapacity(candidates);
        this.restarts = RestartLimit.of(candidates);
        this.restartLimitIsReached = restarts.restarts(runningAllocations::get) >= restarts.limit();
    }

    /** Returns the message for job {@code j}, which runs as {@code allocation}. */
    public String message(int j, Allocation allocation, double goodput, double worth) {
        JobSpec spec = candidates.job(j).spec();
        if (spec.profile().isAssumed() && candidates.job(j).profilingTarget() == null) {
            return unknownSpeed(spec, allocation.configuration()) + BatchSizeMessages.of(spec);
        }
        return choice(j, allocation, goodput, worth)
                + contention(spec, allocation.configuration())
                + crossings(spec, allocation.configuration())
                + preference(candidates.job(j), allocation)
                + BatchSizeMessages.of(spec);
    }

    private static String crossings(JobSpec spec, Configuration configuration) {
        TopologyRequest topology = spec.elasticity().topology();
        return topology == null || configuration.boundaries() == 0
                ? ""
                : " Its nodes are not in one %s: it counts as %s slower."
                        .formatted(topology.level(), percent(1 - spec.crossingSpeed(configuration)));
    }

    private String preference(Job job, Allocation allocation) {
        NodePreference preference = job.spec().elasticity().preferredNodes();
        if (preference == null || candidates.clusterIndex().prefersAll(job, allocation)) {
            return "";
        }
        String required = NodeRequirement.describe(preference.requirements());
        double factor = candidates.clusterIndex().terms(job, allocation).factor();
        return factor == 1
                ? " It is not moved to the nodes that it prefers (%s), because it runs.".formatted(required)
                : " It does not prefer all of its nodes (%s), which lowers its utility by %s."
                        .formatted(required, percent(1 - factor));
    }

    private static String protection(Job job, double now) {
        Allocation heldAllocation = job.allocation();
        if (!job.spec().preemptible() || heldAllocation == null) {
            return "it is not preemptible.";
        }
        double ran = now - heldAllocation.since();
        return job.spec().minRunSeconds() > ran
                ? "it has run for %s of its minimum run time of %s."
                        .formatted(seconds(ran), seconds(job.spec().minRunSeconds()))
                : "it was started or changed %s ago; a change is not repeated within %s, because a restart costs it %s."
                        .formatted(
                                seconds(ran),
                                seconds(job.spec().protectionSeconds()),
                                seconds(job.spec().restartPenaltySeconds()));
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%.0f s", value);
    }

    private static String contention(JobSpec spec, Configuration configuration) {
        double speed = spec.profile()
                .contentionSpeed(configuration.acceleratorType(), configuration.slots(), configuration.nodes());
        return speed == 1
                ? ""
                : " Its nodes have room for another job on several nodes: it counts as %s slower by contention of type %s."
                        .formatted(percent(1 / speed - 1), configuration.acceleratorType());
    }

    private String choice(int j, Allocation allocation, double goodput, double worth) {
        Job job = candidates.job(j);
        Double share = job.spec().elasticity().deviceShare();
        String shape = (share == null ? "" : share + " of ") + describe(allocation.configuration(), goodput);
        ProfilingTarget profilingTarget = job.profilingTarget();
        if (profilingTarget != null && profilingTarget.matches(allocation.configuration())) {
            return "Profiling run on %s: it gains the most information about the throughput within the profiling budget."
                    .formatted(shape);
        }
        if (candidates.isPinned(j)) {
            return "Keeps %s: %s"
                    .formatted(shape, protection(job, candidates.problem().now()));
        }
        List<Candidate> freshCandidates = candidates.of(j).freshCandidates().stream()
                .filter(candidate -> !candidate.configuration().equals(allocation.configuration()))
                .toList();
        if (freshCandidates.isEmpty()) {
            return "Runs on %s, the only configuration that its request allows now.".formatted(shape)
                    + unpredictedSizes(candidates.problem(), job.spec(), allocation.configuration());
        }
        double max =
                freshCandidates.stream().mapToDouble(Candidate::utility).max().orElse(worth);
        if (max <= worth * (1 + 1e-9)) {
            String reason = job.allocation() == null
                    ? "no other configuration has a higher utility"
                    : "no other configuration gains more than a restart costs";
            return "Runs on %s: %s.".formatted(shape, reason)
                    + unpredictedSizes(candidates.problem(), job.spec(), allocation.configuration());
        }
        Optional<Candidate> next = freshCandidates.stream()
                .filter(candidate -> candidate.utility() > worth)
                .min(Comparator.comparingInt(Candidate::slots).thenComparingDouble(c -> -c.utility()));
        return next.map(betterCandidate -> "Runs on %s: %s would have %s more utility, but %s."
                        .formatted(
                                shape,
                                summarize(betterCandidate.configuration()),
                                percent(betterCandidate.utility() / worth - 1),
                                obstacle(betterCandidate, allocation)))
                .orElse("Runs on %s.".formatted(shape));
    }

    /**
     * Returns why the plan does not contain {@code betterCandidate}, of more utility: first what holds without other
     * jobs.
     */
    private String obstacle(Candidate betterCandidate, Allocation allocation) {
        Job job = candidates.job(betterCandidate.job());
        ResourceDemand demand = ResourceDemand.of(candidates, betterCandidate);
        if (!idleCapacity.quotaAllows(demand)) {
            return "the quotas do not allow tenant %s that many".formatted(job.tenant());
        }
        if (!idleCapacity.groupAllows(demand)) {
            return "the cap of group %s does not allow that many"
                    .formatted(job.spec().group());
        }
        if (!idleCapacity.aggregationAllows(demand)) {
            return "pool %s has fewer aggregation slots"
                    .formatted(betterCandidate.configuration().pool());
        }
        if (!idleCapacity.nodesHold(demand)) {
            return "the nodes have too few CPUs for its slots and its aggregation slots together";
        }
        return restartLimitIsReached && restarts.applies() && restarts.isKeepable(betterCandidate.job())
                ? "the limit of %d restarts in a round is reached".formatted(restarts.limit())
                : betterCandidate.configuration().boundaries()
                                        == allocation.configuration().boundaries()
                                && betterCandidate.configuration().equalsButForHost(allocation.configuration())
                        ? "other jobs gain more from these CPUs and this memory"
                        : "other jobs gain more from these slots";
    }

    /** Explains a job of whose speed nothing is known; its goodput is a placeholder and must not appear. */
    private static String unknownSpeed(JobSpec spec, Configuration configuration) {
        String whose = spec.family() == null ? "this job" : "family " + spec.family();
        String growth = BatchSizeMessages.dividesAbove(spec, configuration.slots())
                ? " It can grow after its first reports of steps: import spur.torch in its program, or state a profile."
                : "";
        return "Nothing is known about the speed of %s. It runs on %s.%s"
                .formatted(whose, summarize(configuration), growth);
    }

    /** Names the sizes that are no candidates because the job has not yet reported steps on its present slots. */
    private static String unpredictedSizes(RoundProblem problem, JobSpec spec, Configuration configuration) {
        String type = configuration.acceleratorType();
        int predicted = spec.profile().points().stream()
                .filter(point -> point.acceleratorType().equals(type))
                .mapToInt(ProfilePoint::slots)
                .max()
                .orElse(0);
        int available = problem.nodes().stream()
                .filter(node -> type.equals(node.acceleratorType()))
                .mapToInt(Node::slots)
                .sum();
        return configuration.slots() == predicted
                        && predicted < Math.min(available, spec.elasticity().maxSlots())
                        && BatchSizeMessages.dividesAbove(spec, predicted)
                ? " Its speed on more than %d %s is predicted after its first reports of steps there."
                        .formatted(predicted, predicted == 1 ? "slot" : "slots")
                : "";
    }

    private static String describe(Configuration configuration, double goodput) {
        return "%s at batch size %d (%s effective samples/s)"
                .formatted(summarize(configuration), configuration.batchSize(), number(goodput));
    }

    private static String summarize(Configuration configuration) {
        String nodes = configuration.nodes() == 1 ? "1 node" : configuration.nodes() + " nodes";
        String aggregation = configuration.strategy() == SyncStrategy.PARAMETER_SERVER
                ? " with %s aggregation %s"
                        .formatted(
                                number(configuration.aggregationSlots()),
                                configuration.aggregationSlots() == 1 ? "slot" : "slots")
                : "";
        HostGrant granted = configuration.host();
        String host = granted == null
                ? ""
                : " with %s CPUs and %s GiB per slot"
                        .formatted(number(granted.cpusPerSlot()), number(granted.memoryGiBPerSlot()));
        String crossings = configuration.boundaries() == 0
                ? ""
                : " across %d %s of the topology"
                        .formatted(
                                configuration.boundaries(),
                                configuration.boundaries() == 1 ? "boundary" : "boundaries");
        return "%d %s on %s%s%s%s"
                .formatted(configuration.slots(), configuration.acceleratorType(), nodes, aggregation, host, crossings);
    }

    private static String percent(double share) {
        return Double.isFinite(share) && share < 100 ? String.format(Locale.ROOT, "%.1f %%", share * 100) : "much";
    }

    private static String number(double value) {
        return value == Math.rint(value) && value < 1e15
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, "%,.4g", value);
    }
}
