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
 * Shockwave, lane by lane: plans a window of rounds at once for jobs of fixed slots, by the logarithms of their
 * progress and the longest rest; when jobs come or go, or the window is over, it plans anew. In each round those go
 * first who need all rounds that are left, then those who are latest; idle slots go to the jobs with the longest rest
 * that fit.
 *
 * <p>Source: Zheng et al., NSDI '23. A reconstruction in part: rounds are counted for each job, and put in order round
 * by round, where the paper has a second program; run times are those of the profile, where it predicts changes of
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
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        SlotAllocations grants = new SlotAllocations(snapshot);
        Map<String, Double> counters = new HashMap<>();
        List<List<Integer>> dealt = PartitionAssignment.byLane(snapshot);
        Map<Integer, Double> left = isKnown(snapshot) ? known(snapshot) : planned(snapshot, dealt);
        double until = isKnown(snapshot) ? before(snapshot, UNTIL, 0) : snapshot.now() + settings.windowSeconds();
        for (NodePartition lane : snapshot.lanes()) {
            serve(grants, lane, runnable(snapshot, lane, dealt), left, until);
        }
        left.forEach((j, rounds) -> counters.put(LEFT + snapshot.job(j).id(), rounds));
        counters.put(UNTIL, until);
        counters.put(JOBS, (double) snapshot.jobs());
        counters.put(BEFORE, snapshot.now());
        return PlacementState.decide(grants, new RoundMemory(Map.of(), counters));
    }

    private static double before(RoundView snapshot, String name, double otherwise) {
        return snapshot.problem().memory().counters().getOrDefault(name, otherwise);
    }

    /** True if the window goes on with the same jobs. */
    private static boolean isKnown(RoundView snapshot) {
        return snapshot.now() < before(snapshot, UNTIL, Double.NEGATIVE_INFINITY)
                && before(snapshot, JOBS, -1) == snapshot.jobs()
                && IntStream.range(0, snapshot.jobs())
                        .allMatch(j -> before(snapshot, LEFT + snapshot.job(j).id(), -1) >= 0);
    }

    /** Rounds still to come, less what was given since the last decision. */
    private Map<Integer, Double> known(RoundView snapshot) {
        double passed = (snapshot.now() - before(snapshot, BEFORE, snapshot.now())) / settings.roundSeconds();
        Map<Integer, Double> left = new HashMap<>();
        for (int j = 0; j < snapshot.jobs(); j++) {
            double had = snapshot.held(j) > 0 ? passed : 0;
            left.put(j, Math.max(0, before(snapshot, LEFT + snapshot.job(j).id(), 0) - had));
        }
        return left;
    }

    private Map<Integer, Double> planned(RoundView snapshot, List<List<Integer>> dealt) {
        Map<Integer, Double> left = new HashMap<>();
        IntStream.range(0, snapshot.jobs()).forEach(j -> left.put(j, 0.0));
        for (NodePartition lane : snapshot.lanes()) {
            List<Integer> jobs = runnable(snapshot, lane, dealt);
            if (!jobs.isEmpty()) {
                WindowProgram program = new WindowProgram(snapshot, lane, jobs, lane.slots(), settings);
                program.solve().forEach((j, rounds) -> left.put(j, (double) rounds));
            }
        }
        return left;
    }

    private static List<Integer> runnable(RoundView snapshot, NodePartition lane, List<List<Integer>> dealt) {
        return dealt.get(lane.index()).stream()
                .filter(j -> snapshot.goodput(j, lane, snapshot.requested(j)) > 0
                        && snapshot.job(j).remainingSamples() > 0)
                .toList();
    }

    private void serve(
            SlotAllocations grants, NodePartition lane, List<Integer> jobs, Map<Integer, Double> left, double until) {
        RoundView snapshot = grants.snapshot();
        double roundsLeft = Math.ceil((until - snapshot.now()) / settings.roundSeconds() - 1e-9);
        Comparator<Integer> order = Comparator.comparing((Integer j) -> left.getOrDefault(j, 0.0) < roundsLeft)
                .thenComparing(j -> snapshot.held(j) == 0)
                .thenComparingDouble(j -> -WindowProgram.lateness(snapshot, lane, jobs, j, settings.lateByClock()))
                .thenComparing(JobOrders.ties(snapshot));
        jobs.stream()
                .filter(j -> left.getOrDefault(j, 0.0) > 0)
                .sorted(order)
                .forEach(j -> grants.give(j, lane, snapshot.requested(j)));
        Comparator<Integer> longestRest =
                Comparator.comparingDouble(j -> -snapshot.remainingSeconds(j, lane, snapshot.requested(j)));
        jobs.stream()
                .filter(j -> grants.slots(j) == 0)
                .sorted(longestRest.thenComparing(JobOrders.ties(snapshot)))
                .forEach(j -> grants.give(j, lane, snapshot.requested(j)));
    }
}
