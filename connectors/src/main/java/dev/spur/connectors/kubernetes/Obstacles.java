package dev.spur.connectors.kubernetes;

import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The causes in the cluster for which jobs do not start or end. */
final class Obstacles {
    /** Objects of a job whose events are read. */
    private static final int MAX_PARTS = 8;

    private final ApiServerClient calls;
    private final ClusterSnapshot cluster;
    private final Instant now;

    Obstacles(ApiServerClient calls, ClusterSnapshot cluster, Instant now) {
        this.calls = calls;
        this.cluster = cluster;
        this.now = now;
    }

    /**
     * Returns the cause: pods on silent nodes, the message of the scheduler or of Kueue, or a warning event of the job.
     * Empty if the cluster states none.
     */
    Optional<String> of(PlatformJob job) throws IOException, InterruptedException {
        if (job.state() != State.WAITING) {
            return cluster.stuckPods(job.id(), now);
        }
        List<Workload> parts = cluster.partsOf(job.id());
        Optional<String> known = Stream.concat(
                        cluster.podsOf(job.id()).stream()
                                .filter(pod -> !pod.unscheduledReason().isEmpty())
                                .map(pod ->
                                        "pod %s is not scheduled: %s".formatted(pod.name(), pod.unscheduledReason())),
                        parts.stream()
                                .filter(Workload::waitsForKueue)
                                .flatMap(part -> part.admission().stream())
                                .map(admission -> "Kueue has not admitted it: " + admission.quotaMessage()))
                .findFirst();
        return known.isPresent() ? known : warning(parts);
    }

    /** Returns the latest warning event of the objects of a job. */
    private Optional<String> warning(List<Workload> parts) throws IOException, InterruptedException {
        for (Workload part : parts.subList(0, Math.min(MAX_PARTS, parts.size()))) {
            String selector = URLEncoder.encode("involvedObject.uid=" + part.uid(), StandardCharsets.UTF_8);
            Optional<JsonNode> latest = calls
                    .listIfAllowed(
                            "/api/v1/namespaces/%s/events".formatted(part.namespace()), "fieldSelector=" + selector)
                    .stream()
                    .filter(event -> event.path("type").asString("").equals("Warning"))
                    .map(event -> (JsonNode) event)
                    .max((a, b) -> time(a).compareTo(time(b)));
            if (latest.isPresent()) {
                return Optional.of("%s: %s"
                        .formatted(
                                latest.get().path("reason").asString(""),
                                latest.get().path("message").asString("")));
            }
        }
        return Optional.empty();
    }

    private static String time(JsonNode event) {
        return event.path("lastTimestamp").asString(event.path("eventTime").asString(""));
    }
}
