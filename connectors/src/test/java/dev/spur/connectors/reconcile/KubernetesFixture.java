package dev.spur.connectors.reconcile;

import dev.spur.connectors.HostResources;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.kubernetes.KubernetesPlatform;
import dev.spur.connectors.kubernetes.KubernetesSettings;
import dev.spur.connectors.testing.KubernetesCluster;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A cluster of Kubernetes whose people submit jobs of one kind, with pods of one GPU each. Time passes with its steps.
 */
final class KubernetesFixture implements PlatformFixture {
    static final KubernetesSettings SETTINGS = new KubernetesSettings(
            "spur.dev/pool",
            "topology.kubernetes.io/rack",
            "topology.kubernetes.io/block",
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofSeconds(15),
            Duration.ofSeconds(60));

    private final KubernetesCluster cluster;
    private final KubernetesClient seenThrough;
    private final String kind;
    private Instant now = Instant.parse("2026-11-22T10:00:00Z");

    KubernetesFixture(KubernetesCluster cluster, KubernetesClient seenThrough, String kind) {
        this.cluster = cluster;
        this.seenThrough = seenThrough;
        this.kind = kind;
    }

    @Override
    public Platform platform() {
        return new KubernetesPlatform(seenThrough, SETTINGS, clock());
    }

    @Override
    public Clock clock() {
        return Clock.fixed(now, ZoneOffset.UTC);
    }

    @Override
    public String submit(int nodes, int slotsOnEach, boolean held, String words) {
        int pods = nodes * slotsOnEach;
        return switch (kind) {
            case "pytorchjob" -> cluster.pytorchJob(pods, held, words);
            case "vcjob" -> volcanoJob(pods, held, words);
            default -> cluster.job(pods, nodes > 1, held, words);
        };
    }

    /** One that is offered has the gate; if it is not to be held, somebody takes that off. */
    private String volcanoJob(int pods, boolean held, String words) {
        String job = cluster.volcanoJob(pods, !words.isEmpty(), words);
        if (!held && !words.isEmpty()) {
            release(job);
        }
        return job;
    }

    /** On how many nodes its pods will lie no job says. */
    @Override
    public Size requested(int nodes, int slotsOnEach) {
        return new Size(nodes * slotsOnEach, 1);
    }

    @Override
    public String batch(String job) {
        return cluster.batch(job);
    }

    @Override
    public @Nullable HostResources host(String job, int slots) {
        JsonNode requests = cluster.runningPod(job).at("/spec/containers/0/resources/requests");
        return HostResources.of(amount(requests.path("cpu")), amount(requests.path("memory")) / (1 << 30));
    }

    private static double amount(JsonNode quantity) {
        return Quantity.parse(quantity.asString()).getNumericalAmount().doubleValue();
    }

    @Override
    public void release(String job) {
        cluster.suspend(job, false);
    }

    @Override
    public void hold(String job) {
        cluster.suspend(job, true);
    }

    @Override
    public void pass() {
        now = now.plusSeconds(1);
        cluster.controllers().step();
    }

    @Override
    public void close() {
        cluster.clear();
    }
}
