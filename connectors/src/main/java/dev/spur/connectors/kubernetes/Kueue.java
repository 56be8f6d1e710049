package dev.spur.connectors.kubernetes;

import java.io.IOException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The Kueue objects of a cluster; present only if Kueue is installed and Spur has an AdmissionCheck. */
final class Kueue {
    /** Controller name of the admission checks of Spur. */
    static final String CONTROLLER = "spur.dev/plan";

    private static final String GROUP = "/apis/kueue.x-k8s.io/";
    /** API versions of Kueue, newest first. */
    private static final List<String> VERSIONS = List.of("v1beta2", "v1beta1");

    private final String api;
    private final List<ObjectNode> checks;
    private final Map<String, ObjectNode> workloads = new HashMap<>();

    private Kueue(String api, List<ObjectNode> checks) {
        this.api = api;
        this.checks = checks;
    }

    /** Reads the admission checks only. */
    private static Kueue checks(ApiServerClient calls) throws IOException, InterruptedException {
        for (String version : VERSIONS) {
            List<ObjectNode> spurs = calls.list(GROUP + version + "/admissionchecks").stream()
                    .filter(check ->
                            check.at("/spec/controllerName").asString("").equals(CONTROLLER))
                    .toList();
            if (!spurs.isEmpty()) {
                return new Kueue(GROUP + version, spurs);
            }
        }
        return new Kueue("", List.of());
    }

    /** Reads the admission checks and the Workloads. */
    static Kueue read(ApiServerClient calls) throws IOException, InterruptedException {
        Kueue kueue = checks(calls);
        if (!kueue.checks.isEmpty()) {
            calls.list(kueue.api + "/workloads").forEach(one -> kueue.workloads.put(Pod.ownerOf(one), one));
        }
        return kueue;
    }

    /** Adds the Workload to a job that waits for an admission check of Spur. */
    Workload with(Workload job) {
        Set<String> names = checks.stream()
                .map(check -> check.at("/metadata/name").asString(""))
                .collect(Collectors.toSet());
        Optional<Admission> admission = Optional.ofNullable(workloads.get(job.uid()))
                .map(one -> new Admission(
                        "%s/namespaces/%s/workloads/%s"
                                .formatted(
                                        api,
                                        job.namespace(),
                                        one.at("/metadata/name").asString("")),
                        one,
                        names))
                .filter(Admission::belongsToSpur);
        return job.withAdmission(admission);
    }

    /** Sets the admission checks of Spur to Active. Before that, Kueue admits no job to a queue with such a check. */
    static void activate(ApiServerClient calls, Clock clock)
            throws IOException, InterruptedException, KubernetesRejection {
        Kueue kueue = checks(calls);
        for (ObjectNode check : kueue.checks) {
            if (!isActive(check)) {
                ObjectNode active = check.deepCopy();
                active.withObject("/status")
                        .putArray("conditions")
                        .addObject()
                        .put("type", "Active")
                        .put("status", "True")
                        .put("reason", "Planned")
                        .put("message", "Spur schedules the jobs that wait for this check")
                        .put(
                                "lastTransitionTime",
                                clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
                calls.put(
                        "%s/admissionchecks/%s/status"
                                .formatted(kueue.api, check.at("/metadata/name").asString()),
                        active);
            }
        }
    }

    private static boolean isActive(JsonNode check) {
        return check.at("/status/conditions")
                .valueStream()
                .anyMatch(one -> one.path("type").asString("").equals("Active")
                        && one.path("status").asString("").equals("True"));
    }
}
