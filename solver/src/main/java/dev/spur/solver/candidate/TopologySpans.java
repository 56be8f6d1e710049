package dev.spur.solver.candidate;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.TopologyLevel;
import dev.spur.model.job.TopologyRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Parts of a class of nodes on which the gang of a job may lie, by its request for close nodes. Thread-safe. */
final class TopologySpans {
    /**
     * Part of a class for gangs on several nodes.
     *
     * @param access nodes of the part, at least two
     * @param crossings boundaries that count for a gang there; no narrower part contains all of these nodes
     */
    record Span(NodeAccess access, int crossings) {}

    private record Key(int nodeClass, TopologyLevel level, boolean isRequired) {}

    private final ClusterIndex clusterIndex;
    private final Map<Key, List<Span>> spans = new ConcurrentHashMap<>();

    TopologySpans(ClusterIndex clusterIndex) {
        this.clusterIndex = clusterIndex;
    }

    /** Returns the parts of {@code nodeClass} for a job with {@code request}, in ascending order of crossings. */
    List<Span> of(NodeClass nodeClass, TopologyRequest request) {
        return spans.computeIfAbsent(
                new Key(nodeClass.index(), request.level(), request.requiresDomain()),
                key -> spans(nodeClass, request.level(), request.requiresDomain()));
    }

    private List<Span> spans(NodeClass nodeClass, TopologyLevel level, boolean isRequired) {
        List<Span> found = new ArrayList<>();
        addDomains(nodeClass, level::domainOf, 0, found);
        if (isRequired) {
            return found;
        }
        if (level == TopologyLevel.RACK) {
            addDomains(nodeClass, TopologySpans::blockOf, 1, found);
        }
        addDomains(nodeClass, node -> "", level == TopologyLevel.RACK ? 2 : 1, found);
        return found;
    }

    /** Returns the block of {@code node}; nodes without one share a block. */
    private static String blockOf(Node node) {
        return Objects.requireNonNullElse(node.block(), "");
    }

    /** Adds the nodes of each domain, unless they are those of a domain with fewer crossings. */
    private void addDomains(
            NodeClass nodeClass, Function<Node, @Nullable Object> domainOf, int crossings, List<Span> found) {
        Map<Object, List<NodeAtom>> domains = new LinkedHashMap<>();
        for (NodeAtom atom : nodeClass.atoms()) {
            Object domain = domainOf.apply(clusterIndex.nodes().get(atom.nodes().get(0)));
            if (domain != null) {
                domains.computeIfAbsent(domain, d -> new ArrayList<>()).add(atom);
            }
        }
        for (List<NodeAtom> atoms : domains.values()) {
            NodeAccess access = NodeAccess.of(atoms, nodeClass.atoms());
            boolean isKnown = found.stream().anyMatch(span -> span.access().equals(access));
            if (!isKnown && atoms.stream().mapToInt(atom -> atom.nodes().size()).sum() > 1) {
                found.add(new Span(access, crossings));
            }
        }
    }
}
