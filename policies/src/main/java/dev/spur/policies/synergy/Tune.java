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
 * Places the jobs of a round and shares out the hosts, the larger jobs first: (1) with what a job wants, where that is
 * free; (2) cut to its floor, where that is free; (3) where it would be free if others were cut to theirs, who then
 * are. Whoever keeps its slots keeps its nodes, and comes before those who move; jobs with no level within their share
 * come after those who have one. Source: Mohan et al., Synergy, OSDI '22.
 */
final class Tune {
    /** What a job is to get if there is room. */
    interface Wish {
        HostLevel of(int j, HostRequest demand);
    }

    /** Remembers the places that it found. */
    private static final class Found implements PlacementRule {
        private final UnaryOperator<List<FreeNode>> usable;
        private List<NodeSlots> spots = List.of();

        Found(UnaryOperator<List<FreeNode>> usable) {
            this.usable = usable;
        }

        @Override
        public List<NodeSlots> spots(List<FreeNode> nodes, Gang gang) {
            spots = PlacementRules.ONE_NODE_OR_FRAGMENTS.spots(usable.apply(nodes), gang);
            return spots;
        }
    }

    private final RoundView snapshot;
    private final SlotAllocations grants;
    private final HostRequests demands;
    private final Wish wish;
    private final PlacementState seating;
    private final ResidualHosts hosts;

    Tune(SlotAllocations grants, HostRequests demands, Wish wish) {
        this.snapshot = grants.snapshot();
        this.grants = grants;
        this.demands = demands;
        this.wish = wish;
        seating = PlacementState.withoutHosts(snapshot);
        hosts = new ResidualHosts(snapshot.hardware().nodes());
    }

    /** What each job that runs holds, by id. */
    Map<String, Allocation> allocations() {
        List<Integer> moving = new ArrayList<>(seating.stay(grants));
        for (int j : staying()) {
            if (!stay(j)) {
                seating.remove(j);
                moving.add(j);
            }
        }
        moving.stream()
                .filter(j -> grants.slots(j) > 0)
                .sorted(Comparator.comparing((Integer j) -> !isGuaranteed(j)).thenComparingInt(j -> -grants.slots(j)))
                .forEach(this::move);
        return granted();
    }

    /** Those who sit already: first whoever may not be touched, and those who need just what they state. */
    private List<Integer> staying() {
        return IntStream.range(0, snapshot.jobs())
                .filter(seating::isSeated)
                .boxed()
                .sorted(Comparator.comparing((Integer j) -> !snapshot.isPinned(j))
                        .thenComparing(this::isGuaranteed)
                        .thenComparingInt(j -> -snapshot.held(j)))
                .toList();
    }

    private boolean isGuaranteed(int j) {
        NodePartition lane = grants.lane(j);
        return lane == null || demands.of(j, lane.pool(), lane.type()).isGuaranteed();
    }

    /**
     * Shares out to job {@code j} where it is; returns whether there is room. A job that may not be touched has what it
     * had at least.
     */
    private boolean stay(int j) {
        Allocation held = snapshot.job(j).allocation();
        if (held == null) {
            return false;
        }
        Configuration configuration = held.configuration();
        List<NodeSlots> spots = held.placement().stream()
                .map(piece -> new NodeSlots(snapshot.hardware().indexOf(piece.node()), piece.slots()))
                .toList();
        HostRequest demand = demands.of(j, configuration.pool(), configuration.acceleratorType());
        HostLevel wanted = wish.of(j, demand);
        HostLevel before = demands.in(j, configuration);
        if (hosts.hold(spots, wanted, demand.floor())) {
            hosts.enter(j, spots, wanted, demand.floor());
        } else if (hosts.couldHold(spots, demand.floor())) {
            hosts.makeRoom(snapshot.job(j).id(), spots, demand.floor());
            hosts.enter(j, spots, demand.floor(), demand.floor());
        } else if (snapshot.isPinned(j) || hosts.hold(spots, before, before)) {
            hosts.enter(j, spots, before, before);
        } else {
            return false;
        }
        return true;
    }

    private void move(int j) {
        NodePartition lane = grants.laneOf(j);
        HostRequest demand = demands.of(j, lane.pool(), lane.type());
        HostLevel wanted = wish.of(j, demand);
        HostLevel floor = demand.floor();
        boolean isPlaced = place(j, wanted, floor, nodes -> hosts.holding(nodes, wanted, floor))
                || place(j, floor, floor, nodes -> hosts.holding(nodes, floor, floor))
                || place(j, floor, floor, nodes -> hosts.onceAllGive(nodes, floor));
        if (!isPlaced && seating.keep(j) && !stay(j)) {
            seating.remove(j);
        }
    }

    private boolean place(int j, HostLevel level, HostLevel floor, UnaryOperator<List<PlacementRule.FreeNode>> usable) {
        Found rule = new Found(usable);
        if (!seating.start(j, grants.laneOf(j), grants.slots(j), grants.aggregation(j), rule)) {
            return false;
        }
        hosts.makeRoom(snapshot.job(j).id(), rule.spots, level);
        hosts.enter(j, rule.spots, level, floor);
        return true;
    }

    private Map<String, Allocation> granted() {
        Map<String, Allocation> granted = new HashMap<>(seating.allocations());
        for (int j = 0; j < snapshot.jobs(); j++) {
            int job = j;
            hosts.level(j)
                    .ifPresent(level -> granted.computeIfPresent(
                            snapshot.job(job).id(), (id, given) -> given.withHost(demands.grant(job, level))));
        }
        return granted;
    }
}
