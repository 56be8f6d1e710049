package dev.spur.solver.explain;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.NodeClassName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Largest gang of a job that fits the idle cluster, within one pool and accelerator type.
 *
 * @param slots its number of slots; 0 if no node fits
 * @param place its pool and accelerator type; empty if no node fits
 * @param registered accelerator types of all nodes, in alphabetical order
 */
record LargestGang(int slots, String place, List<String> registered) {
    /**
     * Returns the largest gang by the pools, accelerator types, nodes per job and host demand of {@code job}. States of
     * nodes, reservations and aggregation slots are ignored.
     */
    static LargestGang of(RoundProblem problem, Job job) {
        Elasticity elasticity = job.spec().elasticity();
        List<Node> typed = problem.nodes().stream()
                .filter(node -> node.acceleratorType() != null)
                .toList();
        List<String> registered = typed.stream()
                .map(node -> String.valueOf(node.acceleratorType()))
                .distinct()
                .sorted()
                .toList();
        Map<String, List<Node>> allowed = typed.stream()
                .filter(node -> elasticity.allowsPool(node.pool())
                        && elasticity.allowsType(String.valueOf(node.acceleratorType())))
                .collect(Collectors.groupingBy(
                        node -> NodeClassName.of(node).place(), TreeMap::new, Collectors.toList()));
        LargestGang largest = new LargestGang(0, "", registered);
        for (Map.Entry<String, List<Node>> entry : allowed.entrySet()) {
            int slots = job.spec().host().largestGang(entry.getValue(), elasticity.maxNodes());
            largest = slots > largest.slots ? new LargestGang(slots, entry.getKey(), registered) : largest;
        }
        return largest;
    }

    /** Returns the message for a job that needs at least {@code needed} slots. */
    String message(int needed) {
        String types = "Registered accelerator types: %s.".formatted(String.join(", ", registered));
        String needs = "Needs %d %s; no configuration fits the idle cluster".formatted(needed, word(needed));
        if (slots == 0) {
            return needs + ": no allowed node has a slot with enough CPU and memory. " + types;
        }
        String largest = ". The largest possible gang is %d %s of %s".formatted(slots, word(slots), place);
        return slots < needed
                ? needs + largest + ". " + types
                : needs + largest + ", but no allowed number of slots fits with the aggregation slots that it needs. "
                        + types;
    }

    private static String word(int slots) {
        return slots == 1 ? "slot" : "slots";
    }
}
