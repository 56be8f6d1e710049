package dev.spur.service.job.lifecycle;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import dev.spur.service.job.Command;
import dev.spur.service.job.JobKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A training job as its owner states it. */
public record TrainingSubmission(
        String tenant,
        String owner,
        String name,
        @Nullable String externalId,
        Map<String, String> labels,
        JobSpec spec,
        @Nullable Command command,
        @Nullable Instant deadline,
        boolean waitForHardware,
        List<String> dependsOn)
        implements JobSubmission {
    public TrainingSubmission {
        Checks.named("tenant", tenant);
        Checks.require(
                spec.family() != null || !spec.profile().points().isEmpty(),
                "spec (without points of a profile) must name a family");
        labels = Checks.copy(labels);
        dependsOn = Checks.copy(dependsOn);
    }

    @Override
    public JobKind kind() {
        return JobKind.TRAINING;
    }

    @Override
    public double totalWork() {
        return spec.totalSamples();
    }
}
