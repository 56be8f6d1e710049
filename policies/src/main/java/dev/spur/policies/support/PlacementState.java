package dev.spur.policies.support;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.utility.Utility;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.JobCandidates;
import dev.spur.solver.candidate.NoCandidateReason;
import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.policy.Decision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Placement of jobs while a policy fills the cluster. Pinned jobs are placed from the beginning. A job that keeps its
 * slots keeps its nodes.
 */
public final class PlacementState {
    /**
     * Requirements of a failed search for nodes. Until slots are freed, it fails for every job with the same
     * requirements.
     */
    private record Need(
            NodePartition partition, int slots, HostDemand host, Elasticity elasticity, String tenant, String job) {}

    private final RoundView view;
    private final CandidateSet candidates;
    private final ResidualCapacity residual;
    private final @Nullable Candidate[] placedCandidates;
    private final Map<Integer, List<Integer>> nodesOf = new HashMap<>();
    private final Set<Need> failedNeeds = new HashSet<>();
    /** False where a repeated call of a placement rule may succeed after a failure. */
    private final boolean remembersFailures;

    /** Creates the placement of the pinned jobs. */
    public PlacementState(RoundView view) {
        this(view, ResidualCapacity::new, true);
        keepPinned();
    }

    private PlacementState(
            RoundView view, Function<CandidateSet, ResidualCapacity> residual, boolean remembersFailures) {
        this.view = view;
        this.remembersFailures = remembersFailures;
        List<JobCandidates> own = new ArrayList<>(view.jobs());
        for (int j = 0; j < view.jobs(); j++) {
            own.add(new JobCandidates(j, List.of(), null, view.isPinned(j), NoCandidateReason.NONE));
        }
        this.candidates = new CandidateSet(view.problem(), view.clusterIndex(), new Utility(view.problem()), own);
        this.residual = residual.apply(candidates);
        placedCandidates = new Candidate[view.jobs()];
    }

    /**
     * Creates the placement of the pinned jobs without host limits, for a policy that distributes host CPU and memory
     * itself by its placement rules.
     */
    public static PlacementState withoutHosts(RoundView view) {
        PlacementState placement = new PlacementState(view, ResidualCapacity::withoutHosts, false);
        placement.keepPinned();
        return placement;
    }

    private void keepPinned() {
        for (int j = 0; j < view.jobs(); j++) {
            if (view.isPinned(j)) {
                tryKeep(j);
            }
        }
    }

    /** Returns true if {@code rule} would find {@code slots} for job {@code j} in an empty cluster. */
    public static boolean couldEverStart(RoundView view, int j, int slots, PlacementRule rule) {
        return new PlacementState(view, ResidualCapacity::new, true).start(j, slots, rule);
    }

    /** Returns the decision that gives each job its grant, on nodes chosen by {@code rule}. */
    public static Decision decide(SlotAllocations allocations, PlacementRule rule, RoundMemory memory) {
        PlacementState placement = new PlacementState(allocations.view());
        placement.placeAll(allocations, j -> rule);
        return placement.decision(memory);
    }

    /** Returns the decision that gives each job its grant, on as few nodes as possible. */
    public static Decision decide(SlotAllocations allocations, RoundMemory memory) {
        return decide(allocations, PlacementRules.MIN_NODES, memory);
    }

    /** Placement rule by job. */
    public interface RuleOf {
        PlacementRule of(int j);
    }

    /**
     * Places all jobs of {@code allocations}: first those that keep their slots, then the others, larger ones first. A
     * job without a feasible placement keeps its allocation where possible, and waits otherwise.
     */
    public void placeAll(SlotAllocations allocations, RuleOf rules) {
        for (int j : stay(allocations)) {
            if (!start(j, allocations.partitionOf(j), allocations.slots(j), allocations.aggregation(j), rules.of(j))) {
                keep(j);
            }
        }
    }

    /**
     * Places the jobs of {@code allocations} that keep their slots or must keep them. Returns the others, larger ones
     * first.
     */
    public List<Integer> stay(SlotAllocations allocations) {
        List<Integer> moving = new ArrayList<>();
        Set<Integer> mustStay = RestartLimitEnforcement.unchangedJobs(allocations);
        mustStay.forEach(this::keep);
        for (int j : allocations.order()) {
            boolean unchanged = !mustStay.contains(j) && isUnchanged(allocations, j);
            if (!(isPlaced(j) || (unchanged && keep(j)))) {
                moving.add(j);
            }
        }
        moving.sort(Comparator.comparingInt(j -> -allocations.slots(j)));
        return moving;
    }

    /** Keeps or starts jobs without a placement on their requested slots, in the order of {@code jobs}. */
    public void fill(int[] jobs, RuleOf rules) {
        for (int j : jobs) {
            if (isFull()) {
                return;
            }
            if (!isPlaced(j) && !keep(j)) {
                start(j, view.requestedSlots(j), rules.of(j));
            }
        }
    }

    /** Returns true if {@code allocations} gives job {@code j} the slots that it holds. */
    public static boolean isUnchanged(SlotAllocations allocations, int j) {
        Allocation heldAllocation = allocations.view().job(j).allocation();
        return heldAllocation != null
                && allocations.slots(j) == heldAllocation.configuration().slots()
                && Objects.equals(allocations.view().heldPartition(j), allocations.partition(j))
                && (allocations.aggregation(j) == 0
                        || allocations.aggregation(j)
                                == heldAllocation.configuration().aggregationSlots());
    }

    /** Returns true if job {@code j} is placed. */
    public boolean isPlaced(int j) {
        return placedCandidates[j] != null;
    }

    /** Returns the free slots of {@code partition}. */
    public int free(NodePartition partition) {
        int sum = 0;
        for (NodeClass nodeClass : partition.classes()) {
            sum += residual.cluster().slots(nodeClass);
        }
        return sum;
    }

    /** Returns the free slots of node {@code v}. */
    public int freeOn(int v) {
        return residual.cluster().slots(v);
    }

    /** Returns the slots that job {@code j} holds on node {@code v}. */
    public int slotsOn(int j, int v) {
        Allocation heldAllocation = view.job(j).allocation();
        if (heldAllocation == null) {
            return 0;
        }
        return heldAllocation.placement().stream()
                .filter(share -> view.clusterIndex().indexOf(share.node()) == v)
                .mapToInt(share -> share.slots())
                .sum();
    }

    /** Returns true if no partition has a free slot, and no shared device has room. */
    public boolean isFull() {
        return view.partitions().stream().noneMatch(partition -> free(partition) > 0)
                && residual.cluster().rooms().isFull();
    }

    /** Keeps the allocation of job {@code j}; returns false if it waits or may not stay there. */
    public boolean keep(int j) {
        return !isPlaced(j) && view.mayStay(j) && tryKeep(j);
    }

    private boolean tryKeep(int j) {
        Allocation heldAllocation = view.job(j).allocation();
        if (heldAllocation == null) {
            return false;
        }
        int first =
                view.clusterIndex().indexOf(heldAllocation.placement().get(0).node());
        int nodeClass = view.clusterIndex().classOf(first);
        Candidate retainedCandidate = new Candidate(
                        j, heldAllocation.configuration(), nodeClass, NodeAccess.WHOLE, 0, 0, ChangeMechanism.UNCHANGED)
                .withParts(parts(j));
        if (residual.place(demand(retainedCandidate)) == null) {
            return false;
        }
        placedCandidates[j] = retainedCandidate;
        return true;
    }

    /** Places job {@code j} on {@code slots} of the fastest partition where it fits; returns whether it was placed. */
    public boolean start(int j, int slots, PlacementRule rule) {
        List<NodePartition> open = view.partitionsOf(j);
        if (open.size() > 1) {
            open = open.stream()
                    .sorted(Comparator.comparingDouble(partition -> -view.goodput(j, partition, slots)))
                    .toList();
        }
        for (NodePartition partition : open) {
            if (start(j, partition, slots, 0, rule)) {
                return true;
            }
        }
        return false;
    }

    /** Places job {@code j} on {@code slots} of {@code partition}; returns whether it was placed. */
    public boolean start(int j, NodePartition partition, int slots, double aggregation, PlacementRule rule) {
        Job job = view.job(j);
        boolean isShare = parts(j) < Elasticity.PARTS;
        if (isPlaced(j) || slots == 0 || (!isShare && free(partition) < slots)) {
            return false;
        }
        // with maintenance scheduled, the eligible nodes depend on the job
        String id = view.problem().maintenance().isEmpty() ? "" : job.id();
        HostDemand demand = job.spec().host().plus(job.spec().roles().maxShare(slots));
        Need need = new Need(partition, slots, demand, job.spec().elasticity(), job.tenant(), id);
        if (failedNeeds.contains(need)) {
            return false;
        }
        List<NodeSlots> nodeSlots = new ArrayList<>(rule.place(
                EligibleNodes.of(view, residual.cluster(), job, partition, demand),
                EligibleNodes.gang(view, job, partition, slots)));
        if (nodeSlots.isEmpty()) {
            if (remembersFailures) {
                failedNeeds.add(need);
            }
            return false;
        }
        nodeSlots.sort(Comparator.comparingInt(NodeSlots::slots).reversed());
        return place(j, partition, nodeSlots, aggregation);
    }

    private boolean place(int j, NodePartition partition, List<NodeSlots> nodeSlots, double aggregation) {
        List<Integer> shape = nodeSlots.stream().map(NodeSlots::slots).toList();
        Configuration configuration = view.configuration(j, partition, shape, aggregation);
        if (configuration == null) {
            return false;
        }
        List<Integer> nodes = nodeSlots.stream().map(NodeSlots::node).toList();
        int nodeClass = view.clusterIndex().classOf(nodes.get(0));
        Candidate freshCandidate = new Candidate(
                        j, configuration, nodeClass, NodeAccess.WHOLE, 0, 0, change(j, configuration, nodes))
                .withParts(parts(j));
        ResourceDemand demand = demand(freshCandidate);
        if (!residual.limitsAllow(demand) || !residual.aggregationAllows(demand, array(nodes))) {
            return false;
        }
        residual.add(demand, array(nodes));
        placedCandidates[j] = freshCandidate;
        nodesOf.put(j, nodes);
        return true;
    }

    private int parts(int j) {
        return view.job(j).spec().elasticity().partsPerDevice();
    }

    /**
     * Returns the change of job {@code j} to {@code configuration} on {@code nodes}, on the devices that suit it best.
     */
    private ChangeMechanism change(int j, Configuration configuration, List<Integer> nodes) {
        Job job = view.job(j);
        Allocation heldAllocation = job.allocation();
        boolean rescales = heldAllocation != null
                && job.spec().rescales()
                && configuration.rescalesTo(heldAllocation.configuration())
                && nodes.contains(view.clusterIndex()
                        .indexOf(heldAllocation.placement().get(0).node()));
        return rescales ? ChangeMechanism.RESCALE : ChangeMechanism.RESTART;
    }

    private ResourceDemand demand(Candidate candidate) {
        return ResourceDemand.of(candidates, candidate);
    }

    private static int[] array(List<Integer> nodes) {
        return nodes.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Removes the placement of job {@code j} unless the job is pinned. */
    public void remove(int j) {
        Candidate ownCandidate = placedCandidates[j];
        if (ownCandidate == null || view.isPinned(j)) {
            return;
        }
        ResourceDemand demand = demand(ownCandidate);
        residual.remove(demand, demand.isFixed() ? demand.nodes() : array(nodesOf.getOrDefault(j, List.of())));
        nodesOf.remove(j);
        placedCandidates[j] = null;
        failedNeeds.clear();
    }

    /** Returns the decision for all placed jobs. */
    public Decision decision(RoundMemory memory) {
        return Decision.of(view.problem(), allocations(), memory);
    }

    /** Returns the allocation of each placed job, by job id. */
    public Map<String, Allocation> allocations() {
        return needsPlacer()
                ? DeviceSelection.byPlacer(view, placedCandidates, nodesOf)
                : DeviceSelection.of(view, placedCandidates, nodesOf);
    }

    /** Returns whether some placed job has aggregation slots or a share of a device. */
    private boolean needsPlacer() {
        for (Candidate ownCandidate : placedCandidates) {
            if (ownCandidate != null
                    && (ownCandidate.configuration().aggregationSlots() > 0
                            || ownCandidate.parts() < Elasticity.PARTS)) {
                return true;
            }
        }
        return false;
    }
}
