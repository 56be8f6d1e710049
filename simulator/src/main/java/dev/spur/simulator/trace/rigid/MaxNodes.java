package dev.spur.simulator.trace.rigid;

import java.util.stream.IntStream;

/** Over how many nodes a recorded job may be spread. */
enum MaxNodes {
    /** One node, 2, 4, 8 and so on, or as many as it has slots. */
    DOUBLING {
        @Override
        IntStream nodes(int slots, int perNode) {
            return IntStream.concat(
                    IntStream.iterate(1, nodes -> nodes < slots, nodes -> 2 * nodes), IntStream.of(slots));
        }
    },
    /** No more nodes than it takes. */
    FEWEST {
        @Override
        IntStream nodes(int slots, int perNode) {
            return IntStream.of((slots + perNode - 1) / perNode);
        }
    },
    /** Any number: slots are counted, and it does not matter where they are. */
    ANY {
        @Override
        IntStream nodes(int slots, int perNode) {
            return IntStream.rangeClosed(1, slots);
        }
    };

    /**
     * Numbers of nodes, ascending.
     *
     * @param slots slots of the job, at least 1
     * @param perNode slots of the largest node, at least 1
     */
    abstract IntStream nodes(int slots, int perNode);
}
