package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.model.utility.Utility;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Generator of the candidate configurations of each job: all feasible ones that no other one dominates.
 *
 * <p>Per class of nodes and allowed number of slots: the shapes of {@link NodeSupply}, and even spreads over each
 * measured number of nodes for that number of slots. Per shape and number of aggregation slots there is the best batch
 * size of {@link JobSpec#plannedBatch}, as {@link Goodput#best} finds it. Where a larger batch needs fewer CPUs,
 * because the job shares aggregators, {@link Goodput#batches larger ones} are candidates as well.
 */
public final class CandidateGenerator {
    private final RoundProblem problem;
    private final ClusterIndex clusterIndex;
    private final Utility utility;
    private final MovableSlots movable;
    private final NodeSupplies supplies;
    private final JobPins pins;

    private CandidateGenerator(RoundProblem problem, Map<String, Double> reservedFrom) {
        this.problem = problem;
        this.pins = JobPins.of(problem);
        this.clusterIndex = new ClusterIndex(problem, reservedFrom);
        this.utility = new Utility(problem);
        this.supplies = new NodeSupplies(problem, clusterIndex);
        this.movable = new MovableSlots(clusterIndex, supplies);
    }

    /** Returns the candidates of all jobs of {@code problem}. */
    public static CandidateSet generate(RoundProblem problem) {
        return generate(problem, Map.of());
    }

    /**
     * Returns the candidates when some nodes accept only jobs that are expected to end in time.
     *
     * @param reservedFrom by id of such a node, the time
     */
    public static CandidateSet generate(RoundProblem problem, Map<String, Double> reservedFrom) {
        CandidateGenerator generator = new CandidateGenerator(problem, reservedFrom);
        JobCandidates[] byJob = new JobCandidates[problem.jobs().size()];
        ParallelLoop.range(byJob.length).forEach(j -> byJob[j] = generator.candidatesOf(j));
        return new CandidateSet(problem, generator.clusterIndex, generator.utility, List.of(byJob));
    }

    private JobCandidates candidatesOf(int j) {
        Job job = problem.jobs().get(j);
        boolean pinned = pins.isPinned(job);
        Candidate retainedCandidate = job.allocation() == null ? null : keep(j, job, job.allocation(), pinned);
        if (pinned) {
            return new JobCandidates(j, List.of(), retainedCandidate, true, NoCandidateReason.NONE);
        }
        AggregatorDemands demands =
                new AggregatorDemands(job.spec(), problem.settings().aggregation());
        CandidateBuilder fresh = new CandidateBuilder(clusterIndex, movable, utility.of(job), j, job, demands);
        for (NodeClass nodeClass : clusterIndex.classes()) {
            if (matches(nodeClass, job)) {
                fresh.add(
                        nodeClass,
                        ConfigurationEnumerator.offers(
                                clusterIndex, supplies, nodeClass, job, demands.dependOnBatch()));
            }
        }
        return new JobCandidates(j, fresh.candidates(), retainedCandidate, false, fresh.unfit());
    }

    private boolean matches(NodeClass nodeClass, Job job) {
        Elasticity elasticity = job.spec().elasticity();
        String type = nodeClass.acceleratorType();
        return elasticity.allowsType(type)
                && elasticity.allowsPool(nodeClass.pool())
                && clusterIndex.isOpen(nodeClass, job)
                && job.spec().profile().acceleratorTypes().contains(type);
    }

    private @Nullable Candidate keep(int j, Job job, Allocation heldAllocation, boolean pinned) {
        double price = heldAllocation.placement().stream()
                .mapToDouble(share -> nodeOf(share).pricePerSlotHour())
                .max()
                .orElse(0);
        int nodeClass = clusterIndex.classOf(
                clusterIndex.indexOf(heldAllocation.placement().get(0).node()));
        Candidate best = null;
        for (Configuration configuration :
                pinned ? List.of(heldAllocation.configuration()) : configurationsOn(job, heldAllocation)) {
            double goodput = Goodput.of(job.spec(), configuration);
            ChangeMechanism change = job.changeTo(heldAllocation.withConfiguration(configuration));
            double value = utility.of(job).of(configuration, goodput, change, price);
            if (best == null || value > best.utility()) {
                best = new Candidate(j, configuration, nodeClass, NodeAccess.WHOLE, goodput, value, change);
            }
        }
        return best;
    }

    /**
     * Returns the configurations that the job may have on the devices of {@code heldAllocation} without a restart, the
     * present one first if it is still allowed. They take the same resources, so that only the one with the highest
     * utility is a candidate.
     */
    private List<Configuration> configurationsOn(Job job, Allocation heldAllocation) {
        Configuration presentConfiguration = heldAllocation.configuration();
        List<Configuration> configurations = new ArrayList<>(List.of(presentConfiguration));
        Goodput.Best best = Goodput.best(
                job.spec(),
                presentConfiguration.acceleratorType(),
                presentConfiguration.slots(),
                presentConfiguration.nodes(),
                presentConfiguration.strategy(),
                presentConfiguration.aggregationSlots());
        if (best != null) {
            configurations.add(withBatch(job.spec(), presentConfiguration, best.batch()));
        }
        ProfilingTarget target = job.profilingTarget();
        Integer batch = target == null || !target.hasShapeOf(presentConfiguration) ? null : target.batchSize();
        if (batch != null
                && job.spec()
                        .plannedBatch()
                        .allows(batch, presentConfiguration.acceleratorType(), presentConfiguration.slots())) {
            configurations.add(withBatch(job.spec(), presentConfiguration, batch));
        }
        configurations.removeIf(other -> !isAdoptedInPlace(job, heldAllocation.withConfiguration(other)));
        return configurations;
    }

    private boolean isAdoptedInPlace(Job job, Allocation allocation) {
        return job.changeTo(allocation).keepsProcesses() && clusterIndex.mayStay(job, allocation);
    }

    private static Configuration withBatch(JobSpec spec, Configuration presentConfiguration, int batch) {
        int steps = spec.batch()
                .accumulationSteps(batch, presentConfiguration.acceleratorType(), presentConfiguration.slots());
        return presentConfiguration.withBatch(batch, steps);
    }

    private Node nodeOf(NodeShare share) {
        return clusterIndex.nodes().get(clusterIndex.indexOf(share.node()));
    }
}
