package dev.spur.solver.aggregation;

import dev.spur.model.aggregation.AggregationLayout;
import dev.spur.model.aggregation.Aggregator;
import dev.spur.model.aggregation.ShardAssignment;
import dev.spur.model.aggregation.Shards;
import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.aggregation.AggregatorSlots.AggregatorSlot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Says which aggregators there are, and which shards of which job lie on which of them, once it is decided which jobs
 * run and how many aggregation slots each of them holds on which nodes.
 *
 * <p>Aggregators stand within what the jobs hold. On each node the slots of all jobs that share, taken together, become
 * aggregators of one slot each and one for the rest; the {@link ShardPacker} packs the shards of these jobs onto as few
 * of them as it can. A job that does not share, or finds no room within the limits, has aggregators of its own on just
 * the slots that it holds: so there always is a layout.
 */
public final class AggregatorPlanner {
    private static final int NOWHERE = Integer.MAX_VALUE;

    private final ExpectedAggregationLoad expectation;
    private final AggregationLayout before;
    private final AggregatorSlots cells;
    private final Map<String, Allocation> own = new TreeMap<>();
    private final List<Aggregator> aggregators = new ArrayList<>();

    private AggregatorPlanner(RoundProblem problem, AggregationLayout before) {
        this.expectation = new ExpectedAggregationLoad(problem);
        this.before = before;
        this.cells = new AggregatorSlots(before);
    }

    /**
     * The aggregators for {@code running}.
     *
     * @param problem which holds the settings, the nodes and the jobs
     * @param running by job, what it is to hold; jobs with AllReduce are passed over
     * @param before where shards lie now; what need not move stays
     */
    public static AggregationLayout plan(
            RoundProblem problem, Map<String, Allocation> running, AggregationLayout before) {
        AggregatorPlanner planner = new AggregatorPlanner(problem, before);
        planner.sharing(running).values().forEach(planner::share);
        planner.own.forEach(planner::giveItsOwn);
        planner.aggregators.sort(Comparator.comparing(Aggregator::node).thenComparing(Aggregator::number));
        return new AggregationLayout(planner.aggregators);
    }

    /** By pool, the jobs that may share; the others are put among those with aggregators of their own. */
    private Map<String, Map<String, Allocation>> sharing(Map<String, Allocation> running) {
        Map<String, Map<String, Allocation>> byPool = new TreeMap<>();
        running.forEach((id, held) -> {
            if (expectation.mayShare(id, held)) {
                byPool.computeIfAbsent(held.configuration().pool(), pool -> new TreeMap<>())
                        .put(id, held);
            } else if (!held.aggregation().isEmpty()) {
                own.put(id, held);
            }
        });
        return byPool;
    }

    /**
     * Packs the jobs of a pool; whoever finds no room takes its slots out of the common ones, and the others are packed
     * again.
     */
    private void share(Map<String, Allocation> members) {
        while (!members.isEmpty()) {
            List<AggregatorSlot> common = common(members);
            List<AggregationDemand> demands = members.entrySet().stream()
                    .map(member -> expectation.demand(member.getKey(), member.getValue()))
                    .toList();
            ShardPacker.Result result = ShardPacker.arrange(
                    known(members, common),
                    demands,
                    common.stream().map(AggregatorSlot::capacity).toList(),
                    expectation.limits());
            if (result.refused().isEmpty()) {
                open(common, result.sharing().slots());
                return;
            }
            cells.forget(common);
            result.refused().forEach(id -> own.put(id, take(members, id)));
        }
    }

    private static Allocation take(Map<String, Allocation> members, String id) {
        Allocation held = members.remove(id);
        if (held == null) {
            throw new IllegalStateException("job %s was refused and is not there".formatted(id));
        }
        return held;
    }

    /** The slots of all members, on each node cut into aggregators. */
    private List<AggregatorSlot> common(Map<String, Allocation> members) {
        Map<String, Long> held = new TreeMap<>();
        members.values()
                .forEach(allocation -> allocation
                        .aggregation()
                        .forEach(share -> held.merge(share.node(), share.thousandths(), Long::sum)));
        List<AggregatorSlot> common = new ArrayList<>();
        held.forEach((node, thousandths) ->
                common.addAll(cells.cut(node, thousandths, jobs -> jobs.stream().anyMatch(members::containsKey))));
        return common;
    }

    /** Where the shards of the members lie now, as far as that is still there. */
    private ShardPlacement known(Map<String, Allocation> members, List<AggregatorSlot> common) {
        Map<String, Integer> places = new HashMap<>();
        for (int c = 0; c < common.size(); c++) {
            places.put(place(common.get(c).node(), common.get(c).number()), c);
        }
        Map<String, Integer[]> known = new HashMap<>();
        for (Aggregator aggregator : before.aggregators()) {
            int place = places.getOrDefault(place(aggregator.node(), aggregator.number()), NOWHERE);
            for (ShardAssignment portion : aggregator.portions()) {
                Allocation held = members.get(portion.jobId());
                if (held != null) {
                    Integer[] slots = known.computeIfAbsent(portion.jobId(), id -> nowhere(held));
                    portion.shards().stream().filter(s -> s < slots.length).forEach(s -> slots[s] = place);
                }
            }
        }
        Map<String, List<Integer>> slots = new HashMap<>();
        known.forEach((id, own) -> slots.put(id, List.of(own)));
        return new ShardPlacement(slots);
    }

    private static Integer[] nowhere(Allocation held) {
        Integer[] slots = new Integer[Shards.of(held.configuration())];
        Arrays.fill(slots, NOWHERE);
        return slots;
    }

    private static String place(String node, int number) {
        return number + " of " + node;
    }

    /** Shares the shards of a job out over the slots that it holds, in proportion. */
    private void giveItsOwn(String id, Allocation held) {
        List<AggregatorSlot> mine = new ArrayList<>();
        for (AggregationShare share : held.aggregation()) {
            mine.addAll(cells.cut(share.node(), share.thousandths(), jobs -> jobs.equals(Collections.singleton(id))));
        }
        int[] count = new int[mine.size()];
        List<Integer> slots = new ArrayList<>();
        for (int s = 0; s < Shards.of(held.configuration()); s++) {
            int least = 0;
            for (int c = 1; c < count.length; c++) {
                if ((count[c] + 1) / mine.get(c).capacity()
                        < (count[least] + 1) / mine.get(least).capacity()) {
                    least = c;
                }
            }
            count[least]++;
            slots.add(least);
        }
        open(mine, Map.of(id, slots));
    }

    /** The aggregators of those cells on which something lies. */
    private void open(List<AggregatorSlot> open, Map<String, List<Integer>> slots) {
        Map<Integer, Map<String, List<Integer>>> content = new TreeMap<>();
        new TreeMap<>(slots).forEach((id, own) -> {
            for (int s = 0; s < own.size(); s++) {
                content.computeIfAbsent(own.get(s), c -> new TreeMap<>())
                        .computeIfAbsent(id, job -> new ArrayList<>())
                        .add(s);
            }
        });
        content.forEach((c, byJob) -> {
            AggregatorSlot cell = open.get(c);
            List<ShardAssignment> portions = new ArrayList<>();
            byJob.forEach((id, shards) -> portions.add(new ShardAssignment(id, shards)));
            aggregators.add(new Aggregator(cell.node(), cell.number(), cell.capacity(), portions));
        });
    }
}
