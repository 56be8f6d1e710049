package dev.spur.connectors.kubernetes;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Kueue Workload of a job that waits for an admission check of Spur.
 *
 * @param path API path of the Workload
 * @param workload the Workload
 * @param checks names of the admission checks of Spur
 */
record Admission(String path, ObjectNode workload, Set<String> checks) {
    static final String READY = "Ready";
    static final String RETRY = "Retry";
    private static final String PENDING = "Pending";

    /** Returns true if the Workload has an admission check of Spur. */
    boolean belongsToSpur() {
        return !states().isEmpty();
    }

    private List<JsonNode> states() {
        return workload.at("/status/admissionChecks")
                .valueStream()
                .filter(check -> checks.contains(check.path("name").asString("")))
                .toList();
    }

    /** Returns true if the admission checks of Spur are Ready. */
    boolean isReady() {
        return states().stream().allMatch(check -> is(check, READY));
    }

    /**
     * Returns true if Kueue waits for Spur: quota is reserved, the Workload is not being evicted, and the checks of
     * Spur are pending.
     */
    boolean isPending() {
        return holds("QuotaReserved") && !holds("Evicted") && states().stream().anyMatch(check -> is(check, PENDING));
    }

    private static boolean is(JsonNode check, String state) {
        return check.path("state").asString(PENDING).equals(state);
    }

    private boolean holds(String condition) {
        return workload.at("/status/conditions")
                .valueStream()
                .anyMatch(one -> one.path("type").asString("").equals(condition)
                        && one.path("status").asString("").equals("True"));
    }

    /** Returns the message of Kueue about the quota of the job. */
    String quotaMessage() {
        return workload.at("/status/conditions")
                .valueStream()
                .filter(one -> one.path("type").asString("").equals("QuotaReserved"))
                .map(one -> one.path("message").asString(""))
                .findFirst()
                .orElse("it states no reason");
    }

    /** Returns false if the Workload was deactivated. */
    boolean isActive() {
        return workload.at("/spec/active").asBoolean(true);
    }

    /**
     * Returns the Workload with the checks of Spur in {@code state}.
     *
     * @param host node of the pods with GPUs; empty for none
     * @param batch batch size that these pods read; null for none
     */
    ObjectNode with(String state, String message, String host, @Nullable Integer batch, Instant now) {
        ObjectNode changed = workload.deepCopy();
        for (JsonNode check : changed.at("/status/admissionChecks")) {
            if (checks.contains(check.path("name").asString(""))) {
                ObjectNode one = (ObjectNode) check;
                one.put("state", state).put("message", message);
                one.put(
                        "lastTransitionTime",
                        now.truncatedTo(ChronoUnit.SECONDS).toString());
                one.remove("podSetUpdates");
                if (!host.isEmpty()) {
                    pin(one, host, batch);
                }
            }
        }
        return changed;
    }

    private void pin(ObjectNode check, String host, @Nullable Integer batch) {
        for (JsonNode set : workload.at("/spec/podSets")) {
            if (Gpus.ofPod(set.at("/template/spec")) > 0) {
                ObjectNode update = check.withArray("/podSetUpdates").addObject();
                update.put("name", set.path("name").asString());
                update.withObject("/nodeSelector").put(KubernetesNodeReader.HOSTNAME, host);
                if (batch != null) {
                    update.withObject("/annotations").put(BatchAnnotation.NAME, batch.toString());
                }
            }
        }
    }
}
