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

/** Finds out what this machine has. */
public final class Host {
    private static final Pattern TOTAL = Pattern.compile("(?m)^MemTotal:\\s+(\\d+) kB$");
    private static final Pattern AVAILABLE = Pattern.compile("(?m)^MemAvailable:\\s+(\\d+) kB$");
    private static final double KIB_PER_GIB = 1024 * 1024;

    private Host() {}

    /**
     * A node with GPUs, or slices of GPUs, that the driver lists.
     *
     * @param type those of which type; null if they are all of one
     * @throws NoInventory if there are none, or none of the type, or several types and it is not said which
     */
    public static Inventory measured(@Nullable String type) {
        return chosen(NvidiaSmi.ask("nvidia-smi"), type);
    }

    static Inventory chosen(List<NvidiaSmi.Gpus> found, @Nullable String type) {
        List<String> types = found.stream().map(NvidiaSmi.Gpus::type).toList();
        String wanted = type == null && types.size() == 1 ? types.get(0) : type;
        if (wanted == null) {
            throw new InventoryException(
                    "This machine has devices of several types (%s), and a node has one: start an agent for each, with --type and a --node of its own."
                            .formatted(String.join(", ", types)));
        }
        return found.stream()
                .filter(gpus -> gpus.type().equals(wanted))
                .findFirst()
                .map(gpus -> with(Optional.of(wanted), gpus.devices()))
                .orElseThrow(() -> new InventoryException(
                        "nvidia-smi lists nothing of type %s, but of %s.".formatted(wanted, String.join(", ", types))));
    }

    /**
     * A node with {@code slots} devices that are only stated; they are called {@code node/0}, {@code node/1} and so on.
     */
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

    /** Memory of this machine that is not in use, GiB, by a file like {@code /proc/meminfo}; 0 where nobody tells. */
    public static double freeGiB(Path meminfo) {
        return gib(meminfo, AVAILABLE);
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
