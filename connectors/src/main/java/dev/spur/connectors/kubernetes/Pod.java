package dev.spur.connectors.kubernetes;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A pod.
 *
 * @param namespace namespace
 * @param name name
 * @param uid UID
 * @param owner UID of its controller; its own UID without a controller
 * @param node node that it is bound to; empty before binding
 * @param gpus GPUs requested
 * @param phase phase as reported by Kubernetes
 * @param gated true if it has the scheduling gate of Spur
 * @param host hostname that it is pinned to; empty if none
 * @param exitCode first exit code other than 0 of its containers; 0 for none
 * @param cpus CPUs requested
 * @param memoryGiB memory requested, GiB
 * @param ending true if it was requested to end
 * @param unscheduledReason reason why the scheduler does not bind it; empty if it states none
 */
record Pod(
        String namespace,
        String name,
        String uid,
        String owner,
        String node,
        int gpus,
        String phase,
        boolean gated,
        String host,
        int exitCode,
        double cpus,
        double memoryGiB,
        boolean ending,
        String unscheduledReason) {
    /** Scheduling gate that only Spur removes. */
    static final String GATE = "spur.dev/plan";

    private static final Set<String> OVER = Set.of("Succeeded", "Failed");

    static Pod read(JsonNode object) {
        JsonNode meta = object.path("metadata");
        String uid = meta.path("uid").asString("");
        return new Pod(
                meta.path("namespace").asString(""),
                meta.path("name").asString(""),
                uid,
                ownerOf(object).isEmpty() ? uid : ownerOf(object),
                object.at("/spec/nodeName").asString(""),
                Gpus.ofPod(object.path("spec")),
                object.at("/status/phase").asString(""),
                isGated(object.path("spec")),
                object.at("/spec/nodeSelector")
                        .path(KubernetesNodeReader.HOSTNAME)
                        .asString(""),
                exitCode(object),
                Gpus.request(object.path("spec"), "cpu"),
                Gpus.request(object.path("spec"), "memory") / KubernetesNodeReader.BYTES_IN_GIB,
                meta.has("deletionTimestamp"),
                unscheduledReason(object));
    }

    private static String unscheduledReason(JsonNode object) {
        return object.at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asString("").equals("PodScheduled"))
                .filter(condition -> condition.path("status").asString("").equals("False"))
                .map(condition -> condition.path("message").asString("no reason"))
                .findFirst()
                .orElse("");
    }

    private static int exitCode(JsonNode object) {
        for (JsonNode container : object.at("/status/containerStatuses")) {
            int code = container.at("/state/terminated/exitCode").asInt(0);
            if (code != 0) {
                return code;
            }
        }
        return 0;
    }

    /** Returns true if a pod specification has the scheduling gate of Spur. */
    static boolean isGated(JsonNode spec) {
        for (JsonNode gate : spec.path("schedulingGates")) {
            if (gate.path("name").asString("").equals(GATE)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the UID of an object's controller; empty if there is none. */
    static String ownerOf(JsonNode object) {
        for (JsonNode owner : object.at("/metadata/ownerReferences")) {
            if (owner.path("controller").asBoolean(false)) {
                return owner.path("uid").asString("");
            }
        }
        return "";
    }

    /** Returns true if the pod has not ended. */
    boolean isActive() {
        return !OVER.contains(phase);
    }

    /** Returns true if the pod has GPUs and is not gated. */
    boolean isReleased() {
        return isActive() && gpus > 0 && !gated;
    }

    /** Returns true if the pod holds GPUs of a node. */
    boolean holds() {
        return isActive() && !node.isEmpty() && gpus > 0;
    }

    /** Returns true if the pod was bound and did not fail: it runs or has succeeded. */
    boolean ran() {
        return !node.isEmpty() && !phase.equals("Failed");
    }
}
