package dev.spur.service.dataprep;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.service.job.Command;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A preparation as its owner hands it in. Members as in the contract.
 *
 * @param tenant name of its tenant
 * @param owner who answers for it
 * @param name its name for people
 * @param externalId its id elsewhere; null if it has none
 * @param labels names and values of the owner's choice
 * @param spec what is asked for
 * @param command what executors start; null if none does
 * @param waitForHardware true to accept what no node registered today could hold
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
