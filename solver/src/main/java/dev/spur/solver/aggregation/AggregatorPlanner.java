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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Planner of the aggregators: it assigns the shards of each job to aggregators after the plan has decided which jobs
 * run and how many aggregation slots each holds on which nodes.
 *
 * <p>Aggregators use only CPUs that the plan counts. For jobs that share, these are on each node the sum of effective
 * bandwidths, at least the largest share. They become aggregators of one slot each and one for the remainder, onto
 * which the {@link ShardPacker} packs the shards of these jobs. Where that fails, the shards of all of these jobs are
 * spread evenly. Where that breaks the limits, too, only those of jobs without room are, and the pool counts as
 * overloaded. A layout therefore always exists.
 */
public final class AggregatorPlanner {
    private static final int NOWHERE = Integer.MAX_VALUE;
    private static final double ROUNDING = 1e-6;

    private final ExpectedAggregationLoad expectedLoad;
    private final AggregationLayout previousLayout;
    private final AggregatorSlots aggregatorSlots;
    private final Map<String, Allocation> ownAllocations = new TreeMap<>();
    private final List<Aggregator> aggregators = new ArrayList<>();
    private final Set<String> overloadedPools = new TreeSet<>();
    private final Set<String> unfitJobs = new TreeSet<>();

    private AggregatorPlanner(RoundProblem problem, AggregationLayout previousLayout) {
        this.expectedLoad = new ExpectedAggregationLoad(problem);
        this.previousLayout = previousLayout;
        this.aggregatorSlots = new AggregatorSlots(previousLayout);
    }

    /**
     * Plans the aggregators for {@code runningAllocations}.
     *
     * @param problem the settings, nodes and jobs
     * @param runningAllocations allocation by job; jobs with AllReduce are ignored
     * @param previousLayout present places of the shards; a shard moves only if it must
     */
    public static AggregationLayout plan(
            RoundProblem problem, Map<String, Allocation> runningAllocations, AggregationLayout previousLayout) {
        AggregatorPlanner planner = new AggregatorPlanner(problem, previousLayout);
        planner.sharing(runningAllocations).forEach(planner::share);
        planner.ownAllocations.forEach(planner::assignOwnSlots);
        planner.aggregators.sort(Comparator.comparing(Aggregator::node).thenComparing(Aggregator::number));
        return new AggregationLayout(planner.aggregators, planner.overloadedPools, planner.unfitJobs);
    }

    /** Returns by pool the jobs that may share; the other jobs get aggregators of their own. */
    private Map<String, Map<String, Allocation>> sharing(Map<String, Allocation> runningAllocations) {
        Map<String, Map<String, Allocation>> byPool = new TreeMap<>();
        runningAllocations.forEach((id, heldAllocation) -> {
            if (expectedLoad.mayShare(id, heldAllocation)) {
                byPool.computeIfAbsent(heldAllocation.configuration().pool(), pool -> new TreeMap<>())
                        .put(id, heldAllocation);
            } else if (!heldAllocation.aggregation().isEmpty()) {
                ownAllocations.put(id, heldAllocation);
            }
        });
        return byPool;
    }

    /** Packs the jobs of a pool. */
    private void share(String pool, Map<String, Allocation> memberAllocations) {
        List<AggregatorSlot> commonSlots = common(memberAllocations);
        List<AggregationDemand> demands = memberAllocations.entrySet().stream()
                .map(member -> expectedLoad.demand(member.getKey(), member.getValue()))
                .toList();
        ShardPacker.Result result = ShardPacker.arrange(
                previousPlacement(memberAllocations, commonSlots),
                demands,
                commonSlots.stream().map(AggregatorSlot::capacity).toList(),
                expectedLoad.limits());
        Map<String, List<Integer>> slots =
                new TreeMap<>(result.sharingPlacement().slots());
        if (!result.rejected().isEmpty()) {
            Map<String, List<Integer>> even = new TreeMap<>();
            memberAllocations.forEach(
                    (id, allocation) -> even.put(id, evenly(Shards.of(allocation.configuration()), commonSlots)));
            if (isWithinLimits(even, demands, commonSlots)) {
                slots = even;
            } else {
                overloadedPools.add(pool);
                unfitJobs.addAll(result.rejected());
                for (String id : result.rejected()) {
                    slots.put(id, even.getOrDefault(id, List.of()));
                }
            }
        }
        open(commonSlots, slots);
    }

    /** Returns whether the shards of {@code demands} on {@code slots} keep the limits of sharing. */
    private boolean isWithinLimits(
            Map<String, List<Integer>> slots, List<AggregationDemand> demands, List<AggregatorSlot> commonSlots) {
        SharingLimits limits = expectedLoad.limits();
        List<SharedSlot> sharedSlots = commonSlots.stream()
                .map(slot -> new SharedSlot(limits, slot.capacity()))
                .toList();
        for (AggregationDemand demand : demands) {
            List<Integer> own = slots.getOrDefault(demand.job(), List.of());
            for (int s = 0; s < own.size(); s++) {
                sharedSlots.get(own.get(s)).add(demand, demand.shardSeconds().get(s));
            }
        }
        List<Double> losses = demands.stream()
                .map(demand -> sharedSlots.stream()
                        .mapToDouble(slot -> slot.loss(demand.job()))
                        .max()
                        .orElse(0))
                .toList();
        double mean = losses.stream()
                .mapToDouble(loss -> loss)
                .filter(loss -> loss > 0)
                .average()
                .orElse(0);
        return sharedSlots.stream().allMatch(slot -> slot.utilization() <= limits.utilization() + ROUNDING)
                && losses.stream().allMatch(loss -> loss <= limits.maxStallFraction() + ROUNDING)
                && mean <= limits.meanStallFraction() + ROUNDING;
    }

    /** Returns the CPUs that all members need, cut into aggregators on each node. */
    private List<AggregatorSlot> common(Map<String, Allocation> memberAllocations) {
        Map<String, Double> sums = new TreeMap<>();
        Map<String, Long> widest = new TreeMap<>();
        memberAllocations.forEach((id, allocation) -> {
            AggregatorDemand demand = expectedLoad.need(id, allocation);
            for (AggregationShare share : allocation.aggregation()) {
                double cpus = (double) share.thousandths() * demand.cpus() / demand.slots();
                sums.merge(share.node(), cpus, Double::sum);
                widest.merge(share.node(), share.thousandths(), Math::max);
            }
        });
        List<AggregatorSlot> commonSlots = new ArrayList<>();
        sums.forEach((node, sum) -> {
            long thousandths = Math.max((long) Math.ceil(sum - ROUNDING), widest.getOrDefault(node, 0L));
            commonSlots.addAll(aggregatorSlots.cut(
                    node, thousandths, jobs -> jobs.stream().anyMatch(memberAllocations::containsKey)));
        });
        return commonSlots;
    }

    /** Returns the present places of the members' shards that still exist. */
    private ShardPlacement previousPlacement(
            Map<String, Allocation> memberAllocations, List<AggregatorSlot> commonSlots) {
        Map<String, Integer> places = new HashMap<>();
        for (int c = 0; c < commonSlots.size(); c++) {
            places.put(place(commonSlots.get(c).node(), commonSlots.get(c).number()), c);
        }
        Map<String, Integer[]> known = new HashMap<>();
        for (Aggregator aggregator : previousLayout.aggregators()) {
            int place = places.getOrDefault(place(aggregator.node(), aggregator.number()), NOWHERE);
            for (ShardAssignment jobShards : aggregator.shardsByJob()) {
                Allocation heldAllocation = memberAllocations.get(jobShards.jobId());
                if (heldAllocation != null) {
                    Integer[] slots = known.computeIfAbsent(jobShards.jobId(), id -> nowhere(heldAllocation));
                    jobShards.shards().stream().filter(s -> s < slots.length).forEach(s -> slots[s] = place);
                }
            }
        }
        Map<String, List<Integer>> slots = new HashMap<>();
        known.forEach((id, own) -> slots.put(id, List.of(own)));
        return new ShardPlacement(slots);
    }

    private static Integer[] nowhere(Allocation heldAllocation) {
        Integer[] slots = new Integer[Shards.of(heldAllocation.configuration())];
        Arrays.fill(slots, NOWHERE);
        return slots;
    }

    private static String place(String node, int number) {
        return number + " of " + node;
    }

    /** Distributes the shards of a job over the slots that it holds, in proportion to their capacity. */
    private void assignOwnSlots(String id, Allocation heldAllocation) {
        List<AggregatorSlot> mine = new ArrayList<>();
        for (AggregationShare share : heldAllocation.aggregation()) {
            mine.addAll(aggregatorSlots.cut(
                    share.node(), share.thousandths(), jobs -> jobs.equals(Collections.singleton(id))));
        }
        open(mine, Map.of(id, evenly(Shards.of(heldAllocation.configuration()), mine)));
    }

    /** Returns a slot for each of {@code shards} shards, in proportion to the capacity of the slots. */
    private static List<Integer> evenly(int shards, List<AggregatorSlot> someSlots) {
        int[] count = new int[someSlots.size()];
        List<Integer> slots = new ArrayList<>();
        for (int s = 0; s < shards; s++) {
            int min = 0;
            for (int c = 1; c < count.length; c++) {
                if ((count[c] + 1) / someSlots.get(c).capacity()
                        < (count[min] + 1) / someSlots.get(min).capacity()) {
                    min = c;
                }
            }
            count[min]++;
            slots.add(min);
        }
        return slots;
    }

    /** Adds the aggregators of those slots that hold a shard. */
    private void open(List<AggregatorSlot> openSlots, Map<String, List<Integer>> slots) {
        Map<Integer, Map<String, List<Integer>>> content = new TreeMap<>();
        new TreeMap<>(slots).forEach((id, own) -> {
            for (int s = 0; s < own.size(); s++) {
                content.computeIfAbsent(own.get(s), c -> new TreeMap<>())
                        .computeIfAbsent(id, job -> new ArrayList<>())
                        .add(s);
            }
        });
        content.forEach((c, byJob) -> {
            AggregatorSlot cell = openSlots.get(c);
            List<ShardAssignment> shardsByJob = new ArrayList<>();
            byJob.forEach((id, shards) -> shardsByJob.add(new ShardAssignment(id, shards)));
            aggregators.add(new Aggregator(cell.node(), cell.number(), cell.capacity(), shardsByJob));
        });
    }
}
