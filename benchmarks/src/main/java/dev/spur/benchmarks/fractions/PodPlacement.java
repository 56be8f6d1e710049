package dev.spur.benchmarks.fractions;

import java.util.List;
import java.util.Optional;

/** Method that binds pods. */
interface PodPlacement {
    /**
     * Returns the places of the pods that have arrived together; empty for a pod that does not get one.
     *
     * @param pods the pods by arrival
     * @param nodes free resources of the nodes before; the method takes what it binds
     */
    List<Optional<Binding>> place(List<PodRequest> pods, List<FreeNode> nodes);
}
