package dev.spur.service.job.lifecycle;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import dev.spur.service.job.Command;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job submission.
 *
 * @param tenant name of its tenant
 * @param owner responsible user or team
 * @param name its display name
 * @param externalId its id in another system; null if it has none
 * @param labels names and values set by the owner
 * @param spec its specification
 * @param command command that executors start; null for a job without a command
 * @param deadline time by which it must be done; null for no deadline
 * @param waitForHardware true to accept a job that no registered hardware can run
 * @param dependsOn ids of the preparations that must be done before it starts
 */
public record JobSubmission(
        String tenant,
        String owner,
        String name,
        @Nullable String externalId,
        Map<String, String> labels,
        JobSpec spec,
        @Nullable Command command,
        @Nullable Instant deadline,
        boolean waitForHardware,
        List<String> dependsOn) {
    public JobSubmission {
        Checks.named("tenant", tenant);
        Checks.require(
                spec.family() != null || !spec.profile().points().isEmpty(),
                "spec (without points of a profile) must name a family");
        labels = Checks.copy(labels);
        dependsOn = Checks.copy(dependsOn);
    }
}
