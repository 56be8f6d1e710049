package dev.spur.solver.explain;

import dev.spur.model.cluster.Node;
import dev.spur.model.round.ShadowPrice;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.constraint.ResourceKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Shadow prices of a stored plan, found by the complete names of their resources. */
public final class ReportedPrices {
    private final Map<String, ShadowPrice> byName = new LinkedHashMap<>();
    private final List<Node> nodes;

    /** @param nodes nodes of the cluster */
    public ReportedPrices(List<ShadowPrice> prices, List<Node> nodes) {
        this.nodes = nodes;
        prices.forEach(price -> byName.put(price.resource(), price));
    }

    /** Returns the price of the resource. */
    Optional<ShadowPrice> of(ResourceKey.Reported key) {
        return Optional.ofNullable(byName.get(key.toString()));
    }

    /**
     * Returns the prices of the resource {@code key} of each class of nodes of one pool and type.
     *
     * @param place name of the only class of the pool and type
     */
    List<ShadowPrice> of(NodeClassName place, Function<NodeClassName, ResourceKey.Reported> key) {
        Stream<NodeClassName> several = nodes.stream()
                .filter(node -> NodeClassName.of(node).equals(place))
                .map(NodeClassName::like);
        return Stream.concat(Stream.of(place), several)
                .flatMap(name -> of(key.apply(name)).stream())
                .toList();
    }

    /**
     * Returns the price of the resource {@code name} as in pending reasons. For slots of a pool and type these are the
     * prices of each class of its nodes.
     */
    public List<ShadowPrice> of(String name) {
        return nodes.stream()
                .map(NodeClassName::of)
                .distinct()
                .filter(place -> new ResourceKey.Slots(place).toString().equals(name))
                .findFirst()
                .map(place -> of(place, ResourceKey.Slots::new))
                .orElseGet(() -> Stream.ofNullable(byName.get(name)).toList());
    }
}
