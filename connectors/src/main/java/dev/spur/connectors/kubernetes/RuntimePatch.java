package dev.spur.connectors.kubernetes;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Spur's own patch of the runtime of a TrainJob: its controller lays it over the JobSet that it makes. Patches of
 * others stand beside it, and stay.
 */
final class RuntimePatch {
    /** Whose patch it is. */
    private static final String MANAGER = "spur.dev/connector";

    private static final String JOBS = "/trainingRuntimeSpec/template/spec/replicatedJobs";
    private static final String SELECTOR = "/template/spec/template/spec/nodeSelector";

    private RuntimePatch() {}

    /** The host name that Spur tied a replicated job to; empty if it did not. */
    static Optional<String> host(JsonNode trainJob, String replicatedJob) {
        for (JsonNode patch : trainJob.at("/spec/runtimePatches")) {
            if (has(patch, "manager", MANAGER)) {
                for (JsonNode job : patch.at(JOBS)) {
                    if (has(job, "name", replicatedJob)) {
                        String host = job.at(SELECTOR)
                                .path(KubernetesNodeReader.HOSTNAME)
                                .asString("");
                        return Optional.of(host).filter(name -> !name.isEmpty());
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Ties a replicated job to a host. */
    static void tie(ObjectNode trainJob, String replicatedJob, String host) {
        ObjectNode patch = member(trainJob.withArray("/spec/runtimePatches"), "manager", MANAGER);
        ObjectNode job = member(patch.withArray(JOBS), "name", replicatedJob);
        job.withObject(SELECTOR).put(KubernetesNodeReader.HOSTNAME, host);
    }

    private static ObjectNode member(ArrayNode list, String key, String value) {
        for (JsonNode one : list) {
            if (has(one, key, value)) {
                return (ObjectNode) one;
            }
        }
        return list.addObject().put(key, value);
    }

    private static boolean has(JsonNode object, String key, String value) {
        return object.path(key).asString("").equals(value);
    }
}
