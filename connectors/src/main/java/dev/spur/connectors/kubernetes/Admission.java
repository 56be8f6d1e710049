package dev.spur.connectors.kubernetes;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What Kueue has of a job in one of its queues that waits for a check of Spur: its Workload.
 *
 * @param path of the Workload
 * @param workload it
 * @param checks names of the checks that are Spur's
 */
record Admission(String path, ObjectNode workload, Set<String> checks) {
    static final String READY = "Ready";
    static final String RETRY = "Retry";
    private static final String PENDING = "Pending";

    /** True if it waits for, or has passed, a check of Spur. */
    boolean isSpurs() {
        return !states().isEmpty();
    }

    private List<JsonNode> states() {
        return workload.at("/status/admissionChecks")
                .valueStream()
                .filter(check -> checks.contains(check.path("name").asString("")))
                .toList();
    }

    /** True if Spur's checks are passed. */
    boolean isReady() {
        return states().stream().allMatch(check -> is(check, READY));
    }

    /** True if Kueue waits for Spur: it has quota, is not being evicted, and Spur has said nothing yet. */
    boolean isAsked() {
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

    /** False if somebody took it out of the queue. */
    boolean isActive() {
        return workload.at("/spec/active").asBoolean(true);
    }

    /**
     * The Workload with Spur's checks in a state; {@code host} is where its pods with GPUs are to go, empty for
     * nowhere.
     */
    ObjectNode with(String state, String message, String host, Instant now) {
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
                    tie(one, host);
                }
            }
        }
        return changed;
    }

    private void tie(ObjectNode check, String host) {
        for (JsonNode set : workload.at("/spec/podSets")) {
            if (Gpus.ofPod(set.at("/template/spec")) > 0) {
                ObjectNode update = check.withArray("/podSetUpdates").addObject();
                update.put("name", set.path("name").asString());
                update.withObject("/nodeSelector").put(KubernetesNodeReader.HOSTNAME, host);
            }
        }
    }
}
