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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Kinds of pieces of one class of nodes, each with a constraint, and what its nodes are cut into.
 *
 * <p>Nodes are cut into pieces whatever their access. The constraint of a kind then counts the pieces that only its
 * nodes may provide: a piece counts for each access that includes its own, and the unions of overlapping accesses are
 * kinds as well (Gale, "A theorem on flows in networks", 1957). Where these unions are too many, and each node has few
 * accesses, nodes are cut into the pieces of each access by themselves. Both give the same bound. Where each node has
 * many accesses, only the union of all is a kind, which gives a higher bound.
 */
final class PieceKinds {
    /** Number of accesses of a piece, with unions, above which some unions are no kinds. */
    private static final int MAX_ACCESSES = 128;

    private static final int[] NO_NUMBERS = {};

    /** Number of accesses of a node up to which its pieces are cut by themselves. */
    private static final int MAX_SEPARATE = 4;

    private final List<NodeShareKind> kinds = new ArrayList<>();
    /** By piece, without its access: numbers of its kinds. */
    private final Map<NodeShareKind, int[]> numbersOf = new HashMap<>();
    /** Pieces, without their accesses, whose kinds are cut by themselves. */
    private final Set<NodeShareKind> separateKinds = new HashSet<>();

    /** @param usedKinds kinds that candidates use */
    PieceKinds(List<NodeShareKind> usedKinds, NodeClass nodeClass) {
        Map<NodeShareKind, Set<NodeAccess>> accesses = new LinkedHashMap<>();
        for (NodeShareKind kind : usedKinds) {
            accesses.computeIfAbsent(withoutAccess(kind), shareKind -> new TreeSet<>())
                    .add(kind.access());
        }
        Map<Set<NodeAccess>, Set<NodeAccess>> closures = new HashMap<>();
        accesses.forEach((kind, own) -> {
            Set<NodeAccess> closed =
                    closures.computeIfAbsent(own, some -> NodeAccess.withUnions(some, nodeClass.atoms(), MAX_ACCESSES));
            if (closed.isEmpty() && mostOnANode(own, nodeClass) <= MAX_SEPARATE) {
                separateKinds.add(kind);
                closed = own;
            } else if (closed.isEmpty()) {
                closed = new TreeSet<>(own);
                closed.add(NodeAccess.union(own, nodeClass.atoms()));
            }
            closed.forEach(access -> kinds.add(new NodeShareKind(kind.size(), kind.demand(), access)));
        });
        kinds.sort(NodeShareKind.LARGEST_FIRST);
        IntStream.range(0, kinds.size())
                .boxed()
                .collect(Collectors.groupingBy(k -> withoutAccess(kinds.get(k))))
                .forEach((kind, numbers) -> numbersOf.put(
                        kind, numbers.stream().mapToInt(Integer::intValue).toArray()));
    }

    private static long mostOnANode(Set<NodeAccess> accesses, NodeClass nodeClass) {
        return nodeClass.atoms().stream()
                .mapToLong(atom -> accesses.stream()
                        .filter(access -> access.containsAtom(atom.index()))
                        .count())
                .max()
                .orElse(0);
    }

    private static NodeShareKind withoutAccess(NodeShareKind kind) {
        return kind.access().isWhole() ? kind : new NodeShareKind(kind.size(), kind.demand());
    }

    /** Returns the kinds, the largest first. */
    List<NodeShareKind> all() {
        return kinds;
    }

    /** Returns what the nodes are cut into. */
    List<NodeShareKind> pieces() {
        return kinds.stream().map(this::piece).distinct().toList();
    }

    /** Returns what {@code node} may be cut into. */
    List<NodeShareKind> pieces(ResidualNode node) {
        return kinds.stream().filter(node::provides).map(this::piece).distinct().toList();
    }

    private NodeShareKind piece(NodeShareKind kind) {
        NodeShareKind shareKind = withoutAccess(kind);
        return separateKinds.contains(shareKind) ? kind : shareKind;
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
}
