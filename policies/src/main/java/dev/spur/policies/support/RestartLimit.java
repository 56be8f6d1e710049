package dev.spur.policies.support;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The operator's limit on restarts, which no published policy knows. */
final class RestartLimit {
    private RestartLimit() {}

    /**
     * Jobs that stay as they are because the limit of restarts is reached. Those whose slots change go first in the
     * order of their grants, then those that are to stop; whoever is left when the limit is reached stays.
     */
    static Set<Integer> heldBack(SlotAllocations grants) {
        RoundView snapshot = grants.snapshot();
        int limit = snapshot.mostRestarts();
        if (limit == Integer.MAX_VALUE) {
            return Set.of();
        }
        List<Integer> order = grants.order();
        Stream<Integer> changing = order.stream().filter(j -> !PlacementState.isUnchanged(grants, j));
        Stream<Integer> stopping = IntStream.range(0, snapshot.jobs())
                .filter(j -> grants.slots(j) == 0)
                .boxed();
        return Stream.concat(changing, stopping)
                .filter(j -> !snapshot.isPinned(j) && snapshot.mayStay(j))
                .skip(limit)
                .collect(HashSet::new, Set::add, Set::addAll);
    }
}
