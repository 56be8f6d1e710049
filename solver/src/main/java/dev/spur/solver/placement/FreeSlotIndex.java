package dev.spur.solver.placement;

import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import java.util.BitSet;

/**
 * Index of the nodes of each class by their number of free slots, so that the fullest node that holds a share is found
 * at once.
 */
final class FreeSlotIndex {
    private final ClusterIndex hardware;
    private final BitSet[][] byFree;
    private final int[] slots;

    /** Creates the index with all slots free. */
    FreeSlotIndex(ClusterIndex hardware) {
        this.hardware = hardware;
        byFree = new BitSet[hardware.classes().size()][];
        slots = new int[byFree.length];
        for (NodeClass nodeClass : hardware.classes()) {
            BitSet[] own = new BitSet[nodeClass.slotsPerNode() + 1];
            for (int free = 0; free < own.length; free++) {
                own[free] = new BitSet();
            }
            nodeClass.nodes().forEach(own[nodeClass.slotsPerNode()]::set);
            byFree[nodeClass.index()] = own;
            slots[nodeClass.index()] =
                    nodeClass.slotsPerNode() * nodeClass.nodes().size();
        }
    }

    /**
     * Moves node {@code v} from {@code before} to {@code after} free slots; a node that accepts no jobs is not listed.
     */
    void move(int v, int before, int after) {
        int k = hardware.classOf(v);
        if (k >= 0) {
            set(k, before, v, false);
            set(k, after, v, true);
            slots[k] += after - before;
        }
    }

    private void set(int k, int free, int v, boolean listed) {
        // Below 0 only while a node is overbooked, which the caller detects itself.
        if (free >= 0) {
            byFree[k][free].set(v, listed);
        }
    }

    /** Returns the free slots of the nodes of class {@code k}. */
    int slots(int k) {
        return slots[k];
    }

    /** Returns the nodes of class {@code k} with exactly {@code free} free slots; not to be changed. */
    BitSet with(int k, int free) {
        return byFree[k][free];
    }
}
