package dev.spur.solver.explain;

import dev.spur.model.cluster.Node;
import dev.spur.model.round.ShadowPrice;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.resource.ResourceKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Shadow prices of a stored plan, found by the complete names of their resources. */
public final class ReportedPrices {
    private final Map<String, ShadowPrice> pricesByName = new LinkedHashMap<>();
    private final List<Node> nodes;

    /** @param nodes nodes of the cluster */
    public ReportedPrices(List<ShadowPrice> prices, List<Node> nodes) {
        this.nodes = nodes;
        prices.forEach(price -> pricesByName.put(price.resource(), price));
    }

    /** Returns the price of the resource. */
    Optional<ShadowPrice> of(ResourceKey.Reported reported) {
        return Optional.ofNullable(pricesByName.get(reported.toString()));
    }

    /**
     * Returns the prices of the resource {@code key} of each class of nodes of one pool and type.
     *
     * @param className name of the only class of the pool and type
     */
    List<ShadowPrice> of(NodeClassName className, Function<NodeClassName, ResourceKey.Reported> key) {
        Stream<NodeClassName> several = nodes.stream()
                .filter(node -> NodeClassName.of(node).equals(className))
                .map(NodeClassName::like);
        return Stream.concat(Stream.of(className), several)
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
                .filter(className -> new ResourceKey.Slots(className).toString().equals(name))
                .findFirst()
                .map(className -> of(className, ResourceKey.Slots::new))
                .orElseGet(() -> Stream.ofNullable(pricesByName.get(name)).toList());
    }
}
