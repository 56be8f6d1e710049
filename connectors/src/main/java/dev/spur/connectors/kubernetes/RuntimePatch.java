package dev.spur.connectors.kubernetes;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The runtime patch of Spur in a TrainJob, which the TrainJob controller applies to its JobSet. Patches of other
 * managers are preserved.
 */
final class RuntimePatch {
    /** Manager name of the patch. */
    private static final String MANAGER = "spur.dev/connector";

    private static final String JOBS = "/trainingRuntimeSpec/template/spec/replicatedJobs";
    private static final String SELECTOR = "/template/spec/template/spec/nodeSelector";
    private static final String ANNOTATIONS = "/template/spec/template/metadata/annotations";

    private RuntimePatch() {}

    /** Returns the hostname that Spur pinned a replicated job to; empty if none. */
    static Optional<String> host(JsonNode trainJob, String replicatedJob) {
        String host = value(trainJob, replicatedJob, SELECTOR, KubernetesNodeReader.HOSTNAME);
        return Optional.of(host).filter(name -> !name.isEmpty());
    }

    /** Returns an annotation that Spur set on the pods of a replicated job; empty if none. */
    static String annotation(JsonNode trainJob, String replicatedJob, String name) {
        return value(trainJob, replicatedJob, ANNOTATIONS, name);
    }

    private static String value(JsonNode trainJob, String replicatedJob, String location, String name) {
        for (JsonNode patch : trainJob.at("/spec/runtimePatches")) {
            if (has(patch, "manager", MANAGER)) {
                for (JsonNode job : patch.at(JOBS)) {
                    if (has(job, "name", replicatedJob)) {
                        return job.at(location).path(name).asString("");
                    }
                }
            }
        }
        return "";
    }

    /** Pins a replicated job to a host. */
    static void pin(ObjectNode trainJob, String replicatedJob, String host) {
        job(trainJob, replicatedJob).withObject(SELECTOR).put(KubernetesNodeReader.HOSTNAME, host);
    }

    /** Returns the annotations of Spur on the pods of a replicated job. */
    static ObjectNode annotations(ObjectNode trainJob, String replicatedJob) {
        return job(trainJob, replicatedJob).withObject(ANNOTATIONS);
    }

    private static ObjectNode job(ObjectNode trainJob, String replicatedJob) {
        ObjectNode patch = member(trainJob.withArray("/spec/runtimePatches"), "manager", MANAGER);
        return member(patch.withArray(JOBS), "name", replicatedJob);
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
