package dev.spur.benchmarks.load;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/** Executors with one slot each that long-poll for assignments. */
public final class PollingExecutors {
    /** States of an assignment from its offer until its program runs. */
    public static final List<String> STARTS = List.of("ACCEPTED", "STARTING", "RUNNING");

    private static final int WAIT_SECONDS = 30;

    private final SpurClient client;
    private final int count;
    private final List<Long> epochs = new ArrayList<>();

    public PollingExecutors(SpurClient client, int count) {
        this.client = client;
        this.count = count;
    }

    /** Registers the executors. */
    public void register() throws IOException, InterruptedException {
        for (int e = 1; e <= count; e++) {
            JsonNode registered = client.send(
                    client.to("/executors/x" + e).PUT(HttpRequest.BodyPublishers.ofString("""
                            {"instance": "x%d", "address": "127.0.0.1", "pool": "main", "acceleratorType": "A100",
                             "devices": [{"uuid": "GPU-0"}], "cpus": 8, "memoryGiB": 64}""".formatted(e))));
            epochs.add(registered.path("registrationEpoch").asLong());
        }
    }

    /** Submits one job per executor. */
    public void submitJobs() throws IOException, InterruptedException {
        for (int j = 1; j <= count; j++) {
            client.submit("""
                    {"owner": "bench", "name": "fleet %1$d",
                     "command": {"program": "train", "checkpointDir": "/shared/fleet-%1$d"},
                     "spec": {"work": {"unit": "SAMPLES", "amount": 1e8}, "elasticity": {"maxSlots": 1},
                      "batch": {"initial": 64, "min": 64, "max": 64, "maxPerDevice": 64},
                      "profile": {"points": [{"acceleratorType": "A100", "slots": 1, "nodes": 1, "batchSize": 64,
                        "samplesPerSecond": 100}]}}}""".formatted(j));
        }
    }

    /** Returns the current assignments of all executors. */
    public List<Assignment> assignments() throws IOException, InterruptedException {
        List<Assignment> assignments = new ArrayList<>();
        for (int e = 1; e <= count; e++) {
            JsonNode list = client.send(
                    client.to("/executors/x%d/assignments".formatted(e)).GET());
            for (JsonNode assignment : list.path("assignments")) {
                assignments.add(new Assignment(
                        client,
                        "/executors/x%d/assignments/%s/transitions"
                                .formatted(e, assignment.path("assignmentId").asString()),
                        "/jobs/%s/progress".formatted(assignment.path("jobId").asString()),
                        epochs.get(e - 1),
                        assignment.path("generation").asLong()));
            }
        }
        return assignments;
    }

    /** Reports of one assignment, whose numbers ascend. */
    public static final class Assignment {
        private final SpurClient client;
        private final String transitions;
        private final String progress;
        private final long epoch;
        private final long generation;
        private final AtomicLong reports = new AtomicLong();

        private Assignment(SpurClient client, String transitions, String progress, long epoch, long generation) {
            this.client = client;
            this.transitions = transitions;
            this.progress = progress;
            this.epoch = epoch;
            this.generation = generation;
        }

        /** Returns the report of the next state. */
        public HttpRequest.Builder transition(String state) {
            return transition(state, "");
        }

        /** Returns the report that the program has ended successfully. */
        public HttpRequest.Builder exit() {
            return transition("STOPPED", ", \"exitCode\": 0");
        }

        private HttpRequest.Builder transition(String state, String more) {
            return post(
                    transitions,
                    "{\"registrationEpoch\": %d, \"generation\": %d, \"seq\": %d, \"state\": \"%s\"%s}"
                            .formatted(epoch, generation, reports.incrementAndGet(), state, more));
        }

        /** Returns a report of progress. */
        public HttpRequest.Builder progress() {
            long number = reports.incrementAndGet();
            return post(
                    progress,
                    "{\"generation\": %d, \"seq\": %d, \"samplesTotal\": %d, \"state\": \"RUNNING\"}"
                            .formatted(generation, number, number));
        }

        private HttpRequest.Builder post(String path, String json) {
            return client.to(path)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(json));
        }
    }

    /** Opens one long poll per executor, for assignments newer than the current ones. */
    public WaitingConnections waiting() throws IOException, InterruptedException {
        List<String> polls = new ArrayList<>();
        for (int e = 1; e <= count; e++) {
            String path = "/executors/x%d/assignments".formatted(e);
            JsonNode now = client.send(client.to(path).GET(), Set.of(200));
            polls.add("%s?after=%d&wait=%d".formatted(path, now.path("revision").asLong(), WAIT_SECONDS));
        }
        return client.wait(polls);
    }
}
