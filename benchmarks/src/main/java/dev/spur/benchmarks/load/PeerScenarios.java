package dev.spur.benchmarks.load;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.HashSet;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Scenarios of the scale test of KAI-Scheduler against a running service with 500 nodes of 8 slots: 5 blocks of 10
 * racks of 10 nodes. Each method returns the seconds from the first submission until a client has the plan with the
 * result. No executor takes part.
 */
public final class PeerScenarios {
    private static final int NODES = 500;
    private static final int NODES_PER_RACK = 10;
    private static final int RACKS_PER_BLOCK = 10;
    private static final int SLOTS = 8;
    /** Time after which the next change starts a round at once, s. */
    private static final long QUIET_SECONDS = 4;

    private static final int CLIENTS = 8;
    /** Time after which a scenario has no result, s. */
    private static final double MAX_SECONDS = 60;

    private final SpurClient client;
    private JsonNode plan;

    /** Registers the cluster. */
    public PeerScenarios(SpurClient client) throws IOException, InterruptedException {
        this.client = client;
        client.put("/accelerator-types/A100", "{\"memoryGiB\": 40}");
        client.put("/pools/main", "{}");
        client.put("/tenants/root", "{}");
        for (int n = 0; n < NODES; n++) {
            int rack = n / NODES_PER_RACK;
            client.put("/nodes/node-" + n, """
                    {"pool": "main", "acceleratorType": "A100", "cpus": 64, "memoryGiB": 512, "rack": "r%d",
                     "labels": {"block": "b%d"}, "devices": ["0", "1", "2", "3", "4", "5", "6", "7"]}""".formatted(rack, rack / RACKS_PER_BLOCK));
        }
        client.plan();
        plan = client.awaitPlan(0);
    }

    /** Starts as many one-slot jobs as there are slots, in one array. */
    public double fill() throws IOException, InterruptedException {
        int jobs = NODES * SLOTS;
        long start = begin();
        client.send(
                client.to("/arrays")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"indices\": \"0-%d\", \"job\": %s}".formatted(jobs - 1, job(1, 1, 0, "")))),
                Set.of(201));
        return await(start, next -> next.path("running").size() >= jobs);
    }

    /** Starts a gang of 512 slots within one block. */
    public double startGang() throws IOException, InterruptedException {
        return startOne(job(512, 512, 0, ", \"topology\": {\"level\": \"block\", \"policy\": \"REQUIRE\"}"));
    }

    /**
     * Submits a gang of 80 slots to a full cluster; its result is the reason why it waits. The gang is canceled then.
     */
    public double explainWaiting() throws IOException, InterruptedException {
        long start = begin();
        String id = client.submit(job(80, 80, 0, ""));
        double seconds = await(start, next -> has(next.path("waiting"), id));
        client.cancel(id);
        return seconds;
    }

    /**
     * Starts a job of 2,000 slots and a higher class on a full cluster. It is canceled then, and the jobs that it
     * stopped start again.
     */
    public double reclaim() throws IOException, InterruptedException {
        long start = begin();
        String id = client.submit(job(2000, 2000, 10, ""));
        double seconds = await(start, next -> has(next.path("running"), id));
        client.cancel(id);
        await(System.nanoTime(), next -> next.path("running").size() >= NODES * SLOTS);
        return seconds;
    }

    /**
     * Ends one job of each node, and starts gangs of 8 slots on one node each: the jobs of as many nodes have to move.
     *
     * @return the seconds from the first submission
     */
    public double consolidate(int gangs) throws IOException, InterruptedException {
        Set<String> nodes = new HashSet<>();
        Queue<HttpRequest> cancellations = new ConcurrentLinkedQueue<>();
        for (JsonNode job : plan.path("running")) {
            String node = job.path("allocation")
                    .path("placement")
                    .path(0)
                    .path("node")
                    .asString();
            if (nodes.add(node)) {
                cancellations.add(
                        client.cancellation(job.path("jobId").asString()).build());
            }
        }
        ClosedLoopLoad.run(CLIENTS, MAX_SECONDS, cancellations::poll, Set.of(200));
        TimeUnit.SECONDS.sleep(QUIET_SECONDS);
        long start = begin();
        client.send(
                client.to("/arrays")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"indices\": \"0-%d\", \"job\": %s}"
                                .formatted(gangs - 1, job(SLOTS, SLOTS, 0, ", \"maxNodes\": 1")))),
                Set.of(201));
        return await(start, next -> {
            int running = 0;
            for (JsonNode job : next.path("running")) {
                running += job.path("allocation")
                                        .path("placement")
                                        .path(0)
                                        .path("devices")
                                        .size()
                                == SLOTS
                        ? 1
                        : 0;
            }
            return running >= gangs;
        });
    }

    private double startOne(String json) throws IOException, InterruptedException {
        long start = begin();
        String id = client.submit(json);
        return await(start, next -> has(next.path("running"), id));
    }

    private static boolean has(JsonNode jobs, String id) {
        for (JsonNode job : jobs) {
            if (job.path("jobId").asString().equals(id)) {
                return true;
            }
        }
        return false;
    }

    /** Waits until no early round is due, so that the next submission starts one. */
    private long begin() throws InterruptedException {
        TimeUnit.SECONDS.sleep(QUIET_SECONDS);
        return System.nanoTime();
    }

    private double await(long start, Predicate<JsonNode> hasResult) throws IOException, InterruptedException {
        while (System.nanoTime() - start < MAX_SECONDS * 1e9) {
            JsonNode next = client.send(
                    client.to("/plans/current?wait=10&after="
                                    + plan.path("revision").asLong())
                            .GET(),
                    Set.of(200, 304));
            double seconds = (System.nanoTime() - start) / 1e9;
            if (next.has("revision")) {
                plan = next;
                if (hasResult.test(plan)) {
                    return seconds;
                }
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private static String job(int min, int max, int priority, String elasticity) {
        return String.format(Locale.ROOT, """
                {"owner": "bench", "name": "job", "command": {"program": "true"}, "spec": {
                  "elasticity": {"minSlots": %d, "maxSlots": %d%s}, "priority": %d, "restartPenaltySeconds": 30}}""", min, max, elasticity, priority);
    }
}
