package dev.spur.model.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A node that a reservation may take.
 *
 * @param id its id
 * @param slots its accelerators
 * @param nonPreemptible true if a job that must not be preempted runs on it
 */
public record AvailableNode(String id, int slots, boolean nonPreemptible) {
    /**
     * Returns the ids of the minimum number of nodes with {@code count} slots in total. Nodes with a job that must not
     * be preempted come last; among equal choices, the smallest sufficient node is taken.
     *
     * @return all of {@code openNodes} if they have less than {@code count} slots
     */
    public static List<String> smallestSet(List<AvailableNode> openNodes, int count) {
        List<AvailableNode> left = new ArrayList<>(openNodes);
        left.sort(Comparator.comparing(AvailableNode::nonPreemptible)
                .thenComparing(AvailableNode::slots, Comparator.reverseOrder()));
        List<String> taken = new ArrayList<>();
        int missing = count;
        while (missing > 0 && !left.isEmpty()) {
            AvailableNode next = left.get(0);
            for (AvailableNode other : left) {
                if (other.nonPreemptible() == next.nonPreemptible()
                        && other.slots() >= missing
                        && other.slots() < next.slots()) {
                    next = other;
                }
            }
            left.remove(next);
            taken.add(next.id());
            missing -= next.slots();
        }
        return taken;
    }
}
