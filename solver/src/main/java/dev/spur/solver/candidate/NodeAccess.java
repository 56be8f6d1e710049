package dev.spur.solver.candidate;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Nodes of a class that a candidate may take: all of them, or those of some {@link NodeAtom atoms}. Immutable; equal if
 * the nodes are.
 */
public final class NodeAccess implements Comparable<NodeAccess> {
    /** All nodes of a class, whatever the class. */
    public static final NodeAccess WHOLE = new NodeAccess(new BitSet(), new BitSet(), List.of());

    private final BitSet atoms;
    private final BitSet nodes;
    /** First node of each atom. */
    private final List<String> names;

    private final int hash;

    private NodeAccess(BitSet atoms, BitSet nodes, List<String> names) {
        this.atoms = atoms;
        this.nodes = nodes;
        this.names = names;
        this.hash = atoms.hashCode();
    }

    /** Returns the access to {@code some} of the atoms {@code all} of a class; {@link #WHOLE} if these are all. */
    static NodeAccess of(List<NodeAtom> some, List<NodeAtom> all) {
        if (some.size() == all.size()) {
            return WHOLE;
        }
        BitSet atoms = new BitSet();
        BitSet nodes = new BitSet();
        some.forEach(atom -> {
            atoms.set(atom.index());
            atom.nodes().forEach(nodes::set);
        });
        return new NodeAccess(
                atoms, nodes, some.stream().map(NodeAtom::firstNode).toList());
    }

    /** Returns the access to all atoms of {@code some}, accesses to a class with the atoms {@code all}. */
    public static NodeAccess union(Set<NodeAccess> some, List<NodeAtom> all) {
        return of(
                all.stream()
                        .filter(atom -> some.stream().anyMatch(access -> access.containsAtom(atom.index())))
                        .toList(),
                all);
    }

    /**
     * Returns {@code some}, accesses to a class with the atoms {@code all}, and the unions of those that overlap
     * without one including the other; empty if these are more than {@code max}.
     */
    public static Set<NodeAccess> withUnions(Set<NodeAccess> some, List<NodeAtom> all, int max) {
        Set<NodeAccess> found = new TreeSet<>(some);
        Deque<NodeAccess> open = new ArrayDeque<>(found);
        while (!open.isEmpty()) {
            NodeAccess access = open.remove();
            for (NodeAccess otherAccess : List.copyOf(found)) {
                if (access.overlaps(otherAccess)) {
                    NodeAccess union = union(Set.of(access, otherAccess), all);
                    if (found.add(union)) {
                        open.add(union);
                    }
                }
                if (found.size() > max) {
                    return Set.of();
                }
            }
        }
        return found;
    }

    /** Returns whether this and {@code otherAccess} have nodes in common, and each has one that the other lacks. */
    private boolean overlaps(NodeAccess otherAccess) {
        return !includes(otherAccess) && !otherAccess.includes(this) && atoms.intersects(otherAccess.atoms);
    }

    /** Returns whether it contains all nodes of the class. */
    @SuppressWarnings("ReferenceEquality") // the only instance with all nodes
    public boolean isWhole() {
        return this == WHOLE;
    }

    /** Returns whether it contains no node. */
    public boolean isEmpty() {
        return !isWhole() && atoms.isEmpty();
    }

    /** Returns whether it contains {@code v}, a node of the class. */
    public boolean contains(int v) {
        return isWhole() || nodes.get(v);
    }

    /** Returns whether it contains the nodes of {@code atom}, an index of {@link ClusterIndex#atoms()} in the class. */
    public boolean containsAtom(int atom) {
        return isWhole() || atoms.get(atom);
    }

    /** Returns whether it contains every node of {@code otherAccess}, an access to nodes of the same class. */
    public boolean includes(NodeAccess otherAccess) {
        if (isWhole() || otherAccess.isWhole()) {
            return isWhole();
        }
        for (int atom = otherAccess.atoms.nextSetBit(0); atom >= 0; atom = otherAccess.atoms.nextSetBit(atom + 1)) {
            if (!atoms.get(atom)) {
                return false;
            }
        }
        return true;
    }

    /** All nodes first; the others in an order that depends only on their atoms. */
    @Override
    public int compareTo(NodeAccess otherAccess) {
        return isWhole() || otherAccess.isWhole()
                ? Boolean.compare(otherAccess.isWhole(), isWhole())
                : Arrays.compare(atoms.toLongArray(), otherAccess.atoms.toLongArray());
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof NodeAccess access && isWhole() == access.isWhole() && atoms.equals(access.atoms));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Returns a text that names the first node of each atom; empty for all nodes. */
    @Override
    public String toString() {
        return isWhole() ? "" : " on nodes like " + String.join(", ", names);
    }
}
