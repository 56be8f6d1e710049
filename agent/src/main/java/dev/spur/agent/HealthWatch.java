package dev.spur.agent;

import dev.spur.agent.inventory.DeviceHealth;
import dev.spur.agent.inventory.GpuUsage.DeviceUsage;
import dev.spur.agent.protocol.Messages.DeviceReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Monitors health and use of the devices on its own thread, because a driver tool can hang. Each heartbeat contains the
 * report, and a change of the health triggers a heartbeat. Devices of unknown health are omitted.
 */
final class HealthWatch {
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final List<String> devices;
    private final List<DeviceHealth> sources;
    private final Supplier<Map<String, DeviceUsage>> usage;
    private final Consumer<String> log;
    private Map<String, String> known = Map.of();
    private volatile List<DeviceReport> report = List.of();

    /** @param usage current use of the devices by id */
    HealthWatch(
            List<String> devices,
            List<DeviceHealth> sources,
            Supplier<Map<String, DeviceUsage>> usage,
            Consumer<String> log) {
        this.devices = List.copyOf(devices);
        this.sources = List.copyOf(sources);
        this.usage = usage;
        this.log = log;
    }

    /** Returns the current health and use of the devices. Thread-safe. */
    List<DeviceReport> report() {
        return report;
    }

    /** Checks the devices periodically and runs {@code changed} when their health changes. */
    void watch(Runnable changed) {
        while (!Thread.currentThread().isInterrupted()) {
            if (observe()) {
                changed.run();
            }
            try {
                Thread.sleep(LOOK.toMillis());
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Checks the devices once. Returns true if their health changed. */
    boolean observe() {
        Map<String, String> failures = new TreeMap<>();
        boolean complete = true;
        for (DeviceHealth source : sources) {
            Optional<Map<String, String>> reported = source.failures();
            reported.ifPresent(failures::putAll);
            complete &= reported.isPresent();
        }
        failures.keySet().retainAll(devices);
        Map<String, DeviceUsage> used = usage.get();
        List<DeviceReport> now = new ArrayList<>();
        for (String device : devices) {
            boolean wrong = failures.containsKey(device);
            if (wrong || complete) {
                DeviceUsage use = used.getOrDefault(device, DeviceUsage.UNKNOWN);
                now.add(new DeviceReport(device, !wrong, use.utilization(), use.memoryUsedMiB(), use.powerWatts()));
            }
        }
        report(failures);
        boolean changed = !health(now).equals(health(report));
        report = List.copyOf(now);
        return changed;
    }

    private static Map<String, Boolean> health(List<DeviceReport> reports) {
        return reports.stream().collect(Collectors.toMap(DeviceReport::uuid, DeviceReport::healthy));
    }

    private void report(Map<String, String> failures) {
        failures.forEach((device, why) -> {
            if (!why.equals(known.get(device))) {
                log.accept("device %s is unhealthy: %s".formatted(device, why));
            }
        });
        known.keySet().stream()
                .filter(device -> !failures.containsKey(device))
                .forEach(device -> log.accept("device %s is healthy again".formatted(device)));
        known = failures;
    }
}
