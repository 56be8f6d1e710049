package dev.spur.model.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A named set of nodes; the aggregation slots of its nodes serve the jobs that run in it.
 *
 * @param name unique name
 * @param wholeNodes true if a job on several nodes of this pool must occupy each of them entirely, as some platforms
 *     require
 * @param maxRunSeconds maximum time limit of a job that is submitted to it; null for none
 */
public record Pool(
        String name,
        boolean wholeNodes,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double maxRunSeconds) {
    @JsonCreator
    public Pool {
        Checks.nonBlank("name", name);
        Checks.require(maxRunSeconds == null || maxRunSeconds > 0, "maxRunSeconds (%s) must be above 0", maxRunSeconds);
    }

    /** A pool without a maximum run time. */
    public Pool(String name, boolean wholeNodes) {
        this(name, wholeNodes, null);
    }
}
