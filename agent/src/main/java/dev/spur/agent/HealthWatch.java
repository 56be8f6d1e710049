package dev.spur.agent;

import dev.spur.agent.inventory.DeviceHealth;
import dev.spur.agent.protocol.Messages.DeviceReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Watches how the devices of the node do, on a thread of its own, for a tool that asks a driver may hang. What it knows
 * goes with each heartbeat, and one is sent at once when that changes. A device of which nothing is known is not named.
 */
final class HealthWatch {
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final List<String> devices;
    private final List<DeviceHealth> sources;
    private final Consumer<String> log;
    private Map<String, String> known = Map.of();
    private volatile List<DeviceReport> report = List.of();

    HealthWatch(List<String> devices, List<DeviceHealth> sources, Consumer<String> log) {
        this.devices = List.copyOf(devices);
        this.sources = List.copyOf(sources);
        this.log = log;
    }

    /** What is known of devices now. May be asked from any thread. */
    List<DeviceReport> report() {
        return report;
    }

    /** Looks again and again, and tells {@code changed} when the report is another one. */
    void watch(Runnable changed) {
        while (!Thread.currentThread().isInterrupted()) {
            if (look()) {
                changed.run();
            }
            try {
                Thread.sleep(LOOK.toMillis());
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Looks once; true if the report is another one. */
    boolean look() {
        Map<String, String> complaints = new TreeMap<>();
        boolean complete = true;
        for (DeviceHealth source : sources) {
            Optional<Map<String, String>> said = source.complaints();
            said.ifPresent(complaints::putAll);
            complete &= said.isPresent();
        }
        complaints.keySet().retainAll(devices);
        List<DeviceReport> now = new ArrayList<>();
        for (String device : devices) {
            boolean wrong = complaints.containsKey(device);
            if (wrong || complete) {
                now.add(new DeviceReport(device, !wrong));
            }
        }
        tell(complaints);
        boolean changed = !now.equals(report);
        report = List.copyOf(now);
        return changed;
    }

    private void tell(Map<String, String> complaints) {
        complaints.forEach((device, why) -> {
            if (!why.equals(known.get(device))) {
                log.accept("device %s is not healthy: %s".formatted(device, why));
            }
        });
        known.keySet().stream()
                .filter(device -> !complaints.containsKey(device))
                .forEach(device -> log.accept("nothing is wrong with device %s any more".formatted(device)));
        known = complaints;
    }
}
