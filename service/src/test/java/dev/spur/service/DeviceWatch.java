package dev.spur.service;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Looks at the processes of this machine again and again, past the service and its agents, and notes each device that
 * processes of two assignments have at a time, and each job that has processes of two generations.
 */
final class DeviceWatch implements AutoCloseable {
    private final List<String> conflicts = new CopyOnWriteArrayList<>();
    private final Path folder;
    private final Thread thread = new Thread(this::watch, "device-watch");
    private final AtomicInteger looks = new AtomicInteger();

    /** Looks at what agents run whose state is below {@code folder}: others may test on this machine too. */
    DeviceWatch(Path folder) {
        this.folder = folder;
        thread.setDaemon(true);
        thread.start();
    }

    /** What was seen that must not be. */
    List<String> conflicts() {
        return conflicts;
    }

    /** How often devices in use were looked at. */
    int looks() {
        return looks.get();
    }

    /** For each device that processes have, the assignments of these processes. */
    static Map<String, Set<String>> holders(Path folder) {
        Map<String, Set<String>> holders = new TreeMap<>();
        environments(folder).values().forEach(environment -> {
            for (String device : environment.getOrDefault("SPUR_DEVICES", "").split(",", -1)) {
                holders.computeIfAbsent(device, any -> new TreeSet<>()).add(environment.get("SPUR_ASSIGNMENT"));
            }
        });
        return holders;
    }

    /** The processes of an assignment. */
    static List<Long> processes(Path folder, String assignment) {
        return environments(folder).entrySet().stream()
                .filter(process -> assignment.equals(process.getValue().get("SPUR_ASSIGNMENT")))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The environments of the processes of assignments, by process id. */
    private static Map<Long, Map<String, String>> environments(Path folder) {
        Map<Long, Map<String, String>> environments = new TreeMap<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : (Iterable<Path>) processes::iterator) {
                Map<String, String> environment = environment(process);
                if (environment.containsKey("SPUR_ASSIGNMENT") && isBelow(folder, environment.get("SPUR_LEASE_FILE"))) {
                    environments.put(Long.valueOf(process.getFileName().toString()), environment);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return environments;
    }

    private static boolean isBelow(Path folder, String lease) {
        return lease != null && Path.of(lease).startsWith(folder);
    }

    private void watch() {
        try {
            while (true) {
                Map<String, Set<String>> holders = holders(folder);
                holders.forEach((device, assignments) -> {
                    if (assignments.size() > 1) {
                        conflicts.add(device + " is held by " + assignments);
                    }
                });
                Map<String, Set<String>> generations = new TreeMap<>();
                holders.values()
                        .forEach(assignments -> assignments.forEach(assignment -> generations
                                .computeIfAbsent(
                                        assignment.substring(0, assignment.lastIndexOf('.')), any -> new TreeSet<>())
                                .add(assignment)));
                generations.forEach((job, assignments) -> {
                    if (assignments.size() > 1) {
                        conflicts.add(job + " runs as " + assignments);
                    }
                });
                if (!holders.isEmpty()) {
                    looks.incrementAndGet();
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private static Map<String, String> environment(Path process) {
        Map<String, String> variables = new HashMap<>();
        if (Character.isDigit(process.getFileName().toString().charAt(0))) {
            try {
                String all = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
                for (String variable : all.split("\0", -1)) {
                    String[] parts = variable.split("=", 2);
                    variables.put(parts[0], parts.length == 2 ? parts[1] : "");
                }
            } catch (IOException gone) {
                return Map.of();
            }
        }
        return variables;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
