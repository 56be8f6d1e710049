package dev.spur.service.jobs;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Array: jobs that one request has submitted and that differ in their index.
 *
 * @param seq number in the order of submission
 * @param indices indices as stated
 * @param size number of its jobs
 * @param limit maximum number of its jobs that run at the same time; null for no limit
 * @param groupName job group that holds the limit; null without one
 * @param states number of its jobs by state; states without jobs are absent
 * @param held number of its jobs that are held
 * @param slots slots that its jobs hold; a share of a device counts as such
 * @param failedIndices lowest indices of failed jobs, at most 20
 * @param endedAt end of the last job; null while one is active
 * @param version number of changes of the limit
 */
public record JobArray(
        long seq,
        String id,
        String tenant,
        String owner,
        String name,
        String indices,
        int size,
        @Nullable Integer limit,
        @Nullable String groupName,
        Instant submittedAt,
        @Nullable Instant endedAt,
        Map<JobState, Integer> states,
        int held,
        double slots,
        List<Integer> failedIndices,
        long version) {
    public JobArray {
        states = Map.copyOf(states);
        failedIndices = List.copyOf(failedIndices);
    }
}
