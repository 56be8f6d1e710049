package dev.spur.service.job;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as its owner hands it in.
 *
 * @param tenant name of its tenant
 * @param owner who answers for it
 * @param name its name for people
 * @param externalId its id elsewhere; null if it has none
 * @param labels names and values of the owner's choice
 * @param spec what is asked for
 * @param command what executors start; null for a job that none starts
 * @param deadline when it must be done; null for no deadline
 * @param waitForHardware true to accept what nothing registered today could run
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
