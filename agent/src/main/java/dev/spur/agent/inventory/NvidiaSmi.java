package dev.spur.agent.inventory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Devices listed by {@code nvidia-smi}: whole GPUs, and the slices (MIG) of partitioned GPUs, which are separate types.
 */
final class NvidiaSmi {
    private static final String QUERY = "--query-gpu=index,uuid,name,memory.total,mig.mode.current";
    private static final String FORMAT = "--format=csv,noheader,nounits";
    private static final String CUT = "Enabled";

    private static final int COLUMNS = 5;
    private static final double MIB_PER_GIB = 1024;

    private NvidiaSmi() {}

    /**
     * Devices of one type.
     *
     * @param type type name of the GPUs, such as {@code NVIDIA-H200}, or of the slices with their profile, such as
     *     {@code NVIDIA-H200-MIG-3g.71gb}
     * @param devices one for each GPU or slice
     */
    record Gpus(String type, List<Device> devices) {}

    /**
     * Queries the devices.
     *
     * @throws InventoryException if nvidia-smi is missing or lists no GPU
     */
    static List<Gpus> query(String program) {
        String gpus = text(List.of(program, QUERY, FORMAT));
        return parse(gpus, gpus.contains(CUT) ? text(List.of(program, Slices.QUERY)) : "");
    }

    private static String text(List<String> command) {
        try {
            return Tool.run(command)
                    .filter(result -> result.status() == 0)
                    .map(Tool.Output::text)
                    .orElseThrow(() ->
                            new InventoryException("nvidia-smi failed. Specify the devices with --slots and --type."));
        } catch (IOException missing) {
            throw new InventoryException("nvidia-smi is not installed. Specify the devices with --slots and --type.");
        }
    }

    /**
     * Parses the output of {@link #QUERY} and {@link Slices#QUERY}. A GPU in MIG mode is usable only by its slices.
     *
     * @return devices by type name, at least one of each type
     */
    static List<Gpus> parse(String gpus, String slices) {
        Map<String, List<Slices.Slice>> slicesOf = Slices.parse(slices);
        Map<String, List<Device>> byType = new TreeMap<>();
        for (String line : gpus.lines().filter(line -> !line.isBlank()).toList()) {
            String[] cells = line.split(",", -1);
            if (cells.length != COLUMNS) {
                throw new InventoryException("invalid output line of nvidia-smi: " + line);
            }
            String uuid = cells[1].strip();
            String product = cells[2].strip();
            if (cells[4].strip().equals(CUT)) {
                for (Slices.Slice slice : slicesOf.getOrDefault(uuid, List.of())) {
                    add(byType, product + "-MIG-" + slice.profile(), slice.device());
                }
            } else {
                add(byType, product, new Device(uuid, uuid, memory(cells[3].strip())));
            }
        }
        if (byType.isEmpty()) {
            throw new InventoryException(
                    gpus.isBlank()
                            ? "nvidia-smi lists no GPU. Specify the devices with --slots and --type."
                            : "All GPUs are in MIG mode and have no slices. Create slices with nvidia-smi mig.");
        }
        return byType.entrySet().stream()
                .map(entry -> new Gpus(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static void add(Map<String, List<Device>> byType, String product, Device device) {
        byType.computeIfAbsent(name(product), type -> new ArrayList<>()).add(device);
    }

    /** Returns the memory in GiB; some integrated GPUs do not report it. */
    private static double memory(String mebibytes) {
        return mebibytes.chars().allMatch(Character::isDigit) && !mebibytes.isEmpty()
                ? Double.parseDouble(mebibytes) / MIB_PER_GIB
                : 0;
    }

    /** Converts a product name into a type name, which has no blanks. */
    private static String name(String product) {
        return product.replaceAll("[^A-Za-z0-9._:+@-]+", "-").replaceAll("^[^A-Za-z0-9]+", "");
    }
}
