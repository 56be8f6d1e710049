package dev.spur.model.cluster;

import dev.spur.model.Checks;

/**
 * A named set of nodes; the aggregation slots of its nodes serve the jobs that run in it.
 *
 * @param name unique name
 * @param wholeNodes true if a job on several nodes of this pool needs each of them whole and otherwise idle, as some
 *     platforms demand
 */
public record Pool(String name, boolean wholeNodes) {
    public Pool {
        Checks.named("name", name);
    }
}
