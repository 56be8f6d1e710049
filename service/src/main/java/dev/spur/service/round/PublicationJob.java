package dev.spur.service.round;

import dev.spur.model.job.DeadlineStatus;
import org.jspecify.annotations.Nullable;

/**
 * Job data that publication checks.
 *
 * @param id id of the job
 * @param state SUBMITTED, WAITING, RUNNING or COMPLETING; other states are not active
 * @param heldBack true if rounds must not start the job
 * @param generation number of its allocation
 * @param nextGeneration number of its next allocation
 * @param specVersion number of its specification
 * @param holds true if it has an allocation
 * @param deadlineStatus status of its deadline
 * @param domain planning domain of the job; null without planning domains, or if the job is unassigned
 * @param rescales true if its ranks run and do not change
 */
record PublicationJob(
        String id,
        String state,
        boolean heldBack,
        long generation,
        long nextGeneration,
        long specVersion,
        boolean holds,
        DeadlineStatus deadlineStatus,
        @Nullable String domain,
        boolean rescales) {}
