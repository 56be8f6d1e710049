package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.model.utility.NodeTerms;
import dev.spur.model.utility.Utility;
import dev.spur.solver.candidate.ConfigurationEnumerator.Offer;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.quota.QuotaSystem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * Generator of the candidate configurations of each job: all feasible ones that no other one dominates.
 *
 * <p>Per class of nodes and allowed number of slots: the shapes of {@link NodeSupply}, and even spreads over each
 * measured number of nodes for that number of slots. Per shape and number of aggregation slots there is the best batch
 * size of {@link JobSpec#plannedBatch}, as {@link Goodput#best} finds it. Where a larger batch needs fewer CPUs,
 * because the job shares aggregators, {@link Goodput#batches larger ones} are candidates as well. A running job that
 * adopts them without a restart also has them on its devices. The same holds for the levels of
 * {@link JobSpec#hostSensitivity}: where CPUs or memory may be short, slower levels with less demand are candidates as
 * well.
 */
public final class CandidateGenerator {
    private final RoundProblem problem;
    private final ClusterIndex clusterIndex;
    private final Utility utility;
    private final MovableSlots movable;
    private final NodeSupplies supplies;
    private final JobPins pins;
    /** By class: the host resources that may be short. */
    private final List<HostLimits> limits;

    private CandidateGenerator(RoundProblem problem, Utility utility, Map<String, Double> reservedFrom) {
        this.problem = problem;
        this.pins = JobPins.of(problem);
        this.clusterIndex = new ClusterIndex(problem, reservedFrom);
        this.utility = utility;
        this.supplies = new NodeSupplies(problem, clusterIndex);
        this.movable = new MovableSlots(clusterIndex, supplies);
        this.limits = clusterIndex.classes().stream().map(this::limits).toList();
    }

    /** Returns the candidates of all jobs of {@code problem}. */
    public static CandidateSet generate(RoundProblem problem) {
        CandidateGenerator generator = new CandidateGenerator(problem, new Utility(problem), Map.of());
        QuotaSystem[] quotas = new QuotaSystem[1];
        List<JobCandidates> byJob = new ArrayList<>();
        ParallelLoop.runBoth(
                () -> byJob.addAll(byJob(problem.jobs().size(), generator::candidatesOf)),
                () -> quotas[0] = new QuotaSystem(problem));
        return new CandidateSet(
                problem, generator.clusterIndex, generator.utility, byJob, quotas[0], new GroupCaps(problem));
    }

    /**
     * Returns the candidates of the jobs of {@code allCandidates} when some nodes accept only jobs that are expected to
     * end in time.
     *
     * @param reservedFrom by id of such a node, the time
     */
    public static CandidateSet reserving(CandidateSet allCandidates, Map<String, Double> reservedFrom) {
        RoundProblem problem = allCandidates.problem();
        CandidateGenerator generator = new CandidateGenerator(problem, allCandidates.utility(), reservedFrom);
        KnownCandidates known = new KnownCandidates(allCandidates, generator.clusterIndex);
        return new CandidateSet(
                problem,
                generator.clusterIndex,
                generator.utility,
                byJob(problem.jobs().size(), j -> generator.candidatesOf(allCandidates.of(j), known)),
                allCandidates.quotas(),
                allCandidates.groups());
    }

    private static List<JobCandidates> byJob(int jobs, IntFunction<JobCandidates> candidatesOf) {
        JobCandidates[] byJob = new JobCandidates[jobs];
        ParallelLoop.range(jobs).forEach(j -> byJob[j] = candidatesOf.apply(j));
        return List.of(byJob);
    }

    /** Returns the limits of {@code nodeClass}; aggregators next to slots may be short of CPUs as well. */
    private HostLimits limits(NodeClass nodeClass) {
        HostLimits own = HostLimits.of(problem, clusterIndex, nodeClass);
        boolean aggregates = nodeClass.nodes().stream().anyMatch(clusterIndex::hasAggregation)
                && problem.jobs().stream()
                        .anyMatch(job -> job.spec().synchronization().parameterServer());
        return new HostLimits(own.cpus() || aggregates, own.memory());
    }

    private JobCandidates candidatesOf(int j) {
        Job job = problem.jobs().get(j);
        boolean pinned = pins.isPinned(job);
        AggregatorDemands demands =
                new AggregatorDemands(job.spec(), problem.settings().aggregation());
        List<Candidate> retainedCandidates = job.allocation() == null
                ? List.of()
                : keepWithGrants(j, job, withCrossings(job, job.allocation()), pinned, demands);
        Candidate retainedCandidate = retainedCandidates.isEmpty() ? null : retainedCandidates.get(0);
        if (pinned) {
            return new JobCandidates(j, List.of(), retainedCandidate, true, NoCandidateReason.NONE);
        }
        CandidateBuilder fresh = new CandidateBuilder(clusterIndex, movable, utility.of(job), j, job, demands);
        for (NodeClass nodeClass : clusterIndex.classes()) {
            if (matches(nodeClass, job)) {
                fresh.add(nodeClass, offers(nodeClass, job, demands), limits.get(nodeClass.index()));
            }
        }
        return new JobCandidates(
                j,
                fresh.candidates(),
                retainedCandidates.stream().skip(1).toList(),
                retainedCandidate,
                false,
                fresh.unfit());
    }

    /** Returns the candidates of a job, with {@code before} where no reservation changes them. */
    private JobCandidates candidatesOf(JobCandidates before, KnownCandidates known) {
        int j = before.job();
        if (before.pinned()) {
            return before;
        }
        Job job = problem.jobs().get(j);
        AggregatorDemands demands =
                new AggregatorDemands(job.spec(), problem.settings().aggregation());
        CandidateBuilder fresh = new CandidateBuilder(clusterIndex, movable, utility.of(job), j, job, demands);
        for (NodeClass nodeClass : clusterIndex.classes()) {
            if (known.include(nodeClass)) {
                fresh.add(known.on(nodeClass, j));
            } else if (matches(nodeClass, job)) {
                fresh.add(nodeClass, offers(nodeClass, job, demands), limits.get(nodeClass.index()));
            }
        }
        return known.with(j, fresh.candidates(), fresh.unfit());
    }

    /** Returns the offers in each level of host resources that no other level dominates, ascending by slots. */
    private List<Offer> offers(NodeClass nodeClass, Job job, AggregatorDemands demands) {
        List<List<Offer>> byLevel = limits
                .get(nodeClass.index())
                .removeDominated(job.spec().hostLevels())
                .stream()
                .map(level -> ConfigurationEnumerator.offers(
                        clusterIndex, supplies, nodeClass, job, level, demands.dependOnBatch()))
                .toList();
        return byLevel.size() == 1
                ? byLevel.get(0)
                : byLevel.stream()
                        .flatMap(List::stream)
                        .sorted(Comparator.comparingInt(Offer::slots))
                        .toList();
    }

    private boolean matches(NodeClass nodeClass, Job job) {
        Elasticity elasticity = job.spec().elasticity();
        String type = nodeClass.acceleratorType();
        return elasticity.allowsType(type)
                && elasticity.allowsPool(nodeClass.pool())
                && clusterIndex.isOpen(nodeClass, job)
                && job.spec().profile().acceleratorTypes().contains(type);
    }

    /**
     * Returns the candidates that keep the devices of {@code heldAllocation}: first the best with the present host
     * grant, or a better one with at most its demand; then those with other batch sizes and grants that no other one
     * dominates.
     */
    private List<Candidate> keepWithGrants(
            int j, Job job, Allocation heldAllocation, boolean pinned, AggregatorDemands demands) {
        List<Candidate> found = new ArrayList<>(keep(j, job, heldAllocation, pinned, demands));
        HostGrant heldGrant = heldAllocation.configuration().host();
        if (pinned || job.spec().hostSensitivity() == null) {
            return found;
        }
        HostLimits own = limitsOf(heldAllocation);
        Comparator<HostLevel> leastFirst =
                Comparator.comparingDouble(HostLevel::cpusPerSlot).thenComparingDouble(HostLevel::memoryGiBPerSlot);
        own.removeDominated(job.spec().hostLevels()).stream()
                .sorted(leastFirst)
                .map(job.spec()::grant)
                .filter(grant -> !Objects.equals(grant, heldGrant))
                .forEach(grant -> found.addAll(keep(j, job, heldAllocation.withHost(grant), false, demands)));
        return removeDominated(job, found, own, demands);
    }

    private static List<Candidate> removeDominated(
            Job job, List<Candidate> found, HostLimits own, AggregatorDemands demands) {
        List<Candidate> rest = new ArrayList<>(found);
        for (Candidate candidate : found) {
            Predicate<Candidate> dominates = other -> !other.equals(candidate)
                    && other.utility() >= candidate.utility()
                    && other.goodput() >= candidate.goodput()
                    && demands.cpus(other) <= demands.cpus(candidate)
                    && own.isAtMost(
                            job.spec().hostIn(other.configuration()), job.spec().hostIn(candidate.configuration()));
            Optional<Candidate> better =
                    rest.stream().filter(dominates).max(Comparator.comparingDouble(Candidate::utility));
            if (better.isPresent()) {
                int place = rest.indexOf(candidate);
                rest.remove(candidate);
                if (place == 0) {
                    rest.remove(better.get());
                    rest.add(0, better.get());
                }
            }
        }
        return rest;
    }

    /** Returns what may be short on the nodes of {@code heldAllocation}; anything on nodes that take no new job. */
    private HostLimits limitsOf(Allocation heldAllocation) {
        boolean cpus = false;
        boolean memory = false;
        for (NodeShare share : heldAllocation.placement()) {
            int nodeClass = clusterIndex.classOf(clusterIndex.indexOf(share.node()));
            cpus |= nodeClass < 0 || limits.get(nodeClass).cpus();
            memory |= nodeClass < 0 || limits.get(nodeClass).memory();
        }
        return new HostLimits(cpus, memory);
    }

    /**
     * Returns the candidates that keep {@code heldAllocation} with its host grant, in descending order of utility: each
     * needs fewer CPUs for aggregation than those before.
     */
    private List<Candidate> keep(int j, Job job, Allocation heldAllocation, boolean pinned, AggregatorDemands demands) {
        NodeTerms terms =
                NodeTerms.ofPrice(clusterIndex.terms(job, heldAllocation).pricePerSlotHour());
        int nodeClass = clusterIndex.classOf(
                clusterIndex.indexOf(heldAllocation.placement().get(0).node()));
        List<Candidate> found = new ArrayList<>();
        for (Configuration configuration :
                pinned ? List.of(heldAllocation.configuration()) : configurationsOn(job, heldAllocation, demands)) {
            double goodput = Goodput.of(job.spec(), configuration);
            ChangeMechanism change = job.changeTo(heldAllocation.withConfiguration(configuration));
            double value = utility.of(job).of(configuration, goodput, change, terms);
            found.add(new Candidate(j, configuration, nodeClass, NodeAccess.WHOLE, goodput, value, change)
                    .withParts(job.spec().elasticity().partsPerDevice()));
        }
        found.sort(Comparator.comparingDouble(candidate -> -candidate.utility()));
        List<Candidate> undominatedCandidates = new ArrayList<>();
        long least = Long.MAX_VALUE;
        for (Candidate candidate : found) {
            if (undominatedCandidates.isEmpty() || demands.cpus(candidate) < least) {
                undominatedCandidates.add(candidate);
                least = demands.cpus(candidate);
            }
        }
        return undominatedCandidates;
    }

    /**
     * Returns the configurations that the job may have on the devices of {@code heldAllocation} without a restart, the
     * first that of {@code heldAllocation} if it is allowed. They differ in the batch size, and so in the CPUs for
     * aggregation.
     */
    private List<Configuration> configurationsOn(Job job, Allocation heldAllocation, AggregatorDemands demands) {
        Configuration presentConfiguration = heldAllocation.configuration();
        List<Configuration> configurations = new ArrayList<>(List.of(presentConfiguration));
        for (Goodput.Best batch : batches(job, presentConfiguration, demands)) {
            configurations.add(withBatch(job.spec(), presentConfiguration, batch.batch()));
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

    private static List<Goodput.Best> batches(Job job, Configuration presentConfiguration, AggregatorDemands demands) {
        if (!job.spec().reconfigures()) {
            return List.of();
        }
        boolean several = demands.dependOnBatch() && presentConfiguration.aggregationSlots() > 0;
        return Goodput.batches(
                        job.spec(),
                        presentConfiguration.acceleratorType(),
                        presentConfiguration.slots(),
                        presentConfiguration.nodes(),
                        presentConfiguration.strategy(),
                        presentConfiguration.aggregationSlots())
                .stream()
                .limit(several ? Long.MAX_VALUE : 1)
                .toList();
    }

    private boolean isAdoptedInPlace(Job job, Allocation allocation) {
        return job.changeTo(allocation).keepsProcesses() && clusterIndex.mayStay(job, allocation);
    }

    private static Configuration withBatch(JobSpec spec, Configuration presentConfiguration, int batch) {
        int steps = spec.batch()
                .accumulationSteps(batch, presentConfiguration.acceleratorType(), presentConfiguration.slots());
        return presentConfiguration.withBatch(batch, steps);
    }

    private Allocation withCrossings(Job job, Allocation heldAllocation) {
        return heldAllocation.withConfiguration(
                clusterIndex.withCrossings(job, heldAllocation.configuration(), heldAllocation.placement()));
    }
}
