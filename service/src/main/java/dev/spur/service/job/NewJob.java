package dev.spur.service.job;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Job at submission.
 *
 * @param id id of the job
 * @param kind kind of the job
 * @param tenant name of its tenant
 * @param owner responsible owner
 * @param name display name
 * @param externalId id in another system, unique in the tenant; null if there is none
 * @param labels names and values chosen by the owner
 * @param spec specification as JSON
 * @param command command that executors start, as JSON; null if executors do not start the job
 * @param totalWork work in effective samples; of a data preparation in seconds
 * @param deadline deadline; null for none
 * @param waitForHardware true if the job may be unsatisfiable on the current nodes
 * @param dependsOn ids of the preparations that must be done before the job starts
 */
public record NewJob(
        String id,
        JobKind kind,
        String tenant,
        String owner,
        String name,
        @Nullable String externalId,
        Map<String, String> labels,
        String spec,
        @Nullable String command,
        double totalWork,
        @Nullable Instant deadline,
        boolean waitForHardware,
        List<String> dependsOn) {
    public NewJob {
        labels = Map.copyOf(labels);
        dependsOn = List.copyOf(dependsOn);
    }

    /** Returns this job with the dependencies {@code others}. */
    public NewJob awaiting(List<String> others) {
        return new NewJob(
                id,
                kind,
                tenant,
                owner,
                name,
                externalId,
                labels,
                spec,
                command,
                totalWork,
                deadline,
                waitForHardware,
                others);
    }
}
