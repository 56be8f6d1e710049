package dev.spur.benchmarks.load;

import dev.spur.benchmarks.load.RecordingClient.Answer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Executor that follows the protocol of {@code docs/reference/executor-protocol.md} but starts no processes: its jobs
 * only take time. Its state is guarded by its monitor. Requests are asynchronous, so a thousand executors need few
 * threads.
 */
@SuppressWarnings("FutureReturnValueIgnored") // RecordingClient counts the failures
final class SimulatedExecutor {
    private static final double HEARTBEAT_SECONDS = 30;
    private static final double RETRY_SECONDS = 1;
    private static final Set<Integer> OK_OR_CONFLICT = Set.of(200, 409);
    /** Accepted statuses of a report; it can race with the end of its job. */
    private static final Set<Integer> OR_OVER = Set.of(200, 409, 410);

    private final String node;
    private final int devices;
    private final SiteJobs site;
    private final RecordingClient calls;
    private final LoadTimer alarm;
    private final LatencyRecorder recorder;
    private final Map<String, Run> runs = new HashMap<>();
    private long registrationEpoch;
    private long revision;
    private long seq;

    /** Local state of an assignment. */
    private static final class Run {
        private final String job;
        private final long generation;
        private boolean asking;
        private boolean over;
        private long since;

        private Run(String job, long generation) {
            this.job = job;
            this.generation = generation;
        }

        private boolean isRunning() {
            return since != 0 && !over;
        }

        /** Returns the seconds since the previous call, or since the start. */
        private double secondsSinceCall() {
            long now = System.nanoTime();
            double seconds = (now - since) / 1e9;
            since = now;
            return seconds;
        }
    }

    SimulatedExecutor(
            String node, int devices, SiteJobs site, RecordingClient calls, LoadTimer alarm, LatencyRecorder recorder) {
        this.node = node;
        this.devices = devices;
        this.site = site;
        this.calls = calls;
        this.alarm = alarm;
        this.recorder = recorder;
    }

    /** Registers the executor; the future completes with the response of the service. */
    CompletableFuture<Void> register() {
        String list = IntStream.range(0, devices)
                .mapToObj("{\"uuid\": \"GPU-%d\"}"::formatted)
                .collect(Collectors.joining(", "));
        String body = """
                {"instance": "%s", "address": "127.0.0.1", "pool": "main", "acceleratorType": "A100",
                 "devices": [%s], "cpus": 64, "memoryGiB": 512}""".formatted(node, list);
        return calls.send("PUT /executors/{id}", "PUT", "executors/" + node, body, Set.of(200))
                .thenAccept(answer -> registrationEpoch =
                        answer.json().path("registrationEpoch").asLong());
    }

    /** Starts polling and heartbeats. */
    void start(double firstHeartbeat) {
        alarm.every(HEARTBEAT_SECONDS, firstHeartbeat, this::heartbeat);
        poll();
    }

    private void heartbeat() {
        String running;
        synchronized (this) {
            running = runs.entrySet().stream()
                    .filter(run -> run.getValue().isRunning())
                    .map(run -> "{\"assignmentId\": \"%s\", \"state\": \"RUNNING\"}".formatted(run.getKey()))
                    .collect(Collectors.joining(", "));
        }
        calls.send(
                "PUT /executors/{id}/heartbeat",
                "PUT",
                "executors/%s/heartbeat".formatted(node),
                "{\"registrationEpoch\": %d, \"running\": [%s]}".formatted(registrationEpoch, running),
                Set.of(200));
    }

    private void poll() {
        calls.get(
                        "GET /executors/{id}/assignments",
                        "executors/%s/assignments?after=%d&wait=30".formatted(node, revision))
                .thenAccept(answer -> {
                    if (answer.status() == 200) {
                        follow(answer.json());
                    }
                    if (answer.status() == 200 || answer.status() == 304) {
                        poll();
                    } else {
                        alarm.in(RETRY_SECONDS, this::poll);
                    }
                });
    }

    /** Processes the list of assignments, which is complete. */
    private synchronized void follow(JsonNode list) {
        revision = list.path("revision").asLong();
        Set<String> listed = new HashSet<>();
        for (JsonNode assignment : list.path("assignments")) {
            String id = assignment.path("assignmentId").asString();
            listed.add(id);
            Run run = runs.computeIfAbsent(
                    id,
                    fresh -> new Run(
                            assignment.path("jobId").asString(),
                            assignment.path("generation").asLong()));
            follow(id, run, assignment);
        }
        runs.entrySet().removeIf(run -> !listed.contains(run.getKey()) && !run.getValue().asking);
    }

    private void follow(String id, Run run, JsonNode assignment) {
        if (run.asking || run.over) {
            return;
        }
        if (assignment.path("desired").asString().equals("STOP")) {
            give(id, run, true);
        } else if (!run.isRunning() && assignment.path("mayStart").asBoolean()) {
            step(id, run, "STARTING", "");
        } else if (!run.isRunning() && assignment.path("state").asString().equals("OFFERED")) {
            if (assignment.path("waitFor").isEmpty()) {
                step(id, run, "ACCEPTED", "");
            }
        }
    }

    /** Reports one transition of an assignment and then performs the follow-up action. */
    private synchronized void step(String id, Run run, String state, String more) {
        run.asking = true;
        send(
                id,
                run,
                state,
                "{\"registrationEpoch\": %d, \"generation\": %d, \"seq\": %d, \"state\": \"%s\"%s}"
                        .formatted(registrationEpoch, run.generation, ++seq, state, more));
    }

    /** Sends a report, and sends the same one again as long as there is no response. */
    private void send(String id, Run run, String state, String body) {
        calls.send(
                        "POST /executors/{id}/assignments/{id}/transitions",
                        "POST",
                        "executors/%s/assignments/%s/transitions".formatted(node, id),
                        body,
                        OK_OR_CONFLICT)
                .thenAccept(answer -> {
                    if (answer.status() == 0) {
                        alarm.in(RETRY_SECONDS, () -> send(id, run, state, body));
                    } else {
                        completeStep(id, run, state, answer);
                    }
                });
    }

    private synchronized void completeStep(String id, Run run, String state, Answer answer) {
        run.asking = false;
        if (!answer.isSuccessful()) {
            return;
        }
        switch (state) {
            case "ACCEPTED" -> {
                if (answer.json().path("mayStart").asBoolean()) {
                    step(id, run, "STARTING", "");
                }
            }
            case "STARTING" -> {
                run.since = System.nanoTime();
                SiteJobs.Life job = site.starting(run.job);
                job.start().ifPresent(waited -> recorder.recordResponse("submission to start", waited));
                alarm.in(job.remaining() / 2, () -> report(run));
                alarm.in(job.remaining(), () -> end(id, run));
                step(id, run, "RUNNING", "");
            }
            default -> {
                // no follow-up: the job ends by time or by another plan
            }
        }
    }

    private synchronized void report(Run run) {
        if (run.isRunning()) {
            progress(run);
        }
    }

    private void progress(Run run) {
        site.job(run.job)
                .ifPresent(job -> calls.send(
                        "POST /jobs/{id}/progress",
                        "POST",
                        "jobs/%s/progress".formatted(run.job),
                        "{\"generation\": %d, \"seq\": %d, \"samplesTotal\": %.1f, \"state\": \"RUNNING\"}"
                                .formatted(
                                        run.generation,
                                        ++seq,
                                        SubmitterClients.samples(job.ran(run.secondsSinceCall()))),
                        OR_OVER));
    }

    /** Ends the job after its work is done, unless a plan has stopped it before. */
    private synchronized void end(String id, Run run) {
        if (run.isRunning()) {
            give(id, run, false);
        }
    }

    private void give(String id, Run run, boolean requested) {
        if (run.isRunning() && requested) {
            progress(run);
        }
        run.over = true;
        if (!requested) {
            site.remove(run.job);
        }
        step(id, run, "STOPPED", ", \"exitCode\": 0, \"requested\": " + requested);
    }
}
