package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Kinds of pieces of one class of nodes, each with a constraint, and what its nodes are cut into.
 *
 * <p>Nodes are cut into pieces whatever their access. The constraint of a kind then counts the pieces that only its
 * nodes may provide: a piece counts for each access that includes its own, and the unions of overlapping accesses are
 * kinds as well (Gale, "A theorem on flows in networks", 1957). Where these unions are too many, and each node has few
 * accesses, nodes are cut into the pieces of each access by themselves. Both give the same bound.
 *
 * <p>Otherwise the bound is higher: pieces count by size only on all nodes of these accesses together, and each access
 * has a constraint on the slots of its pieces.
 */
final class PieceKinds {
    /** Number of accesses of a piece, with unions, above which some unions are no kinds. */
    private static final int MAX_ACCESSES = 128;

    /** Number of different accesses to a class above which they are many. */
    static final int MANY_ACCESSES = 16;

    /** Number of kinds above which each of many accesses has one constraint on slots: the dual is solved sooner. */
    private static final int MAX_KINDS = 100;

    /** Number of accesses of a node up to which its pieces are cut by themselves. */
    private static final int MAX_SEPARATE = 4;

    private static final int[] NO_NUMBERS = {};

    private final NodeClass nodeClass;
    /** By piece, without its access: the accesses that candidates use. */
    private final Map<NodeShareKind, Set<NodeAccess>> accesses = new LinkedHashMap<>();

    private final List<NodeShareKind> kinds = new ArrayList<>();
    /** By piece, without its access: numbers of its kinds. */
    private final Map<NodeShareKind, int[]> numbersOf = new HashMap<>();
    /** Pieces, without their accesses, whose kinds are cut by themselves. */
    private final Set<NodeShareKind> separateKinds = new HashSet<>();
    /** Kinds whose constraint counts the slots of all pieces. */
    private final Set<NodeShareKind> slotKinds = new HashSet<>();

    /** @param usedKinds kinds that candidates use */
    PieceKinds(List<NodeShareKind> usedKinds, NodeClass nodeClass) {
        this.nodeClass = nodeClass;
        for (NodeShareKind kind : usedKinds) {
            accesses.computeIfAbsent(withoutAccess(kind), shareKind -> new TreeSet<>())
                    .add(kind.access());
        }
        if (!addExact()) {
            kinds.clear();
            separateKinds.clear();
            addSlots();
        }
        kinds.sort(NodeShareKind.LARGEST_FIRST);
        for (NodeShareKind kind : accesses.keySet()) {
            numbersOf.put(
                    kind,
                    IntStream.range(0, kinds.size())
                            .filter(k -> withoutAccess(kinds.get(k)).equals(kind) || slotKinds.contains(kinds.get(k)))
                            .toArray());
        }
    }

    /** Adds the kinds of each piece; returns false if they are too many. */
    private boolean addExact() {
        boolean areMany =
                accesses.values().stream().flatMap(Set::stream).distinct().count() > MANY_ACCESSES;
        Map<Set<NodeAccess>, Set<NodeAccess>> closures = new HashMap<>();
        for (Map.Entry<NodeShareKind, Set<NodeAccess>> entry : accesses.entrySet()) {
            NodeShareKind kind = entry.getKey();
            Set<NodeAccess> closed = closures.computeIfAbsent(
                    entry.getValue(), some -> NodeAccess.withUnions(some, nodeClass.atoms(), MAX_ACCESSES));
            if (closed.isEmpty() && mostOnANode(entry.getValue()) > MAX_SEPARATE) {
                return false;
            }
            if (closed.isEmpty()) {
                separateKinds.add(kind);
            }
            (closed.isEmpty() ? entry.getValue() : closed).forEach(access -> kinds.add(kind.withAccess(access)));
            if (areMany && kinds.size() > MAX_KINDS) {
                return false;
            }
        }
        return true;
    }

    /** Adds a kind of each piece on all nodes that it may take, and the slots of each access. */
    private void addSlots() {
        Set<NodeAccess> all = new TreeSet<>();
        accesses.forEach((kind, own) -> {
            all.addAll(own);
            kinds.add(kind.withAccess(NodeAccess.union(own, nodeClass.atoms())));
        });
        for (NodeAccess access : all) {
            NodeShareKind slot = NodeShareKind.ofDevice(access);
            if (!access.isWhole() && !kinds.contains(slot)) {
                slotKinds.add(slot);
                kinds.add(slot);
            }
        }
    }

    private long mostOnANode(Set<NodeAccess> some) {
        return nodeClass.atoms().stream()
                .mapToLong(atom -> some.stream()
                        .filter(access -> access.containsAtom(atom.index()))
                        .count())
                .max()
                .orElse(0);
    }

    private static NodeShareKind withoutAccess(NodeShareKind kind) {
        return kind.access().isWhole() ? kind : kind.withAccess(NodeAccess.WHOLE);
    }

    /** Returns the kinds, the largest first. */
    List<NodeShareKind> all() {
        return kinds;
    }

    /** Returns what the nodes are cut into. */
    List<NodeShareKind> pieces() {
        return pieces(access -> true);
    }

    /** Returns what {@code node} may be cut into. */
    List<NodeShareKind> pieces(ResidualNode node) {
        return pieces(access -> access.containsAtom(node.atom()));
    }

    private List<NodeShareKind> pieces(Predicate<NodeAccess> offered) {
        List<NodeShareKind> pieces = new ArrayList<>();
        accesses.forEach((kind, own) -> {
            List<NodeAccess> open = own.stream().filter(offered).toList();
            if (separateKinds.contains(kind)) {
                open.forEach(access -> pieces.add(kind.withAccess(access)));
            } else if (!open.isEmpty()) {
                pieces.add(kind);
            }
        });
        pieces.sort(NodeShareKind.LARGEST_FIRST);
        return pieces;
    }

    /** Returns the numbers of the kinds for which a used piece of {@code kind} counts. */
    int[] constraintsOf(NodeShareKind kind) {
        NodeShareKind shareKind = withoutAccess(kind);
        boolean isSeparate = separateKinds.contains(shareKind);
        return numbers(
                shareKind,
                k -> isSeparate
                        ? kinds.get(k).access().equals(kind.access())
                        : kinds.get(k).access().includes(kind.access()));
    }

    /** Returns the numbers of the kinds for which {@code kind}, cut from a node of {@code atom}, counts. */
    int[] constraintsOf(NodeShareKind kind, int atom) {
        NodeShareKind shareKind = withoutAccess(kind);
        boolean isSeparate = separateKinds.contains(shareKind);
        return numbers(
                shareKind,
                k -> kinds.get(k).access().containsAtom(atom)
                        && (!isSeparate || kinds.get(k).access().equals(kind.access())));
    }

    private int[] numbers(NodeShareKind shareKind, IntPredicate which) {
        return IntStream.of(numbersOf.getOrDefault(shareKind, NO_NUMBERS))
                .filter(which)
                .toArray();
    }

    /** Returns the amount for which a piece of {@code size} slots counts in the constraint of kind {@code number}. */
    int amount(int number, int size) {
        return slotKinds.contains(kinds.get(number)) ? size : 1;
    }
}
