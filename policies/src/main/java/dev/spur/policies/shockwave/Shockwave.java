package dev.spur.policies.shockwave;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PartitionAssignment;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Shockwave, partition by partition. It plans a window of rounds for rigid jobs, by the logarithms of their progress
 * and the longest remaining time. It replans when jobs arrive or end, or when the window is over. In each round, jobs
 * that need all remaining rounds go first, then the jobs that are furthest behind. Idle slots go to the jobs with the
 * longest remaining time that fit.
 *
 * <p>Source: Zheng et al., NSDI '23. A partial reconstruction: rounds are counted per job and ordered round by round,
 * where the paper has a second program. Run times are those of the profile, where the paper predicts changes of the
 * batch size.
 */
public final class Shockwave implements Policy {
    private static final String LEFT = "shockwave/left/";
    private static final String UNTIL = "shockwave/until";
    private static final String JOBS = "shockwave/jobs";
    private static final String BEFORE = "shockwave/now";

    private final String name;
    private final ShockwaveSettings settings;

    public Shockwave(String name, ShockwaveSettings settings) {
        this.name = name;
        this.settings = settings;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        SlotAllocations allocations = new SlotAllocations(view);
        Map<String, Double> counters = new HashMap<>();
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        Map<Integer, Double> left = isKnown(view) ? remainingRounds(view) : planRounds(view, assigned);
        double until = isKnown(view) ? before(view, UNTIL, 0) : view.now() + settings.windowSeconds();
        for (NodePartition partition : view.partitions()) {
            schedule(allocations, partition, runnable(view, partition, assigned), left, until);
        }
        left.forEach((j, rounds) -> counters.put(LEFT + view.job(j).id(), rounds));
        counters.put(UNTIL, until);
        counters.put(JOBS, (double) view.jobs());
        counters.put(BEFORE, view.now());
        return PlacementState.decide(allocations, new RoundMemory(Map.of(), counters));
    }

    private static double before(RoundView view, String name, double otherwise) {
        return view.problem().memory().counters().getOrDefault(name, otherwise);
    }

    /** Returns true if the window continues with the same jobs. */
    private static boolean isKnown(RoundView view) {
        return view.now() < before(view, UNTIL, Double.NEGATIVE_INFINITY)
                && before(view, JOBS, -1) == view.jobs()
                && IntStream.range(0, view.jobs())
                        .allMatch(j -> before(view, LEFT + view.job(j).id(), -1) >= 0);
    }

    /** Returns the rounds still due to each job, less those received since the last decision. */
    private Map<Integer, Double> remainingRounds(RoundView view) {
        double passed = (view.now() - before(view, BEFORE, view.now())) / settings.roundSeconds();
        Map<Integer, Double> left = new HashMap<>();
        for (int j = 0; j < view.jobs(); j++) {
            double had = view.heldSlots(j) > 0 ? passed : 0;
            left.put(j, Math.max(0, before(view, LEFT + view.job(j).id(), 0) - had));
        }
        return left;
    }

    private Map<Integer, Double> planRounds(RoundView view, List<List<Integer>> assigned) {
        Map<Integer, Double> left = new HashMap<>();
        IntStream.range(0, view.jobs()).forEach(j -> left.put(j, 0.0));
        for (NodePartition partition : view.partitions()) {
            List<Integer> jobs = runnable(view, partition, assigned);
            if (!jobs.isEmpty()) {
                WindowProgram program = new WindowProgram(view, partition, jobs, partition.slots(), settings);
                program.solve().forEach((j, rounds) -> left.put(j, (double) rounds));
            }
        }
        return left;
    }

    private static List<Integer> runnable(RoundView view, NodePartition partition, List<List<Integer>> assigned) {
        return assigned.get(partition.index()).stream()
                .filter(j -> view.goodput(j, partition, view.requestedSlots(j)) > 0
                        && view.job(j).remainingSamples() > 0)
                .toList();
    }

    private void schedule(
            SlotAllocations allocations,
            NodePartition partition,
            List<Integer> jobs,
            Map<Integer, Double> left,
            double until) {
        RoundView view = allocations.view();
        double roundsLeft = Math.ceil((until - view.now()) / settings.roundSeconds() - 1e-9);
        Comparator<Integer> order = Comparator.comparing((Integer j) -> left.getOrDefault(j, 0.0) < roundsLeft)
                .thenComparing(j -> view.heldSlots(j) == 0)
                .thenComparingDouble(j -> -WindowProgram.lateness(view, partition, jobs, j, settings.lateByClock()))
                .thenComparing(JobOrders.ties(view));
        jobs.stream()
                .filter(j -> left.getOrDefault(j, 0.0) > 0)
                .sorted(order)
                .forEach(j -> allocations.grant(j, partition, view.requestedSlots(j)));
        Comparator<Integer> longestRest =
                Comparator.comparingDouble(j -> -view.remainingSeconds(j, partition, view.requestedSlots(j)));
        jobs.stream()
                .filter(j -> allocations.slots(j) == 0)
                .sorted(longestRest.thenComparing(JobOrders.ties(view)))
                .forEach(j -> allocations.grant(j, partition, view.requestedSlots(j)));
    }
}
