package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Kinds of pieces of one class of nodes, each with a constraint, and what its nodes are cut into.
 *
 * <p>Nodes are cut into pieces whatever their access. The constraint of a kind then counts the pieces that only its
 * nodes may provide: a piece counts for each access that includes its own, and the unions of overlapping accesses are
 * kinds as well (Gale, "A theorem on flows in networks", 1957). Where these unions are too many, as with a node that
 * many tenants share, nodes are cut into the pieces of each access by themselves. Both give the same bound.
 */
final class PieceKinds {
    /** Number of accesses of a piece, with unions, above which its kinds are cut by themselves. */
    private static final int MAX_ACCESSES = 16;

    private final List<NodeShareKind> kinds = new ArrayList<>();
    /** Pieces, without their accesses, whose kinds are cut by themselves. */
    private final Set<NodeShareKind> separateKinds = new HashSet<>();

    /** @param usedKinds kinds that candidates use */
    PieceKinds(List<NodeShareKind> usedKinds, NodeClass nodeClass) {
        Map<NodeShareKind, Set<NodeAccess>> accesses = new LinkedHashMap<>();
        for (NodeShareKind kind : usedKinds) {
            accesses.computeIfAbsent(withoutAccess(kind), shareKind -> new TreeSet<>())
                    .add(kind.access());
        }
        accesses.forEach((kind, own) -> {
            Set<NodeAccess> closed = NodeAccess.withUnions(own, nodeClass.atoms(), MAX_ACCESSES);
            if (closed.isEmpty()) {
                separateKinds.add(kind);
            }
            (closed.isEmpty() ? own : closed)
                    .forEach(access -> kinds.add(new NodeShareKind(kind.size(), kind.demand(), access)));
        });
        kinds.sort(NodeShareKind.LARGEST_FIRST);
    }

    private static NodeShareKind withoutAccess(NodeShareKind kind) {
        return new NodeShareKind(kind.size(), kind.demand());
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
        boolean isSeparate = separateKinds.contains(withoutAccess(kind));
        return numbers(
                kind,
                k -> isSeparate
                        ? kinds.get(k).equals(kind)
                        : kinds.get(k).access().includes(kind.access()));
    }

    /** Returns the numbers of the kinds for which {@code kind}, cut from a node of {@code atom}, counts. */
    int[] constraintsOf(NodeShareKind kind, int atom) {
        boolean isSeparate = separateKinds.contains(withoutAccess(kind));
        return numbers(
                kind,
                k -> kinds.get(k).access().containsAtom(atom)
                        && (!isSeparate || kinds.get(k).equals(kind)));
    }

    private int[] numbers(NodeShareKind like, IntPredicate which) {
        NodeShareKind kind = withoutAccess(like);
        return IntStream.range(0, kinds.size())
                .filter(k -> withoutAccess(kinds.get(k)).equals(kind) && which.test(k))
                .toArray();
    }
}
