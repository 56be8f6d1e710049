package dev.spur.model.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A preference of a job for nodes by their labels. It counts when the job starts or changes; a job that runs elsewhere
 * is not moved for it.
 *
 * @param requirements requirements that a preferred node meets, at least one
 * @param factor utility on other nodes relative to that on preferred ones, above 0 and below 1; null for
 *     {@value #DEFAULT_FACTOR}
 */
public record NodePreference(
        List<NodeRequirement> requirements,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double factor) {
    /** Utility on other nodes relative to that on preferred ones, unless a job states it. */
    public static final double DEFAULT_FACTOR = 0.95;

    public NodePreference {
        requirements = Checks.copy(requirements);
        Checks.require(!requirements.isEmpty(), "preferredNodes.requirements must contain a requirement");
        Checks.require(
                factor == null || (factor > 0 && factor < 1),
                "preferredNodes.factor (%s) must be above 0 and below 1",
                factor);
    }

    /** Returns whether the job prefers {@code node}. */
    public boolean includes(Node node) {
        return NodeRequirement.allAdmit(requirements, node);
    }

    /** Returns the utility on nodes of which the job does not prefer all, relative to that on preferred ones. */
    public double factorElsewhere() {
        return factor == null ? DEFAULT_FACTOR : factor;
    }

    /** Returns the factor of the utility on {@code nodes}: 1 if the job prefers all of them. */
    public double factorOn(Collection<Node> nodes) {
        return nodes.stream().allMatch(this::includes) ? 1 : factorElsewhere();
    }
}
