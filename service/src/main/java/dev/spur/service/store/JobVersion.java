package dev.spur.service.store;

import dev.spur.model.allocation.Allocation;
import org.jspecify.annotations.Nullable;

/**
 * What tells whether a job is still as a snapshot saw it.
 *
 * @param generation number of its allocation
 * @param specVersion number of its specification
 * @param allocation what its row holds, be it on nodes that are lost; null if it holds nothing
 */
public record JobVersion(
        long generation, long specVersion, @Nullable Allocation allocation) {}
