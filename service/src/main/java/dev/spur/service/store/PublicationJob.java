package dev.spur.service.store;

import dev.spur.model.job.DeadlineStatus;
import org.jspecify.annotations.Nullable;

/**
 * What publication asks of a job.
 *
 * @param id its id
 * @param state SUBMITTED, WAITING, RUNNING or COMPLETING; others are not active
 * @param heldBack true if no round may give it anything
 * @param generation number of its allocation
 * @param nextGeneration number of its next one
 * @param specVersion number of its specification
 * @param holds true if it has an allocation
 * @param deadlineStatus what is said of its deadline
 * @param domain the planning domain that plans it; null if nothing is divided, or none does yet
 */
public record PublicationJob(
        String id,
        String state,
        boolean heldBack,
        long generation,
        long nextGeneration,
        long specVersion,
        boolean holds,
        DeadlineStatus deadlineStatus,
        @Nullable String domain) {}
