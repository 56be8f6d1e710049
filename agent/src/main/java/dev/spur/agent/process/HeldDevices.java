package dev.spur.agent.process;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parts of devices that runs hold. A run holds whole devices, or a share of one. */
public final class HeldDevices {
    private static final double TOLERANCE = 1e-6;

    private final Map<String, Double> parts = new HashMap<>();

    /**
     * Adds a run.
     *
     * @param share part of each device that it holds; null for whole devices
     */
    public void add(List<String> devices, @Nullable Double share) {
        devices.forEach(device -> parts.merge(device, part(share), Double::sum));
    }

    /** Returns true if each of {@code devices} has {@code share} left; null for whole devices. */
    public boolean leaveRoomFor(List<String> devices, @Nullable Double share) {
        return devices.stream().allMatch(device -> parts.getOrDefault(device, 0.0) + part(share) <= 1 + TOLERANCE);
    }

    private static double part(@Nullable Double share) {
        return share == null ? 1 : share;
    }
}
