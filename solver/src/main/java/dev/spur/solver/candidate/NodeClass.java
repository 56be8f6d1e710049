package dev.spur.solver.candidate;

import java.util.List;

/**
 * Nodes of one pool and accelerator type that take new jobs: a gang may lie across any of them that admit its job. They
 * may differ in slots and hosts; each is cut within its own.
 *
 * @param index place in {@link ClusterIndex#classes()}
 * @param name pool and accelerator type
 * @param maxNodeSlots devices of the largest node, at least 1
 * @param slots devices of all nodes
 * @param atoms nodes that admit the same jobs, at least one
 * @param nodes indices into {@link ClusterIndex#nodes()}, ascending
 */
public record NodeClass(
        int index, NodeClassName name, int maxNodeSlots, int slots, List<NodeAtom> atoms, List<Integer> nodes) {
    public NodeClass {
        atoms = List.copyOf(atoms);
        nodes = List.copyOf(nodes);
    }

    /** Returns the pool of the nodes. */
    public String pool() {
        return name.pool();
    }

    /** Returns the type of the devices. */
    public String acceleratorType() {
        return name.acceleratorType();
    }
}
