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
        HostLevel of(int j, HostRequest demand);
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
    private final SlotAllocations grants;
    private final HostRequests demands;
    private final LevelChoice levelChoice;
    private final PlacementState placement;
    private final ResidualHosts hosts;

    Tune(SlotAllocations grants, HostRequests demands, LevelChoice levelChoice) {
        this.view = grants.view();
        this.grants = grants;
        this.demands = demands;
        this.levelChoice = levelChoice;
        placement = PlacementState.withoutHosts(view);
        hosts = new ResidualHosts(view.hardware().nodes());
    }

    /** Returns the allocation of each running job, by job id. */
    Map<String, Allocation> allocations() {
        List<Integer> moving = new ArrayList<>(placement.stay(grants));
        for (int j : retainedJobs()) {
            if (!stay(j)) {
                placement.remove(j);
                moving.add(j);
            }
        }
        moving.stream()
                .filter(j -> grants.slots(j) > 0)
                .sorted(Comparator.comparing((Integer j) -> !isGuaranteed(j)).thenComparingInt(j -> -grants.slots(j)))
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
        NodePartition partition = grants.partition(j);
        return partition == null
                || demands.of(j, partition.pool(), partition.type()).isGuaranteed();
    }

    /**
     * Allocates host resources to job {@code j} on its current nodes; returns whether they fit. A pinned job keeps at
     * least its current level.
     */
    private boolean stay(int j) {
        Allocation held = view.job(j).allocation();
        if (held == null) {
            return false;
        }
        Configuration configuration = held.configuration();
        List<NodeSlots> nodeSlots = held.placement().stream()
                .map(piece -> new NodeSlots(view.hardware().indexOf(piece.node()), piece.slots()))
                .toList();
        HostRequest demand = demands.of(j, configuration.pool(), configuration.acceleratorType());
        HostLevel desired = levelChoice.of(j, demand);
        HostLevel before = demands.in(j, configuration);
        if (hosts.fits(nodeSlots, desired, demand.floor())) {
            hosts.add(j, nodeSlots, desired, demand.floor());
        } else if (hosts.fitsAtFloors(nodeSlots, demand.floor())) {
            hosts.reduceToFloors(view.job(j).id(), nodeSlots, demand.floor());
            hosts.add(j, nodeSlots, demand.floor(), demand.floor());
        } else if (view.isPinned(j) || hosts.fits(nodeSlots, before, before)) {
            hosts.add(j, nodeSlots, before, before);
        } else {
            return false;
        }
        return true;
    }

    private void move(int j) {
        NodePartition partition = grants.partitionOf(j);
        HostRequest demand = demands.of(j, partition.pool(), partition.type());
        HostLevel desired = levelChoice.of(j, demand);
        HostLevel floor = demand.floor();
        boolean isPlaced = place(j, desired, floor, nodes -> hosts.withRoom(nodes, desired, floor))
                || place(j, floor, floor, nodes -> hosts.withRoom(nodes, floor, floor))
                || place(j, floor, floor, nodes -> hosts.withRoomAtFloors(nodes, floor));
        if (!isPlaced && placement.keep(j) && !stay(j)) {
            placement.remove(j);
        }
    }

    private boolean place(int j, HostLevel level, HostLevel floor, UnaryOperator<List<PlacementRule.FreeNode>> usable) {
        Found rule = new Found(usable);
        if (!placement.start(j, grants.partitionOf(j), grants.slots(j), grants.aggregation(j), rule)) {
            return false;
        }
        hosts.reduceToFloors(view.job(j).id(), rule.nodeSlots, level);
        hosts.add(j, rule.nodeSlots, level, floor);
        return true;
    }

    private Map<String, Allocation> grant() {
        Map<String, Allocation> granted = new HashMap<>(placement.allocations());
        for (int j = 0; j < view.jobs(); j++) {
            int job = j;
            hosts.level(j)
                    .ifPresent(level -> granted.computeIfPresent(
                            view.job(job).id(), (id, given) -> given.withHost(demands.grant(job, level))));
        }
        return granted;
    }
}
