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
 * Who holds or waits for what: the allocations of all tasks. The id of a trial's task begins with the number of its
 * experiment and a dot; notebooks, shells, commands and TensorBoards have ids of their own.
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

    /** Slots that an experiment holds, by agent. */
    JobPlacement held(String experiment) {
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

    /** The allocation in which the processes of an experiment run, as they know it themselves; empty if none run. */
    Optional<String> run(String experiment) {
        return trials(experiment)
                .filter(row -> !row.path("resources").isEmpty())
                .map(row -> row.path("allocationId").asString(""))
                .filter(allocation -> !allocation.isBlank())
                .findFirst();
    }

    /** Allocations of an experiment without those of its checkpoint garbage collection, which need no slots. */
    private Stream<JsonNode> trials(String experiment) {
        return byJob.getOrDefault(experiment, List.of()).stream()
                .filter(row -> row.path("slotsNeeded").asInt(0) > 0);
    }

    /** The agent that a task of one container is on; empty if it is on none. */
    Optional<String> agent(String task) {
        return resources(task)
                .flatMap(resources -> resources.path("agentDevices").propertyNames().stream())
                .findFirst();
    }

    /**
     * Where a port of a container is reached.
     *
     * @param host an address
     * @param port the port there
     */
    record Address(String host, int port) {}

    /**
     * Where others reach a port of a task; empty if the master does not say. For containers that it started itself 0.38
     * says it in lists only after it has been started anew.
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

    /** Slots that an experiment holds or waits for. */
    int needed(String experiment) {
        return byJob.getOrDefault(experiment, List.of()).stream()
                .mapToInt(row -> row.path("slotsNeeded").asInt(0))
                .sum();
    }

    /** The priority with which it holds or waits, 1 to 99, less being earlier; empty if it does neither. */
    OptionalInt priority(String experiment) {
        return trials(experiment)
                .filter(row -> row.path("priority").isNumber())
                .mapToInt(row -> row.path("priority").asInt())
                .min();
    }

    /** Tasks with slots that belong to no experiment: nobody offers them. */
    List<PlatformJob> others() {
        List<PlatformJob> others = new ArrayList<>();
        byJob.forEach((id, rows) -> {
            JsonNode first = rows.get(0);
            if (!id.isBlank() && !id.chars().allMatch(Character::isDigit) && needed(id) > 0) {
                JobPlacement held = held(id);
                others.add(new PlatformJob(
                        "task/" + id,
                        first.path("name").asString("unnamed"),
                        "unknown",
                        first.path("resourcePool").asString("none"),
                        held.isNowhere() ? State.WAITING : State.RUNNING,
                        new Size(needed(id), Math.max(1, held.slots().size())),
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
