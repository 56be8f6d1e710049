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
 * Selection of loaned nodes to return, one by one, the cheapest first. The cost of a node is the loss of the jobs that
 * would have to stop: weight times the sum of restart penalty and time since the last checkpoint. A job that holds
 * enough slots above its minimum only shrinks, at no cost.
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
            Allocation heldAllocation = job.allocation();
            if (heldAllocation != null) {
                int minimum = job.spec()
                        .elasticity()
                        .minCount()
                        .orElse(heldAllocation.configuration().slots());
                spare.put(job.id(), heldAllocation.configuration().slots() - minimum);
            }
        }
    }

    /**
     * Returns the ids of {@code count} of the {@code lent} nodes, in the order in which they should be returned; all of
     * them if there are fewer.
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
            reclaim.reclaim(next);
        }
        return chosen;
    }

    /** Returns the cost of returning {@code node} now. */
    private double cost(String node) {
        double sum = 0;
        for (Job job : problem.jobs()) {
            int slots = slotsOn(job, node);
            if (slots > 0 && slots > spareOf(job)) {
                double lost = job.spec().restartPenaltySeconds() + secondsSinceCheckpoint.applyAsDouble(job);
                sum += job.spec().weight() * lost;
            }
        }
        return sum;
    }

    /** Returns a node; the other nodes of the jobs that it stops then cost nothing more. */
    private void reclaim(String node) {
        for (Job job : problem.jobs()) {
            int slots = slotsOn(job, node);
            if (slots > 0) {
                boolean stops = slots > spareOf(job);
                spare.put(job.id(), stops ? Integer.MAX_VALUE : spareOf(job) - slots);
            }
        }
    }

    private int spareOf(Job job) {
        return spare.getOrDefault(job.id(), 0);
    }

    private static int slotsOn(Job job, String node) {
        Allocation heldAllocation = job.allocation();
        return heldAllocation == null
                ? 0
                : heldAllocation.placement().stream()
                        .filter(share -> share.node().equals(node))
                        .mapToInt(NodeShare::slots)
                        .sum();
    }
}
