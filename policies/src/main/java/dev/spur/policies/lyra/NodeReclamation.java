package dev.spur.policies.lyra;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Which lent nodes to give back: one after the other, the one that costs least. A node costs what is lost of the jobs
 * that would have to stop: weight times restart penalty and the time since the last checkpoint. A job that can do
 * without the slots that it has there, since it holds more than its fewest, only shrinks, and costs nothing.
 *
 * <p>Source: Li et al., Lyra, EuroSys '23; the cost is a reconstruction.
 */
public final class NodeReclamation {
    private final RoundProblem problem;
    private final ToDoubleFunction<Job> secondsSinceCheckpoint;
    private final Map<String, Integer> spare = new HashMap<>();

    private NodeReclamation(RoundProblem problem, ToDoubleFunction<Job> secondsSinceCheckpoint) {
        this.problem = problem;
        this.secondsSinceCheckpoint = secondsSinceCheckpoint;
        for (Job job : problem.jobs()) {
            Allocation held = job.allocation();
            if (held != null) {
                int fewest = job.spec()
                        .elasticity()
                        .minCount()
                        .orElse(held.configuration().slots());
                spare.put(job.id(), held.configuration().slots() - fewest);
            }
        }
    }

    /**
     * Ids of {@code count} of the {@code lent} nodes, in the order in which they should be given back; all if there are
     * fewer.
     *
     * @param secondsSinceCheckpoint work of a job that a stop would lose, in seconds
     */
    public static List<String> nodes(
            RoundProblem problem, List<String> lent, int count, ToDoubleFunction<Job> secondsSinceCheckpoint) {
        NodeReclamation reclaim = new NodeReclamation(problem, secondsSinceCheckpoint);
        List<String> left = new ArrayList<>(lent);
        List<String> chosen = new ArrayList<>();
        while (chosen.size() < count && !left.isEmpty()) {
            String next = left.stream()
                    .min(Comparator.comparingDouble(reclaim::cost).thenComparing(Comparator.naturalOrder()))
                    .orElseThrow();
            left.remove(next);
            chosen.add(next);
            reclaim.giveBack(next);
        }
        return chosen;
    }

    /** What is lost if {@code node} goes now. */
    private double cost(String node) {
        double sum = 0;
        for (Job job : problem.jobs()) {
            int there = slotsOn(job, node);
            if (there > 0 && there > spareOf(job)) {
                double lost = job.spec().restartPenaltySeconds() + secondsSinceCheckpoint.applyAsDouble(job);
                sum += job.spec().effectiveWeight() * lost;
            }
        }
        return sum;
    }

    /** A job that had to stop costs no more when its next node goes. */
    private void giveBack(String node) {
        for (Job job : problem.jobs()) {
            int there = slotsOn(job, node);
            if (there > 0) {
                boolean stops = there > spareOf(job);
                spare.put(job.id(), stops ? Integer.MAX_VALUE : spareOf(job) - there);
            }
        }
    }

    private int spareOf(Job job) {
        return spare.getOrDefault(job.id(), 0);
    }

    private static int slotsOn(Job job, String node) {
        Allocation held = job.allocation();
        return held == null
                ? 0
                : held.placement().stream()
                        .filter(piece -> piece.node().equals(node))
                        .mapToInt(NodeShare::slots)
                        .sum();
    }
}
