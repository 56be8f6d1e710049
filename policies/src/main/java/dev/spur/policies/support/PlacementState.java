package dev.spur.policies.support;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.JobCandidates;
import dev.spur.solver.candidate.NoCandidateReason;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.placement.ResidualCluster;
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
 * Who sits where while a policy fills the cluster. Jobs that may not be touched sit where they are from the beginning;
 * whoever keeps its slots keeps its nodes.
 */
public final class PlacementState {
    /** What made a search for places fail: until something is freed, it fails for whoever needs the same. */
    private record Need(
            NodePartition lane, int slots, HostDemand host, Elasticity elasticity, String tenant, String job) {}

    private final RoundView snapshot;
    private final ResidualCluster room;
    private final @Nullable Candidate[] seated;
    private final Map<Integer, List<Integer>> nodesOf = new HashMap<>();
    private final Set<Need> failed = new HashSet<>();
    /** False where a rule may find places that it did not find before. */
    private final boolean remembersFailures;

    /** The cluster with the jobs that may not be touched. */
    public PlacementState(RoundView snapshot) {
        this(snapshot, ResidualCluster::new, true);
        keepPinned();
    }

    private PlacementState(
            RoundView snapshot, Function<CandidateSet, ResidualCluster> room, boolean remembersFailures) {
        this.snapshot = snapshot;
        this.remembersFailures = remembersFailures;
        List<JobCandidates> own = new ArrayList<>(snapshot.jobs());
        for (int j = 0; j < snapshot.jobs(); j++) {
            own.add(new JobCandidates(j, List.of(), null, snapshot.isPinned(j), NoCandidateReason.NONE));
        }
        this.room = room.apply(new CandidateSet(snapshot.problem(), snapshot.hardware(), own));
        seated = new Candidate[snapshot.jobs()];
    }

    /**
     * The cluster with the jobs that may not be touched, as if its hosts had no end: for a policy that shares them out
     * itself, by placement rules which know what is left.
     */
    public static PlacementState withoutHosts(RoundView snapshot) {
        PlacementState seating = new PlacementState(snapshot, ResidualCluster::withoutHosts, false);
        seating.keepPinned();
        return seating;
    }

    private void keepPinned() {
        for (int j = 0; j < snapshot.jobs(); j++) {
            if (snapshot.isPinned(j)) {
                tryKeep(j);
            }
        }
    }

    /** True if job {@code j} would find {@code slots} by {@code rule} were the cluster empty. */
    public static boolean couldEverStart(RoundView snapshot, int j, int slots, PlacementRule rule) {
        return new PlacementState(snapshot, ResidualCluster::new, true).start(j, slots, rule);
    }

    /** The decision that gives each job what {@code grants} says, on nodes of {@code rule}'s choice. */
    public static Decision decide(SlotAllocations grants, PlacementRule rule, RoundMemory memory) {
        PlacementState seating = new PlacementState(grants.snapshot());
        seating.seat(grants, j -> rule);
        return seating.decision(memory);
    }

    /** The decision that gives each job what {@code grants} says, on the fewest nodes. */
    public static Decision decide(SlotAllocations grants, RoundMemory memory) {
        return decide(grants, PlacementRules.FEWEST_NODES, memory);
    }

    /** Chooses a placement rule by job. */
    public interface RuleOf {
        PlacementRule of(int j);
    }

    /**
     * Seats all jobs of {@code grants}: first those that keep their slots, then the others, the larger ones first. A
     * job for which there is no place stays as it is where that is possible, and waits otherwise.
     */
    public void seat(SlotAllocations grants, RuleOf rules) {
        for (int j : stay(grants)) {
            if (!start(j, grants.laneOf(j), grants.slots(j), grants.aggregation(j), rules.of(j))) {
                keep(j);
            }
        }
    }

    /** Seats the jobs of {@code grants} that keep their slots or have to; returns the others, the larger ones first. */
    public List<Integer> stay(SlotAllocations grants) {
        List<Integer> moving = new ArrayList<>();
        Set<Integer> mustStay = RestartLimit.heldBack(grants);
        mustStay.forEach(this::keep);
        for (int j : grants.order()) {
            boolean unchanged = !mustStay.contains(j) && isUnchanged(grants, j);
            if (!(isSeated(j) || (unchanged && keep(j)))) {
                moving.add(j);
            }
        }
        moving.sort(Comparator.comparingInt(j -> -grants.slots(j)));
        return moving;
    }

    /** Lets jobs that have no place yet stay or start on the slots that they ask for, in the order of {@code jobs}. */
    public void fill(int[] jobs, RuleOf rules) {
        for (int j : jobs) {
            if (isFull()) {
                return;
            }
            if (!isSeated(j) && !keep(j)) {
                start(j, snapshot.requested(j), rules.of(j));
            }
        }
    }

    /** True if {@code grants} gives job {@code j} what it holds. */
    public static boolean isUnchanged(SlotAllocations grants, int j) {
        Allocation held = grants.snapshot().job(j).allocation();
        return held != null
                && grants.slots(j) == held.configuration().slots()
                && Objects.equals(grants.snapshot().heldLane(j), grants.lane(j))
                && (grants.aggregation(j) == 0
                        || grants.aggregation(j) == held.configuration().aggregationSlots());
    }

    /** True if job {@code j} has a place. */
    public boolean isSeated(int j) {
        return seated[j] != null;
    }

    /** Slots of {@code lane} that are free. */
    public int free(NodePartition lane) {
        int sum = 0;
        for (NodeClass nodeClass : lane.classes()) {
            sum += room.slots(nodeClass);
        }
        return sum;
    }

    /** Free slots of node {@code v}. */
    public int freeOn(int v) {
        return room.slots(v);
    }

    /** Slots of job {@code j}, which keeps what it holds, on node {@code v}. */
    public int slotsOn(int j, int v) {
        Allocation held = snapshot.job(j).allocation();
        if (held == null) {
            return 0;
        }
        return held.placement().stream()
                .filter(piece -> snapshot.hardware().indexOf(piece.node()) == v)
                .mapToInt(piece -> piece.slots())
                .sum();
    }

    /** True if no lane has a free slot. */
    public boolean isFull() {
        return snapshot.lanes().stream().noneMatch(lane -> free(lane) > 0);
    }

    /** Leaves job {@code j} where it is; returns false if it waits or may not stay there. */
    public boolean keep(int j) {
        return !isSeated(j) && snapshot.mayStay(j) && tryKeep(j);
    }

    private boolean tryKeep(int j) {
        Allocation held = snapshot.job(j).allocation();
        if (held == null) {
            return false;
        }
        int first = snapshot.hardware().indexOf(held.placement().get(0).node());
        int nodeClass = snapshot.hardware().classOf(first);
        Candidate kept = new Candidate(j, held.configuration(), nodeClass, 0, 0, true);
        if (!room.tryKeep(kept)) {
            return false;
        }
        seated[j] = kept;
        return true;
    }

    /**
     * Finds places for {@code slots} of job {@code j} in the fastest lane that has them; returns whether there were
     * any.
     */
    public boolean start(int j, int slots, PlacementRule rule) {
        List<NodePartition> open = snapshot.lanesOf(j);
        if (open.size() > 1) {
            open = open.stream()
                    .sorted(Comparator.comparingDouble(lane -> -snapshot.goodput(j, lane, slots)))
                    .toList();
        }
        for (NodePartition lane : open) {
            if (start(j, lane, slots, 0, rule)) {
                return true;
            }
        }
        return false;
    }

    /** Finds places for {@code slots} of job {@code j} in {@code lane}; returns whether there were any. */
    public boolean start(int j, NodePartition lane, int slots, double aggregation, PlacementRule rule) {
        if (isSeated(j) || slots == 0 || free(lane) < slots) {
            return false;
        }
        Job job = snapshot.job(j);
        // where maintenance is ahead, it depends on the job which nodes it may come to
        String id = snapshot.problem().maintenance().isEmpty() ? "" : job.id();
        Need need = new Need(lane, slots, job.spec().host(), job.spec().elasticity(), job.tenant(), id);
        if (failed.contains(need)) {
            return false;
        }
        List<NodeSlots> spots = new ArrayList<>(rule.spots(
                EligibleNodes.of(snapshot, room, job, lane), EligibleNodes.gang(snapshot, job, lane, slots)));
        if (spots.isEmpty()) {
            if (remembersFailures) {
                failed.add(need);
            }
            return false;
        }
        spots.sort(Comparator.comparingInt(NodeSlots::slots).reversed());
        return seat(j, lane, spots, aggregation);
    }

    private boolean seat(int j, NodePartition lane, List<NodeSlots> spots, double aggregation) {
        List<Integer> shape = spots.stream().map(NodeSlots::slots).toList();
        Configuration configuration = snapshot.configuration(j, lane, shape, aggregation);
        if (configuration == null) {
            return false;
        }
        List<Integer> nodes = spots.stream().map(NodeSlots::node).toList();
        int nodeClass = snapshot.hardware().classOf(nodes.get(0));
        Candidate fresh = new Candidate(j, configuration, nodeClass, 0, 0, false);
        if (!room.limitsAllow(fresh) || !room.aggregationAllows(fresh)) {
            return false;
        }
        room.placeOn(fresh, nodes);
        seated[j] = fresh;
        nodesOf.put(j, nodes);
        return true;
    }

    /** Takes job {@code j} off its place; it may be touched. */
    public void remove(int j) {
        Candidate own = seated[j];
        if (own == null || snapshot.isPinned(j)) {
            return;
        }
        if (own.kept()) {
            room.removeKept(own);
        } else {
            room.remove(own, nodesOf.getOrDefault(j, List.of()));
        }
        nodesOf.remove(j);
        seated[j] = null;
        failed.clear();
    }

    /** What runs where. */
    public Decision decision(RoundMemory memory) {
        return Decision.of(snapshot.problem(), allocations(), memory);
    }

    /** What each seated job holds, by id. */
    public Map<String, Allocation> allocations() {
        return needsAggregation()
                ? DeviceSelection.withAggregation(snapshot, seated, nodesOf)
                : DeviceSelection.of(snapshot, seated, nodesOf);
    }

    private boolean needsAggregation() {
        for (Candidate own : seated) {
            if (own != null && own.configuration().aggregationSlots() > 0) {
                return true;
            }
        }
        return false;
    }
}
