package dev.spur.simulator.trace.rigid;

import java.util.stream.IntStream;

/** Allowed numbers of nodes of a recorded job. */
enum MaxNodes {
    /** One node, 2, 4, 8 and so on, up to the number of slots. */
    DOUBLING {
        @Override
        IntStream nodes(int slots, int perNode) {
            return IntStream.concat(
                    IntStream.iterate(1, nodes -> nodes < slots, nodes -> 2 * nodes), IntStream.of(slots));
        }
    },
    /** The minimum number of nodes. */
    MINIMUM {
        @Override
        IntStream nodes(int slots, int perNode) {
            return IntStream.of((slots + perNode - 1) / perNode);
        }
    },
    /** Any number: only the number of slots matters, not their placement. */
    ANY {
        @Override
        IntStream nodes(int slots, int perNode) {
            return IntStream.rangeClosed(1, slots);
        }
    };

    /**
     * Returns the allowed numbers of nodes, ascending.
     *
     * @param slots slots of the job, at least 1
     * @param perNode slots of the largest node, at least 1
     */
    abstract IntStream nodes(int slots, int perNode);
}
