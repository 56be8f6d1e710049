package dev.spur.agent.inventory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Detects the resources of this machine. */
public final class Host {
    private static final Pattern TOTAL = Pattern.compile("(?m)^MemTotal:\\s+(\\d+) kB$");
    private static final Pattern AVAILABLE = Pattern.compile("(?m)^MemAvailable:\\s+(\\d+) kB$");
    private static final double KIB_PER_GIB = 1024 * 1024;

    private Host() {}

    /**
     * Detects the GPUs or GPU slices listed by the driver.
     *
     * @param type accelerator type; null if all have the same type
     * @throws InventoryException if there are no devices, none of the type, or several types without a selection
     */
    public static Inventory detect(@Nullable String type) {
        return select(NvidiaSmi.query("nvidia-smi"), type);
    }

    static Inventory select(List<NvidiaSmi.Gpus> found, @Nullable String type) {
        List<String> types = found.stream().map(NvidiaSmi.Gpus::type).toList();
        String desired = type == null && types.size() == 1 ? types.get(0) : type;
        if (desired == null) {
            throw new InventoryException(
                    "This machine has devices of several types (%s), but a node has one: start one agent per type with different --type and --node."
                            .formatted(String.join(", ", types)));
        }
        return found.stream()
                .filter(gpus -> gpus.type().equals(desired))
                .findFirst()
                .map(gpus -> with(Optional.of(desired), gpus.devices()))
                .orElseThrow(() -> new InventoryException("nvidia-smi lists no devices of type %s, only of %s."
                        .formatted(desired, String.join(", ", types))));
    }

    /**
     * Creates an inventory of {@code slots} configured devices with the ids {@code node/0}, {@code node/1} and so on.
     */
    public static Inventory ofSlots(String node, int slots, String type) {
        List<Device> devices = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
            devices.add(new Device(node + "/" + slot, Integer.toString(slot), 0));
        }
        return with(Optional.of(type), devices);
    }

    /** Creates an inventory of devices with configured ids. */
    public static Inventory ofDevices(List<String> ids, String type) {
        return with(
                Optional.of(type), ids.stream().map(id -> new Device(id, id, 0)).toList());
    }

    private static Inventory with(Optional<String> type, List<Device> devices) {
        return new Inventory(
                devices.isEmpty() ? Optional.empty() : type,
                devices,
                Math.min(
                        Runtime.getRuntime().availableProcessors(),
                        CpuLimit.of(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"))),
                memoryGiB(Path.of("/proc/meminfo")));
    }

    /** Returns the available memory of this machine in GiB from a file like {@code /proc/meminfo}; 0 if unknown. */
    public static double freeGiB(Path meminfo) {
        return gib(meminfo, AVAILABLE);
    }

    /** Returns the memory of the machine in GiB; 0 if the file is missing or invalid. */
    public static double memoryGiB(Path meminfo) {
        return gib(meminfo, TOTAL);
    }

    private static double gib(Path meminfo, Pattern entry) {
        try {
            Matcher line = entry.matcher(Files.readString(meminfo));
            return line.find() ? Long.parseLong(line.group(1)) / KIB_PER_GIB : 0;
        } catch (IOException unknown) {
            return 0;
        }
    }
}
