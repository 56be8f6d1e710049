package dev.spur.service.operations.demo;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.json.RoundJson;
import dev.spur.service.jobs.DemoNodes;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Registers the demo cluster and submits its jobs, each only once. */
final class DemoCluster {
    private static final String API = "/api/v1";
    private static final String POOL = API + "/pools/demo";
    /** Prefix of the ids of all demo nodes. */
    static final String PREFIX = DemoNodes.PREFIX;

    private static final String ACTIVE = "&state=SUBMITTED&state=WAITING&state=RUNNING&state=COMPLETING";
    private static final double ROUND_SECONDS = 10;
    private static final double HORIZON_SECONDS = 60;
    /** Few jobs at first, so that they shrink and change their strategies while the others arrive. */
    static final int FIRST_JOBS = 4;

    private static final long ARRIVAL_NANOS = TimeUnit.SECONDS.toNanos(4);

    private final DemoClient client;
    /** Time of the last arrival by {@link System#nanoTime}; arrivals begin an interval after the first jobs. */
    private long arrivedAt = System.nanoTime();

    DemoCluster(DemoClient client) {
        this.client = client;
    }

    /**
     * Whether the demo cluster is already registered or no other cluster is. Nodes added to the demo cluster change
     * nothing.
     */
    boolean isDesired() throws IOException, InterruptedException {
        return isRegistered()
                || DemoClient.json(client.get(API + "/nodes?limit=1"))
                        .path("items")
                        .isEmpty();
    }

    /** Registers the missing resources and submits the missing jobs. */
    void prepare() throws IOException, InterruptedException {
        if (!isRegistered()) {
            shortenRounds();
        }
        register();
        submit();
    }

    private boolean isRegistered() throws IOException, InterruptedException {
        return client.get(POOL).statusCode() == 200;
    }

    /** Shortens rounds and the planning horizon: demo jobs run for minutes and should use free slots at once. */
    private void shortenRounds() throws IOException, InterruptedException {
        HttpResponse<String> answer = client.get(API + "/settings");
        ObjectNode settings = (ObjectNode) DemoClient.json(answer);
        settings.put("roundSeconds", ROUND_SECONDS);
        ((ObjectNode) settings.path("planning").path("horizon")).put("minSeconds", HORIZON_SECONDS);
        String etag = answer.headers().firstValue("ETag").orElse("*");
        client.replace(API + "/settings", etag, settings.toString());
    }

    private void register() throws IOException, InterruptedException {
        client.create(API + "/accelerator-types/T4", "{\"memoryGiB\": 16}");
        client.create(API + "/accelerator-types/RTX2080Ti", "{\"memoryGiB\": 11}");
        client.create(API + "/accelerator-types/A100", "{\"memoryGiB\": 40}");
        client.create(POOL, "{}");
        nodes("t4", 6, "T4", 4, 0.35);
        nodes("rtx", 3, "RTX2080Ti", 8, 0.5);
        nodes("a100", 2, "A100", 8, 2.5);
        node(new Node("demo-cpu-1", "demo", null, null, List.of(), 64, 256, 8, 0, NodeState.ACTIVE));
        client.create(API + "/tenants/root", "{}");
        client.create(API + "/tenants/vision", tenant(12, 12, 8));
        client.create(API + "/tenants/language", tenant(12, 12, 8));
    }

    private static String tenant(int t4, int rtx, int a100) {
        return """
                {"parent": "root", "quotas": {
                  "T4": {"nominal": %d, "borrowingLimit": 12},
                  "RTX2080Ti": {"nominal": %d, "borrowingLimit": 12},
                  "A100": {"nominal": %d, "borrowingLimit": 8}}}
                """.formatted(t4, rtx, a100);
    }

    private void nodes(String name, int count, String type, int slots, double price)
            throws IOException, InterruptedException {
        for (int i = 1; i <= count; i++) {
            List<String> devices =
                    IntStream.range(0, slots).mapToObj(d -> "GPU-" + d).toList();
            String rack = "rack-" + (i % 2 + 1);
            node(new Node(
                    PREFIX + name + "-" + i,
                    "demo",
                    rack,
                    type,
                    devices,
                    slots * 6,
                    slots * 32,
                    0,
                    price,
                    NodeState.ACTIVE));
        }
    }

    private void node(Node node) throws IOException, InterruptedException {
        client.create(API + "/nodes/" + node.id(), RoundJson.mapper().writeValueAsString(node));
    }

    /**
     * A job to submit.
     *
     * @param externalId prevents a second submission when the demo restarts
     */
    private record Submission(
            String tenant, String owner, String name, String externalId, Map<String, String> labels, Object spec) {}

    /** Submits the first demo jobs once, identified by their external ids; {@link #topUp} submits the others. */
    private void submit() throws IOException, InterruptedException {
        for (int number = 1; number <= FIRST_JOBS; number++) {
            submit(number);
        }
    }

    /**
     * Submits one more job, at most one every four seconds, if fewer are active than there are different ones, so that
     * the demo never runs out.
     */
    void topUp() throws IOException, InterruptedException {
        long now = System.nanoTime();
        if (now - arrivedAt < ARRIVAL_NANOS) {
            return;
        }
        arrivedAt = now;
        String demoJobs = API + "/jobs?label=demo%3Dtrue";
        int active =
                DemoClient.json(client.get(demoJobs + ACTIVE)).path("items").size();
        if (active < DemoJob.all().size()) {
            JsonNode newest = DemoClient.json(client.get(demoJobs + "&limit=1")).path("items");
            submit(1 + number(newest.path(0).path("externalId").asString()));
        }
    }

    private static int number(String externalId) {
        return externalId.startsWith(PREFIX) ? Integer.parseInt(externalId.substring(PREFIX.length())) : 0;
    }

    private void submit(int number) throws IOException, InterruptedException {
        List<DemoJob> jobs = DemoJob.all();
        DemoJob job = jobs.get((number - 1) % jobs.size());
        Map<String, String> labels = Map.of("demo", "true", "profile", "made-up");
        var submission =
                new Submission(job.tenant(), "demo", job.name() + " (demo)", PREFIX + number, labels, job.spec());
        HttpResponse<String> answer = client.post(API + "/jobs", submission);
        if (answer.statusCode() >= 400 && answer.statusCode() != 409) {
            throw new IOException("job %s: %s".formatted(job.name(), answer.body()));
        }
    }
}
