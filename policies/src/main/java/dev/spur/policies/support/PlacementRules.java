package dev.spur.policies.support;

import dev.spur.policies.support.PlacementRule.FreeNode;
import dev.spur.policies.support.PlacementRule.Gang;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Placement rules of published policies. */
public final class PlacementRules {
    /** Minimum number of nodes, best fit among them: the default for policies without a placement rule. */
    public static final PlacementRule MIN_NODES = PlacementRules::onMinNodes;

    /** The minimum number of nodes that the gang needs on the largest nodes, and no more. */
    public static final PlacementRule TIGHT = (nodes, gang) ->
            onMinNodes(nodes, new Gang(gang.slots(), gang.minNodes(), true, gang.wholeNodes(), gang.nodeSizes()));

    /**
     * Fragments first: nodes in ascending order of free slots, until the gang is complete. Source: Gu et al., Tiresias,
     * NSDI '19.
     */
    public static final PlacementRule FRAGMENTS = (nodes, gang) -> gang.consolidate() || gang.wholeNodes()
            ? onMinNodes(nodes, gang)
            : gather(
                    nodes.stream()
                            .sorted(Comparator.comparingInt(FreeNode::free))
                            .toList(),
                    gang.slots());

    /**
     * One node, best fit; otherwise fragments first, in ascending order of free slots. Source: Mohan et al., Synergy,
     * OSDI '22.
     */
    public static final PlacementRule ONE_NODE_OR_FRAGMENTS = (nodes, gang) -> gang.wholeNodes()
            ? onMinNodes(nodes, gang)
            : onOneNode(nodes, gang.slots()).orElseGet(() -> FRAGMENTS.place(nodes, gang));

    /**
     * One node, best fit, or fully idle nodes of one size that divides the gang. Source: Determined 0.38. A gang that
     * no node size divides would wait forever there; here it uses the minimum number of nodes.
     */
    public static final PlacementRule ONE_NODE_OR_IDLE_ONES = (nodes, gang) -> gang.isDivisible()
            ? onOneNode(nodes, gang.slots())
                    .or(() -> onIdleNodes(nodes, gang.slots()))
                    .orElse(List.of())
            : onMinNodes(nodes, gang);

    private PlacementRules() {}

    private static List<NodeSlots> onMinNodes(List<FreeNode> nodes, Gang gang) {
        Optional<List<NodeSlots>> one = onOneNode(nodes, gang.slots());
        if (one.isPresent()) {
            return one.get();
        }
        if (gang.wholeNodes()) {
            return onWholeNodes(nodes, gang.slots());
        }
        List<FreeNode> freeNodes = nodes.stream()
                .sorted(Comparator.comparingInt(FreeNode::free).reversed())
                .toList();
        List<NodeSlots> nodeSlots = gather(freeNodes, gang.slots());
        if (nodeSlots.isEmpty() || (gang.consolidate() && nodeSlots.size() > gang.minNodes())) {
            return List.of();
        }
        return withBestFitAtTheEnd(nodeSlots, freeNodes);
    }

    private static Optional<List<NodeSlots>> onOneNode(List<FreeNode> nodes, int slots) {
        FreeNode best = null;
        for (FreeNode node : nodes) {
            if (node.free() >= slots && (best == null || node.free() < best.free())) {
                best = node;
            }
        }
        return best == null ? Optional.empty() : Optional.of(List.of(new NodeSlots(best.node(), slots)));
    }

    /** Takes all free slots of each node in turn until the gang is complete; empty if the slots do not suffice. */
    private static List<NodeSlots> gather(List<FreeNode> nodes, int slots) {
        List<NodeSlots> nodeSlots = new ArrayList<>();
        int left = slots;
        for (FreeNode node : nodes) {
            int taken = Math.min(left, node.free());
            nodeSlots.add(new NodeSlots(node.node(), taken));
            left -= taken;
            if (left == 0) {
                return nodeSlots;
            }
        }
        return List.of();
    }

    /** Places the last part of the gang by best fit, so that no idle node is fragmented for it. */
    private static List<NodeSlots> withBestFitAtTheEnd(List<NodeSlots> nodeSlots, List<FreeNode> freeNodes) {
        NodeSlots rest = nodeSlots.get(nodeSlots.size() - 1);
        List<FreeNode> others = freeNodes.subList(nodeSlots.size() - 1, freeNodes.size()).stream()
                .sorted(Comparator.comparingInt(FreeNode::node))
                .toList();
        List<NodeSlots> fitted = new ArrayList<>(nodeSlots.subList(0, nodeSlots.size() - 1));
        fitted.addAll(onOneNode(others, rest.slots()).orElse(List.of(rest)));
        return fitted;
    }

    /** Takes idle nodes as a whole, largest first. */
    private static List<NodeSlots> onWholeNodes(List<FreeNode> nodes, int slots) {
        List<NodeSlots> nodeSlots = new ArrayList<>();
        int left = slots;
        for (FreeNode node : nodes.stream()
                .filter(FreeNode::isIdle)
                .sorted(Comparator.comparingInt(FreeNode::slots).reversed())
                .toList()) {
            if (node.slots() <= left) {
                nodeSlots.add(new NodeSlots(node.node(), node.slots()));
                left -= node.slots();
            }
        }
        return left == 0 ? nodeSlots : List.of();
    }

    /** Takes idle nodes of the largest size that divides the gang and that suffices. */
    private static Optional<List<NodeSlots>> onIdleNodes(List<FreeNode> nodes, int slots) {
        List<FreeNode> idle = nodes.stream()
                .filter(FreeNode::isIdle)
                .sorted(Comparator.comparingInt(FreeNode::slots).reversed())
                .toList();
        return idle.stream()
                .map(FreeNode::slots)
                .distinct()
                .filter(size -> slots % size == 0)
                .map(size -> idle.stream()
                        .filter(node -> node.slots() == size)
                        .limit(slots / size)
                        .map(node -> new NodeSlots(node.node(), size))
                        .toList())
                .filter(nodeSlots ->
                        nodeSlots.stream().mapToInt(NodeSlots::slots).sum() == slots)
                .findFirst();
    }
}
