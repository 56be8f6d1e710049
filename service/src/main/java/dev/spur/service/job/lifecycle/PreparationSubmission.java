package dev.spur.service.job.lifecycle;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.service.job.Command;
import dev.spur.service.job.JobKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A data preparation as its owner states it. It has no deadline and no dependencies, so dependencies have no cycles.
 */
public record PreparationSubmission(
        String tenant,
        String owner,
        String name,
        @Nullable String externalId,
        Map<String, String> labels,
        PreparationSpec spec,
        @Nullable Command command,
        @Nullable Instant deadline,
        boolean waitForHardware,
        List<String> dependsOn)
        implements JobSubmission {
    public PreparationSubmission {
        Checks.named("tenant", tenant);
        labels = Checks.copy(labels);
        dependsOn = Checks.copy(dependsOn);
        Checks.require(deadline == null, "deadline (%s) must be absent: a data preparation has no deadline", deadline);
        Checks.require(
                dependsOn.isEmpty(),
                "dependsOn (%s) must be absent: a data preparation has no dependencies",
                dependsOn);
    }

    @Override
    public JobKind kind() {
        return JobKind.DATA_PREPARATION;
    }

    @Override
    public double totalWork() {
        return spec.seconds();
    }
}
