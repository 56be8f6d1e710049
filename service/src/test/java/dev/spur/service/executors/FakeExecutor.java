package dev.spur.service.executors;

import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ContractedClient.Answer;
import java.util.Arrays;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** An executor that a test plays, one request at a time. */
final class FakeExecutor {
    private final ContractedClient api;
    private final String node;
    private final int slots;
    private final String devices;
    private String instance = "first";
    private long registrationEpoch;
    private long seq;

    /** An executor of a node with so many devices, d0, d1, ... of type A100 in pool main. */
    FakeExecutor(ContractedClient api, String node, int slots) {
        this.api = api;
        this.node = node;
        this.slots = slots;
        this.devices = java.util.stream.IntStream.range(0, slots)
                .mapToObj(d -> "{\"uuid\": \"d%d\"}".formatted(d))
                .collect(Collectors.joining(", "));
    }

    /** The same executor as before, with its service at another place. */
    FakeExecutor at(ContractedClient other) {
        FakeExecutor same = new FakeExecutor(other, node, slots);
        same.instance = instance;
        same.registrationEpoch = registrationEpoch;
        same.seq = seq;
        return same;
    }

    String path() {
        return "/api/v1/executors/" + node;
    }

    String node() {
        return node;
    }

    long registrationEpoch() {
        return registrationEpoch;
    }

    void instance(String other) {
        instance = other;
    }

    /** Registers, with what it says that it runs, each as {@code id STATE}. */
    Answer register(String... running) {
        Answer answer = api.put(path(), """
                {"instance": "%s", "address": "%s.example", "pool": "main", "acceleratorType": "A100", "devices": [%s],
                 "cpus": 64, "memoryGiB": 512, "running": [%s]}
                """.formatted(instance, node, devices, running(running)));
        if (answer.status() == 200) {
            registrationEpoch = answer.json().path("registrationEpoch").asLong();
        }
        return answer;
    }

    Answer status(String... running) {
        return api.put(
                path() + "/heartbeat",
                "{\"registrationEpoch\": %d, \"running\": [%s]}".formatted(registrationEpoch, running(running)));
    }

    private static String running(String... running) {
        return Arrays.stream(running)
                .map(item -> item.split(" "))
                .map(item -> "{\"assignmentId\": \"%s\", \"state\": \"%s\"}".formatted(item[0], item[1]))
                .collect(Collectors.joining(", "));
    }

    /** Everything that it is to do. */
    JsonNode poll() {
        return api.get(path() + "/assignments").is(200).json().path("assignments");
    }

    /** What it is to do for one job; missing if nothing. */
    JsonNode poll(String job) {
        return poll().valueStream()
                .filter(item -> item.path("jobId").asString().equals(job))
                .filter(item -> item.path("desired").asString().equals("RUN"))
                .findFirst()
                .orElse(tools.jackson.databind.node.MissingNode.getInstance());
    }

    Answer step(String assignment, String state) {
        return step(assignment, state, "");
    }

    /** Sends a step with further members, such as {@code , "exitCode": 1}. */
    Answer step(String assignment, String state, String more) {
        return stepNumbered(assignment, state, more, ++seq);
    }

    Answer stepNumbered(String assignment, String state, String more, long number) {
        String generation = assignment.substring(assignment.lastIndexOf('.') + 1);
        return api.post(
                path() + "/assignments/" + assignment + "/transitions",
                "{\"registrationEpoch\": %d, \"generation\": %s, \"seq\": %d, \"state\": \"%s\"%s}"
                        .formatted(registrationEpoch, generation, number, state, more));
    }

    /** Ends a program that ended by itself. */
    Answer exit(String assignment, int code) {
        return step(assignment, code == 0 ? "STOPPED" : "FAILED", ", \"exitCode\": " + code);
    }

    /** Stops a program as it was told to. */
    Answer release(String assignment) {
        return release(assignment, 143);
    }

    /** Stops a program as it was told to. It ends with this code. */
    Answer release(String assignment, int code) {
        step(assignment, "STOPPING");
        return step(assignment, "STOPPED", ", \"requested\": true, \"exitCode\": " + code);
    }
}
