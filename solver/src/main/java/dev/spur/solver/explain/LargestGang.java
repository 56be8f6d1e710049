package dev.spur.solver.explain;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.NodeClassName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

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
        Map<NodeClassName, List<Integer>> slots = new HashMap<>();
        TreeSet<String> registered = new TreeSet<>();
        for (Node node : problem.nodes()) {
            String type = node.acceleratorType();
            if (type == null) {
                continue;
            }
            registered.add(type);
            if (job.spec().elasticity().allowsPool(node.pool())
                    && job.spec().elasticity().allowsType(type)) {
                slots.computeIfAbsent(NodeClassName.of(node), k -> new ArrayList<>())
                        .add(slots(node, job.spec().host()));
            }
        }
        LargestGang largest = new LargestGang(0, "", List.copyOf(registered));
        for (Map.Entry<NodeClassName, List<Integer>> entry : slots.entrySet()) {
            int gang = gang(entry.getValue(), job);
            LargestGang next = new LargestGang(gang, entry.getKey().place(), largest.registered());
            largest = next.isBefore(largest) ? next : largest;
        }
        return largest;
    }

    private static int gang(List<Integer> slotsOfNodes, Job job) {
        slotsOfNodes.sort(Collections.reverseOrder());
        int gang = 0;
        for (int nodes = 1; nodes <= slotsOfNodes.size(); nodes++) {
            if (!job.spec().elasticity().allowsNodes(nodes)) {
                break;
            }
            gang += slotsOfNodes.get(nodes - 1);
        }
        return gang;
    }

    private static int slots(Node node, HostDemand host) {
        double slots = node.slots();
        if (host.cpusPerSlot() > 0) {
            slots = Math.min(slots, Math.floor(node.cpus() / host.cpusPerSlot()));
        }
        if (host.memoryGiBPerSlot() > 0) {
            slots = Math.min(slots, Math.floor(node.memoryGiB() / host.memoryGiBPerSlot()));
        }
        return (int) slots;
    }

    /** Returns whether this gang is larger, or as large and first by name. */
    private boolean isBefore(LargestGang other) {
        if (slots != other.slots) {
            return slots > other.slots;
        }
        return slots > 0 && place.compareTo(other.place) < 0;
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
