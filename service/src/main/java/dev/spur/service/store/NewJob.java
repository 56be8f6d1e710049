package dev.spur.service.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as it is submitted.
 *
 * @param id its id
 * @param tenant name of its tenant
 * @param owner who answers for it
 * @param name its name for people
 * @param externalId its id elsewhere, unique in the tenant; null if it has none
 * @param labels names and values of the owner's choice
 * @param spec what is asked for, as JSON
 * @param command what executors start, as JSON; null for a job that none starts
 * @param totalSamples its work in effective samples
 * @param deadline when it must be done; null for no deadline
 * @param waitForHardware true if it may be impossible today
 * @param dependsOn ids of the preparations that must be done before it starts
 */
public record NewJob(
        String id,
        String tenant,
        String owner,
        String name,
        @Nullable String externalId,
        Map<String, String> labels,
        String spec,
        @Nullable String command,
        double totalSamples,
        @Nullable Instant deadline,
        boolean waitForHardware,
        List<String> dependsOn) {
    public NewJob {
        labels = Map.copyOf(labels);
        dependsOn = List.copyOf(dependsOn);
    }

    /** This waiting for {@code others}. */
    public NewJob awaiting(List<String> others) {
        return new NewJob(
                id,
                tenant,
                owner,
                name,
                externalId,
                labels,
                spec,
                command,
                totalSamples,
                deadline,
                waitForHardware,
                others);
    }
}
