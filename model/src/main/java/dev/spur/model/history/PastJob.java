package dev.spur.model.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.job.JobSpec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Training job that was active in a past time range.
 *
 * @param state state at the time of the export
 * @param jctSeconds observed completion time, seconds; null unless the job is done
 * @param work work in the range, effective samples: what the job did in all if it has ended, its total otherwise,
 *     without what it did before the range
 * @param deadline deadline; null for none
 * @param stated specification as submitted
 * @param assumed specification as rounds planned with it at the end; null if it equals {@code stated}
 * @param measured specification with the speeds known at the end; null if it equals {@code stated}
 */
public record PastJob(
        String id,
        String tenant,
        Instant submittedAt,
        String state,
        @Nullable Double jctSeconds,
        double work,
        @Nullable Instant deadline,
        JobSpec stated,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JobSpec assumed,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JobSpec measured) {}
