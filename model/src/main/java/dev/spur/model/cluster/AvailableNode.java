package dev.spur.model.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A node that may be kept for somebody.
 *
 * @param id its id
 * @param slots its accelerators
 * @param untouchable true if a job is on it that may not be stopped
 */
public record AvailableNode(String id, int slots, boolean untouchable) {
    /**
     * Ids of the fewest nodes with {@code count} slots, those with jobs that may not be stopped last, and of them the
     * smallest that will do.
     *
     * @return all of {@code open} if they have not so many
     */
    public static List<String> fewest(List<AvailableNode> open, int count) {
        List<AvailableNode> left = new ArrayList<>(open);
        left.sort(Comparator.comparing(AvailableNode::untouchable)
                .thenComparing(AvailableNode::slots, Comparator.reverseOrder()));
        List<String> taken = new ArrayList<>();
        int missing = count;
        while (missing > 0 && !left.isEmpty()) {
            AvailableNode next = left.get(0);
            for (AvailableNode other : left) {
                if (other.untouchable() == next.untouchable()
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
