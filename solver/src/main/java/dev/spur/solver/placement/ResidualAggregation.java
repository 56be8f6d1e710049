package dev.spur.solver.placement;

import dev.spur.model.cluster.Pool;
import dev.spur.solver.candidate.CandidateSet;
import java.util.List;

/** Free aggregation slots of each pool for jobs that may move, in thousandths. Queries are thread-safe. */
final class ResidualAggregation {
    private final List<Pool> pools;
    private final long[] left;

    /** Creates the capacity that pinned jobs leave. */
    ResidualAggregation(CandidateSet candidates) {
        pools = candidates.problem().pools();
        left = pools.stream()
                .mapToLong(pool -> candidates.aggregationThousandths(pool.name()))
                .toArray();
    }

    /** Returns the number of the pool {@code name}; -1 if the problem has no such pool. */
    static int indexOf(List<Pool> pools, String name) {
        for (int p = 0; p < pools.size(); p++) {
            if (pools.get(p).name().equals(name)) {
                return p;
            }
        }
        return -1;
    }

    /** Returns the free thousandths of the pool {@code name}. */
    long remaining(String name) {
        int p = indexOf(pools, name);
        return p < 0 ? 0 : left[p];
    }

    /** Returns whether pool {@code p} has {@code thousandths} free. */
    boolean allows(int p, long thousandths) {
        return thousandths == 0 || (p >= 0 && thousandths <= left[p]);
    }

    /** Takes {@code thousandths} from pool {@code p}; a negative number returns them. */
    void take(int p, long thousandths) {
        if (p >= 0) {
            left[p] -= thousandths;
        }
    }
}
