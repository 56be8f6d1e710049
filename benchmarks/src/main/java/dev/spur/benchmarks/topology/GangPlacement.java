package dev.spur.benchmarks.topology;

import java.util.List;
import java.util.Map;

/** Method that places gangs. */
interface GangPlacement {
    /**
     * Returns the nodes of the gangs that run in the next round.
     *
     * @param round number of the round
     * @param waiting gangs that wait, by arrival
     * @param running the nodes of the gangs that run
     */
    Map<Gang, List<Integer>> next(int round, List<Gang> waiting, Map<Gang, List<Integer>> running);
}
