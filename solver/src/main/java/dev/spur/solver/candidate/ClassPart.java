package dev.spur.solver.candidate;

import dev.spur.model.job.Job;
import dev.spur.model.job.TopologyRequest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Part of a class of nodes on which a job has shapes of its own: the whole class, or a span of the topology.
 *
 * <p>Each <em>level</em> of a part is an access of its own: all nodes, and those that the job prefers; where prices
 * count, the nodes up to each price; in a pool of whole nodes, also those of each size, for shapes on several nodes.
 *
 * @param accesses the levels
 * @param crossings boundaries of the topology that slow the job down there
 * @param minNodes minimum number of nodes of a shape
 * @param maxNodes maximum number of nodes of a shape
 */
record ClassPart(List<NodeAccess> accesses, int crossings, int minNodes, int maxNodes) {
    ClassPart {
        accesses = List.copyOf(accesses);
    }

    /**
     * Returns the parts of {@code nodeClass} for {@code job}; the first contains all nodes that admit it. A job that
     * asks for close nodes has shapes on one node there, and shapes on several in each {@link TopologySpans.Span}.
     */
    static List<ClassPart> of(ClusterIndex clusterIndex, NodeClass nodeClass, Job job) {
        List<NodeAccess> levels = withPreferred(
                clusterIndex, nodeClass, job, levels(clusterIndex, nodeClass, clusterIndex.open(nodeClass, job)));
        TopologyRequest topology = job.spec().elasticity().topology();
        if (topology == null) {
            return List.of(new ClassPart(levels, 0, 1, Integer.MAX_VALUE));
        }
        List<ClassPart> parts = new ArrayList<>(List.of(new ClassPart(levels, 0, 1, 1)));
        for (TopologySpans.Span span : clusterIndex.spans().of(nodeClass, topology)) {
            List<NodeAccess> own = levels.stream()
                    .map(access -> clusterIndex.intersect(access, span.access(), nodeClass))
                    .filter(access -> !access.isEmpty())
                    .distinct()
                    .toList();
            if (!own.isEmpty()) {
                parts.add(new ClassPart(own, span.crossings(), 2, Integer.MAX_VALUE));
            }
        }
        return parts;
    }

    /** Returns {@code levels} and, of each, the nodes that the job prefers. */
    private static List<NodeAccess> withPreferred(
            ClusterIndex clusterIndex, NodeClass nodeClass, Job job, List<NodeAccess> levels) {
        return job.spec().elasticity().preferredNodes() == null
                ? levels
                : levels.stream()
                        .flatMap(access -> Stream.of(
                                access,
                                clusterIndex.select(access, nodeClass, atom -> clusterIndex.prefers(job, atom))))
                        .filter(access -> !access.isEmpty())
                        .distinct()
                        .toList();
    }

    private static List<NodeAccess> levels(ClusterIndex clusterIndex, NodeClass nodeClass, NodeAccess open) {
        boolean wholeNodes = clusterIndex.needsWholeNodes(nodeClass.pool());
        if (nodeClass.atoms().size() == 1 || (!wholeNodes && !clusterIndex.pricesCount())) {
            return List.of(open);
        }
        Set<NodeAccess> accesses = new LinkedHashSet<>();
        for (NodeAtom top : nodeClass.atoms()) {
            if (open.containsAtom(top.index())) {
                NodeAccess upToPrice = clusterIndex.select(
                        open, nodeClass, atom -> !clusterIndex.pricesCount() || atom.price() <= top.price());
                accesses.add(upToPrice);
                if (wholeNodes) {
                    accesses.add(clusterIndex.select(
                            upToPrice,
                            nodeClass,
                            atom -> nodeSlots(clusterIndex, atom) == nodeSlots(clusterIndex, top)));
                }
            }
        }
        return List.copyOf(accesses);
    }

    /** Returns the slots of a node of {@code atom}: all its nodes have as many in a pool of whole nodes. */
    static int nodeSlots(ClusterIndex clusterIndex, NodeAtom atom) {
        return clusterIndex.nodes().get(atom.nodes().get(0)).slots();
    }

    /** Returns whether the job has {@code shape} in this part, if its nodes hold it. */
    boolean offers(List<Integer> shape) {
        return shape.size() >= minNodes && shape.size() <= maxNodes;
    }
}
