package dev.spur.solver.candidate;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import org.jspecify.annotations.Nullable;

/**
 * Name of a class of nodes.
 *
 * @param pool pool of the nodes
 * @param acceleratorType type of their devices
 * @param firstNode id of its first node; null for the only class of its pool and type
 */
public record NodeClassName(
        String pool, String acceleratorType, @Nullable String firstNode) {
    /** Returns the name of the only class of the pool and type of {@code configuration}. */
    public static NodeClassName of(Configuration configuration) {
        return new NodeClassName(configuration.pool(), configuration.acceleratorType(), null);
    }

    /** Returns the name of the only class of the pool and type of {@code node}. */
    public static NodeClassName of(Node node) {
        return new NodeClassName(node.pool(), String.valueOf(node.acceleratorType()), null);
    }

    /** Returns the name of one of several classes, of which {@code first} is the first node. */
    public static NodeClassName like(Node first) {
        return new NodeClassName(first.pool(), String.valueOf(first.acceleratorType()), first.id());
    }

    /** Returns whether pool and type are those of {@code configuration}. */
    public boolean hasPlaceOf(Configuration configuration) {
        return pool.equals(configuration.pool()) && acceleratorType.equals(configuration.acceleratorType());
    }

    /** Returns pool and type. */
    public String place() {
        return pool + "/" + acceleratorType;
    }

    /** Returns the part of the name that distinguishes classes of equal pool and type; empty if there is only one. */
    public String suffix() {
        return firstNode == null ? "" : " (nodes like " + firstNode + ")";
    }

    @Override
    public String toString() {
        return place() + suffix();
    }
}
