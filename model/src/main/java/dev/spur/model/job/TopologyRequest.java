package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.TopologyDomain;
import dev.spur.model.cluster.TopologyLevel;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Request of a job for nodes that are close to each other in the network topology.
 *
 * @param level level of the domain that should contain all of its nodes
 * @param policy whether the job runs across domains
 * @param crossingFactor with PREFER, the throughput across one boundary relative to that within a domain, above 0 and
 *     below 1; null for {@value #DEFAULT_FACTOR}
 */
public record TopologyRequest(
        TopologyLevel level,
        Policy policy,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double crossingFactor) {
    /** Throughput across one boundary relative to that within a domain, unless a job states it. */
    public static final double DEFAULT_FACTOR = 0.9;

    /** Whether a job runs across domains. */
    public enum Policy {
        /** It runs only within one domain. */
        REQUIRE,
        /** It also runs across domains, at a lower speed. */
        PREFER
    }

    public TopologyRequest {
        Checks.require(level != null, "topology.level must be block or rack");
        Checks.require(policy != null, "topology.policy must be REQUIRE or PREFER");
        Checks.require(
                crossingFactor == null || policy == Policy.PREFER,
                "topology.crossingFactor (%s) applies only with policy PREFER",
                crossingFactor);
        Checks.require(
                crossingFactor == null || (crossingFactor > 0 && crossingFactor < 1),
                "topology.crossingFactor (%s) must be above 0 and below 1",
                crossingFactor);
    }

    /** Returns whether the job runs only within one domain. */
    public boolean requiresDomain() {
        return policy == Policy.REQUIRE;
    }

    /** Returns whether {@code nodes} are one node, or are in one domain of the level. */
    public boolean contains(Collection<Node> nodes) {
        return nodes.size() <= 1 || shareDomain(level, nodes);
    }

    /**
     * Returns the number of boundaries between {@code nodes}, from the level of the request upwards: 0 within one
     * domain of it, at most 2. Nodes without a block count as one block.
     */
    public int crossings(Collection<Node> nodes) {
        if (contains(nodes)) {
            return 0;
        }
        boolean isWithinBlock = level == TopologyLevel.RACK
                && nodes.stream().map(Node::block).distinct().count() == 1;
        return level == TopologyLevel.BLOCK || isWithinBlock ? 1 : 2;
    }

    private static boolean shareDomain(TopologyLevel level, Collection<Node> nodes) {
        Set<TopologyDomain> domains = new HashSet<>();
        for (Node node : nodes) {
            TopologyDomain domain = level.domainOf(node);
            if (domain == null) {
                return false;
            }
            domains.add(domain);
        }
        return domains.size() == 1;
    }

    /** Returns the throughput across {@code crossings} boundaries relative to that within a domain. */
    public double speed(int crossings) {
        return requiresDomain() ? 1 : Math.pow(crossingFactor == null ? DEFAULT_FACTOR : crossingFactor, crossings);
    }
}
