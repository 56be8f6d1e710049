package dev.spur.connectors.kubernetes;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A pod.
 *
 * @param namespace where it lives
 * @param name its name there
 * @param uid what tells it from another one of that name
 * @param owner uid of what made it; its own without
 * @param node the node that it is bound to; empty before
 * @param gpus the GPUs that it is for
 * @param phase as Kubernetes says it
 * @param gated true if Spur keeps it from the scheduler
 * @param host the host name that it is tied to; empty if to none
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
        String host) {
    /** The scheduling gate that only Spur takes off. */
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
                        .asString(""));
    }

    /** True if a specification of pods has Spur's gate. */
    static boolean isGated(JsonNode spec) {
        for (JsonNode gate : spec.path("schedulingGates")) {
            if (gate.path("name").asString("").equals(GATE)) {
                return true;
            }
        }
        return false;
    }

    /** The uid of what controls an object; empty if nothing does. */
    static String ownerOf(JsonNode object) {
        for (JsonNode owner : object.at("/metadata/ownerReferences")) {
            if (owner.path("controller").asBoolean(false)) {
                return owner.path("uid").asString("");
            }
        }
        return "";
    }

    /** True if it still exists on a node or waits for one. */
    boolean lives() {
        return !OVER.contains(phase);
    }

    /** True if it has GPUs, or is to have some, and Spur does not keep it from the scheduler. */
    boolean isLetGo() {
        return lives() && gpus > 0 && !gated;
    }

    /** True if GPUs of a node are its. */
    boolean holds() {
        return lives() && !node.isEmpty() && gpus > 0;
    }

    /** True if it was bound and did not fail: it runs, or has run to its end. */
    boolean ran() {
        return !node.isEmpty() && !phase.equals("Failed");
    }
}
