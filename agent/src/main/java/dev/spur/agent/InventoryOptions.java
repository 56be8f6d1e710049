package dev.spur.agent;

import dev.spur.agent.inventory.Host;
import dev.spur.agent.inventory.Inventory;
import dev.spur.agent.inventory.InventoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Command-line options for the inventory of the node: its devices and its share of the host. */
final class InventoryOptions {
    /** Maximum number of devices of a node in the contract of the service. */
    private static final int MAX_DEVICES = 1024;

    @Option(
            names = "--slots",
            paramLabel = "N",
            description =
                    "Number of devices, 0 to 1024, instead of those listed by nvidia-smi; 0 for a node without accelerators.")
    private @Nullable Integer slots;

    @Option(
            names = "--device",
            paramLabel = "ID",
            description = "Id of a device, instead of those listed by nvidia-smi; may be repeated.")
    private List<String> devices = List.of();

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description =
                    "Accelerator type of the devices, or the type to select from nvidia-smi (default: the only type).")
    private @Nullable String type;

    @Option(
            names = "--share-gpus",
            description = "Start several jobs on one device if each takes only a share of it (submit --gpu-share).")
    private boolean sharesGpus;

    @Option(
            names = "--cpus",
            paramLabel = "N",
            description =
                    "CPUs that the node offers if several nodes share the machine (default: all that the control groups of"
                            + " the agent allow).")
    private @Nullable Double cpus;

    @Option(
            names = "--memory-gib",
            paramLabel = "GIB",
            description = "Memory that the node offers if several nodes share the machine, GiB (default: all).")
    private @Nullable Double memoryGiB;

    /** Returns true if the devices are those listed by nvidia-smi. */
    boolean areMeasured() {
        return slots == null && devices.isEmpty();
    }

    /**
     * Returns the inventory of the node {@code name}.
     *
     * @param memoryInfo file with the memory of the machine
     * @throws InventoryException if the options are inconsistent or exceed the machine
     */
    Inventory inventory(String name, Path memoryInfo) {
        try {
            Inventory detected = devices(name);
            Inventory all = detected.withHost(detected.cpus(), Host.memoryGiB(memoryInfo));
            return all.withHost(part("--cpus", cpus, all.cpus()), part("--memory-gib", memoryGiB, all.memoryGiB()));
        } catch (IllegalArgumentException wrong) {
            throw new InventoryException(wrong.getMessage() + ".");
        }
    }

    /** Returns true if jobs may take shares of devices. */
    boolean sharesGpus() {
        return sharesGpus;
    }

    private Inventory devices(String name) {
        if (areMeasured()) {
            return Host.detect(type);
        }
        if (slots != null && !devices.isEmpty()) {
            throw new InventoryException("--slots and --device are mutually exclusive.");
        }
        if (type == null) {
            throw new InventoryException("--slots and --device require --type, the accelerator type of the devices.");
        }
        if (slots != null && (slots < 0 || slots > MAX_DEVICES)) {
            throw new InventoryException(
                    "--slots %d is out of range; expected 0 to %d, the number of devices of a node."
                            .formatted(slots, MAX_DEVICES));
        }
        if (devices.size() > MAX_DEVICES) {
            throw new InventoryException("%d options --device are too many; a node has at most %d devices."
                    .formatted(devices.size(), MAX_DEVICES));
        }
        return slots != null ? Host.ofSlots(name, slots, type) : Host.ofDevices(devices, type);
    }

    private static double part(String option, @Nullable Double stated, double all) {
        double part = Objects.requireNonNullElse(stated, all);
        if (!(part >= 0 && part <= all)) {
            throw new InventoryException(
                    "%s (%s) must be from 0 to %s, the capacity of the machine.".formatted(option, part, all));
        }
        return part;
    }
}
