package dev.spur.agent.inventory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out what this machine has. */
public final class Host {
    private static final Pattern TOTAL = Pattern.compile("(?m)^MemTotal:\\s+(\\d+) kB$");
    private static final Pattern AVAILABLE = Pattern.compile("(?m)^MemAvailable:\\s+(\\d+) kB$");
    private static final double KIB_PER_GIB = 1024 * 1024;

    private Host() {}

    /** A node whose GPUs are those that the driver lists. */
    public static Inventory measured() {
        NvidiaSmi.Gpus gpus = NvidiaSmi.ask();
        return with(Optional.of(gpus.type()), gpus.devices());
    }

    /** A node with {@code slots} devices that are only stated; they are called {@code node/0}, {@code node/1} and so on. */
    public static Inventory stated(String node, int slots, String type) {
        List<Device> devices = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
            devices.add(new Device(node + "/" + slot, Integer.toString(slot), 0));
        }
        return with(Optional.of(type), devices);
    }

    /** A node with the devices of these ids. */
    public static Inventory named(List<String> ids, String type) {
        return with(
                Optional.of(type), ids.stream().map(id -> new Device(id, id, 0)).toList());
    }

    private static Inventory with(Optional<String> type, List<Device> devices) {
        return new Inventory(
                devices.isEmpty() ? Optional.empty() : type,
                devices,
                Runtime.getRuntime().availableProcessors(),
                memoryGiB(Path.of("/proc/meminfo")));
    }

    /** Memory of this machine that is in use, GiB, by a file like {@code /proc/meminfo}; 0 where nobody tells. */
    public static double usedGiB(Path meminfo) {
        return Math.max(0, gib(meminfo, TOTAL) - gib(meminfo, AVAILABLE));
    }

    /** Memory of the machine; 0 where the file is missing or says nothing. */
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
