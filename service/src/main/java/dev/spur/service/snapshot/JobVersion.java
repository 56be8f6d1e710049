package dev.spur.service.snapshot;

import dev.spur.model.allocation.Allocation;
import org.jspecify.annotations.Nullable;

/**
 * State of a job in a snapshot. Publication compares it with the current state.
 *
 * @param generation number of the allocation
 * @param specVersion number of the specification
 * @param allocation allocation in the row, also on lost nodes; null if there is none
 */
public record JobVersion(
        long generation, long specVersion, @Nullable Allocation allocation) {}
