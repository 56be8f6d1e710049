package dev.spur.service.dataprep.api;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.service.job.Command;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A preparation submission. Members as in the contract.
 *
 * @param tenant name of its tenant
 * @param owner responsible user or team
 * @param name its display name
 * @param externalId its id in another system; null if it has none
 * @param labels names and values set by the owner
 * @param spec its specification
 * @param command command that executors start; null for none
 * @param waitForHardware true to accept a preparation that no registered node can hold
 */
record PreparationSubmission(
        String tenant,
        String owner,
        String name,
        @Nullable String externalId,
        Map<String, String> labels,
        PreparationSpec spec,
        @Nullable Command command,
        boolean waitForHardware) {
    PreparationSubmission {
        Checks.named("tenant", tenant);
        labels = Checks.copy(labels);
    }
}
