package dev.spur.agent.inventory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The GPUs that {@code nvidia-smi} lists. GPUs that are cut into slices (MIG) are refused: a slice is a type of its own, and
 * the query does not list slices.
 */
final class NvidiaSmi {
    static final List<String> COMMAND = List.of(
            "nvidia-smi", "--query-gpu=index,uuid,name,memory.total,mig.mode.current", "--format=csv,noheader,nounits");

    private static final int COLUMNS = 5;
    private static final double MIB_PER_GIB = 1024;

    private NvidiaSmi() {}

    /**
     * What the driver says.
     *
     * @param type name of the GPUs as a name of Spur, such as {@code NVIDIA-H200}
     * @param devices one for each GPU
     */
    record Gpus(String type, List<Device> devices) {}

    /** @throws NoInventory if there is no nvidia-smi, no GPU, GPUs of several kinds, or slices */
    static Gpus ask() {
        try {
            Tool.Output output = Tool.run(COMMAND)
                    .filter(said -> said.status() == 0)
                    .orElseThrow(
                            () -> new NoInventory("nvidia-smi failed. State the devices with --slots and --type."));
            return parse(output.text());
        } catch (IOException missing) {
            throw new NoInventory("There is no nvidia-smi here. State the devices with --slots and --type.");
        }
    }

    /** Reads the lines that {@link #COMMAND} prints. */
    static Gpus parse(String text) {
        List<Device> devices = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (String line : text.lines().filter(line -> !line.isBlank()).toList()) {
            String[] cells = line.split(",", -1);
            if (cells.length != COLUMNS) {
                throw new NoInventory("nvidia-smi printed a line that is not understood: " + line);
            }
            if (cells[4].strip().equals("Enabled")) {
                throw new NoInventory(
                        "GPU %s is cut into slices (MIG), which the agent does not list. State the slices with --device and --type."
                                .formatted(cells[0].strip()));
            }
            names.add(cells[2].strip());
            String uuid = cells[1].strip();
            devices.add(new Device(uuid, uuid, memory(cells[3].strip())));
        }
        if (names.size() != 1) {
            throw new NoInventory(
                    names.isEmpty()
                            ? "nvidia-smi lists no GPU. State the devices with --slots and --type."
                            : "The GPUs are of several kinds (%s), but a node has one type."
                                    .formatted(String.join(", ", names)));
        }
        return new Gpus(name(names.iterator().next()), devices);
    }

    /** Some integrated GPUs do not tell their memory. */
    private static double memory(String mebibytes) {
        return mebibytes.chars().allMatch(Character::isDigit) && !mebibytes.isEmpty()
                ? Double.parseDouble(mebibytes) / MIB_PER_GIB
                : 0;
    }

    /** Names of the service have no blanks. */
    private static String name(String product) {
        return product.replaceAll("[^A-Za-z0-9._:+@-]+", "-").replaceAll("^[^A-Za-z0-9]+", "");
    }
}
