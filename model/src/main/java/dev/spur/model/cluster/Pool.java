package dev.spur.model.cluster;

import dev.spur.model.Checks;

/**
 * A named set of nodes; the aggregation slots of its nodes serve the jobs that run in it.
 *
 * @param name unique name
 * @param wholeNodes true if a job on several nodes of this pool must occupy each of them entirely, as some platforms
 *     require
 */
public record Pool(String name, boolean wholeNodes) {
    public Pool {
        Checks.nonBlank("name", name);
    }
}
