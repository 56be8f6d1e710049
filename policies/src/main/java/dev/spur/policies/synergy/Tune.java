package dev.spur.policies.synergy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.performance.HostLevel;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.NodeSlots;
import dev.spur.policies.support.PlacementRule;
import dev.spur.policies.support.PlacementRules;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Placement and host allocation of a round, larger jobs first. A job gets (1) its requested level where it fits; (2)
 * its floor where it fits; (3) its floor where it fits after other jobs are reduced to their floors. A job that keeps
 * its slots keeps its nodes, and precedes moving jobs. Jobs without a level within their share come last. Source: Mohan
 * et al., Synergy, OSDI '22.
 */
final class Tune {
    /** Preferred host level of a job. */
    interface LevelChoice {
        HostLevel of(int j, HostRequest request);
    }

    /** Placement rule that records its result. */
    private static final class Found implements PlacementRule {
        private final UnaryOperator<List<FreeNode>> usable;
        private List<NodeSlots> nodeSlots = List.of();

        Found(UnaryOperator<List<FreeNode>> usable) {
            this.usable = usable;
        }

        @Override
        public List<NodeSlots> place(List<FreeNode> nodes, Gang gang) {
            nodeSlots = PlacementRules.ONE_NODE_OR_FRAGMENTS.place(usable.apply(nodes), gang);
            return nodeSlots;
        }
    }

    private final RoundView view;
    private final SlotAllocations allocations;
    private final HostRequests hostRequests;
    private final LevelChoice levelChoice;
    private final PlacementState placement;
    private final ResidualHosts hosts;

    Tune(SlotAllocations allocations, HostRequests hostRequests, LevelChoice levelChoice) {
        this.view = allocations.view();
        this.allocations = allocations;
        this.hostRequests = hostRequests;
        this.levelChoice = levelChoice;
        placement = PlacementState.withoutHosts(view);
        hosts = new ResidualHosts(AggregatorReserve.nodes(view));
    }

    /** Returns the allocation of each running job, by job id. */
    Map<String, Allocation> allocations() {
        List<Integer> moving = new ArrayList<>(placement.stay(allocations));
        for (int j : retainedJobs()) {
            if (!stay(j)) {
                placement.remove(j);
                moving.add(j);
            }
        }
        moving.stream()
                .filter(j -> allocations.slots(j) > 0)
                .sorted(Comparator.comparing((Integer j) -> !isGuaranteed(j))
                        .thenComparingInt(j -> -allocations.slots(j)))
                .forEach(this::move);
        return grant();
    }

    /** Returns the jobs that keep their nodes: pinned jobs first, then jobs that need exactly their stated demand. */
    private List<Integer> retainedJobs() {
        return IntStream.range(0, view.jobs())
                .filter(placement::isPlaced)
                .boxed()
                .sorted(Comparator.comparing((Integer j) -> !view.isPinned(j))
                        .thenComparing(this::isGuaranteed)
                        .thenComparingInt(j -> -view.heldSlots(j)))
                .toList();
    }

    private boolean isGuaranteed(int j) {
        NodePartition partition = allocations.partition(j);
        return partition == null
                || hostRequests.of(j, partition.pool(), partition.type()).isGuaranteed();
    }

    /**
     * Allocates host resources to job {@code j} on its current nodes; returns whether they fit. A pinned job keeps at
     * least its current level.
     */
    private boolean stay(int j) {
        Allocation heldAllocation = view.job(j).allocation();
        if (heldAllocation == null) {
            return false;
        }
        Configuration configuration = heldAllocation.configuration();
        List<NodeSlots> nodeSlots = heldAllocation.placement().stream()
                .map(share -> new NodeSlots(view.clusterIndex().indexOf(share.node()), share.slots()))
                .toList();
        HostRequest request = hostRequests.of(j, configuration.pool(), configuration.acceleratorType());
        HostLevel desired = levelChoice.of(j, request);
        HostLevel before = hostRequests.in(j, configuration);
        if (hosts.fits(nodeSlots, desired, request.floorLevel())) {
            hosts.add(j, nodeSlots, desired, request.floorLevel());
        } else if (hosts.fitsAtFloors(nodeSlots, request.floorLevel())) {
            hosts.reduceToFloors(view.job(j).id(), nodeSlots, request.floorLevel());
            hosts.add(j, nodeSlots, request.floorLevel(), request.floorLevel());
        } else if (view.isPinned(j) || hosts.fits(nodeSlots, before, before)) {
            hosts.add(j, nodeSlots, before, before);
        } else {
            return false;
        }
        return true;
    }

    private void move(int j) {
        NodePartition partition = allocations.partitionOf(j);
        HostRequest request = hostRequests.of(j, partition.pool(), partition.type());
        HostLevel desired = levelChoice.of(j, request);
        HostLevel floorLevel = request.floorLevel();
        boolean isPlaced = place(j, desired, floorLevel, nodes -> hosts.withRoom(nodes, desired, floorLevel))
                || place(j, floorLevel, floorLevel, nodes -> hosts.withRoom(nodes, floorLevel, floorLevel))
                || place(j, floorLevel, floorLevel, nodes -> hosts.withRoomAtFloors(nodes, floorLevel));
        if (!isPlaced && placement.keep(j) && !stay(j)) {
            placement.remove(j);
        }
    }

    private boolean place(
            int j, HostLevel level, HostLevel floorLevel, UnaryOperator<List<PlacementRule.FreeNode>> usable) {
        Found rule = new Found(usable);
        if (!placement.start(j, allocations.partitionOf(j), allocations.slots(j), allocations.aggregation(j), rule)) {
            return false;
        }
        hosts.reduceToFloors(view.job(j).id(), rule.nodeSlots, level);
        hosts.add(j, rule.nodeSlots, level, floorLevel);
        return true;
    }

    private Map<String, Allocation> grant() {
        Map<String, Allocation> granted = new HashMap<>(placement.allocations());
        for (int j = 0; j < view.jobs(); j++) {
            int job = j;
            hosts.level(j)
                    .ifPresent(level -> granted.computeIfPresent(
                            view.job(job).id(),
                            (id, allocation) -> allocation.withHost(hostRequests.grant(job, level))));
        }
        return granted;
    }
}
