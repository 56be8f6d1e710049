package dev.spur.policies.support;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Enforcement of the restart limit after the decision of a policy, because no published policy has such a limit. */
final class RestartLimitEnforcement {
    private RestartLimitEnforcement() {}

    /**
     * Returns the jobs that keep their allocation because the restart limit is reached. Jobs whose slots change use the
     * limit first, in the order of their grants, then jobs that stop; all further jobs stay.
     */
    static Set<Integer> unchangedJobs(SlotAllocations allocations) {
        RoundView view = allocations.view();
        int limit = view.maxRestarts();
        if (limit == Integer.MAX_VALUE) {
            return Set.of();
        }
        List<Integer> order = allocations.order();
        Stream<Integer> changing = order.stream().filter(j -> !PlacementState.isUnchanged(allocations, j));
        Stream<Integer> stopping = IntStream.range(0, view.jobs())
                .filter(j -> allocations.slots(j) == 0)
                .boxed();
        return Stream.concat(changing, stopping)
                .filter(j -> !view.isPinned(j) && view.mayStay(j))
                .skip(limit)
                .collect(HashSet::new, Set::add, Set::addAll);
    }
}
