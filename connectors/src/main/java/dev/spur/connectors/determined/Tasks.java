package dev.spur.connectors.determined;

import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.PlatformJob.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * Allocations of all tasks: the slots that they hold or wait for. The task id of a trial begins with the number of its
 * experiment and a dot. Notebooks, shells, commands and TensorBoards have ids of their own.
 */
final class Tasks {
    private final Map<String, List<JsonNode>> byJob = new LinkedHashMap<>();

    Tasks(JsonNode answer) {
        for (JsonNode row : answer.path("allocationIdToSummary")) {
            byJob.computeIfAbsent(job(row.path("taskId").asString("")), id -> new ArrayList<>())
                    .add(row);
        }
    }

    private static String job(String task) {
        int dot = task.indexOf('.');
        return dot > 0 && task.substring(0, dot).chars().allMatch(Character::isDigit) ? task.substring(0, dot) : task;
    }

    /** Returns the slots held by an experiment, by agent. */
    JobPlacement placement(String experiment) {
        Map<String, Integer> slots = new HashMap<>();
        for (JsonNode row : byJob.getOrDefault(experiment, List.of())) {
            for (JsonNode resources : row.path("resources")) {
                resources.path("agentDevices").properties().forEach(agent -> {
                    int count = agent.getValue().path("devices").size();
                    if (count > 0) {
                        slots.merge(agent.getKey(), count, Integer::sum);
                    }
                });
            }
        }
        return JobPlacement.of(slots);
    }

    /**
     * Returns the id of the allocation in which the processes of an experiment run; empty if none run. The processes
     * know this id.
     */
    Optional<String> run(String experiment) {
        return trials(experiment)
                .filter(row -> !row.path("resources").isEmpty())
                .map(row -> row.path("allocationId").asString(""))
                .filter(allocation -> !allocation.isBlank())
                .findFirst();
    }

    /** Returns the allocations of an experiment, except checkpoint garbage collection, which needs no slots. */
    private Stream<JsonNode> trials(String experiment) {
        return byJob.getOrDefault(experiment, List.of()).stream()
                .filter(row -> row.path("slotsNeeded").asInt(0) > 0);
    }

    /** Returns the agent of a task with one container; empty if it is on none. */
    Optional<String> agent(String task) {
        return resources(task)
                .flatMap(resources -> resources.path("agentDevices").propertyNames().stream())
                .findFirst();
    }

    /**
     * Address of a published container port.
     *
     * @param host host address
     * @param port host port
     */
    record Address(String host, int port) {}

    /**
     * Returns the published address of a task's port; empty if the master does not report it. Version 0.38 lists the
     * addresses of containers that it started itself only after a restart of the master.
     */
    Optional<Address> address(String task, int port) {
        return resources(task)
                .flatMap(resources -> StreamSupport.stream(
                        resources.path("started").path("addresses").spliterator(), false))
                .filter(address -> address.path("containerPort").asInt(0) == port)
                .filter(address -> !address.path("hostIp").asString("").isBlank()
                        && !address.path("hostIp").asString().equals("0.0.0.0"))
                .map(address -> new Address(
                        address.path("hostIp").asString(),
                        address.path("hostPort").asInt(port)))
                .findFirst();
    }

    private Stream<JsonNode> resources(String task) {
        return byJob.getOrDefault(task, List.of()).stream()
                .flatMap(row -> StreamSupport.stream(row.path("resources").spliterator(), false));
    }

    /** Returns the slots that an experiment holds or waits for. */
    int neededSlots(String experiment) {
        return byJob.getOrDefault(experiment, List.of()).stream()
                .mapToInt(row -> row.path("slotsNeeded").asInt(0))
                .sum();
    }

    /** Returns the priority of the experiment's allocation, from 1 (first) to 99; empty if there is no allocation. */
    OptionalInt priority(String experiment) {
        return trials(experiment)
                .filter(row -> row.path("priority").isNumber())
                .mapToInt(row -> row.path("priority").asInt())
                .min();
    }

    /** Returns the tasks with slots that belong to no experiment. They are never offered to Spur. */
    List<PlatformJob> others() {
        List<PlatformJob> others = new ArrayList<>();
        byJob.forEach((id, rows) -> {
            JsonNode first = rows.get(0);
            if (!id.isBlank() && !id.chars().allMatch(Character::isDigit) && neededSlots(id) > 0) {
                JobPlacement held = placement(id);
                others.add(new PlatformJob(
                        "task/" + id,
                        first.path("name").asString("unnamed"),
                        "unknown",
                        first.path("resourcePool").asString("none"),
                        held.isNowhere() ? State.WAITING : State.RUNNING,
                        new Size(neededSlots(id), Math.max(1, held.slots().size())),
                        1,
                        JobPlacement.NONE,
                        held,
                        0,
                        Instant.EPOCH,
                        Optional.empty(),
                        JobAnnotation.NONE,
                        Optional.empty(),
                        Optional.empty()));
            }
        });
        return others;
    }
}
