package dev.spur.agent;

import dev.spur.agent.inventory.Host;
import dev.spur.agent.inventory.Inventory;
import dev.spur.agent.inventory.InventoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of what a node offers: its devices, and its part of the host. */
final class InventoryOptions {
    @Option(names = "--slots", paramLabel = "N", description = "State N devices instead of asking nvidia-smi.")
    private @Nullable Integer slots;

    @Option(names = "--device", paramLabel = "ID", description = "State a device by its id; may be repeated.")
    private List<String> devices = List.of();

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description =
                    "Accelerator type of the stated devices, or which of those that nvidia-smi lists (default: the only one).")
    private @Nullable String type;

    @Option(
            names = "--cpus",
            paramLabel = "N",
            description = "CPUs that the node offers, where several nodes share a machine (default: all).")
    private @Nullable Double cpus;

    @Option(
            names = "--memory-gib",
            paramLabel = "GIB",
            description = "Memory that the node offers, where several nodes share a machine (default: all).")
    private @Nullable Double memoryGiB;

    /** True if the devices are those that nvidia-smi lists. */
    boolean areMeasured() {
        return slots == null && devices.isEmpty();
    }

    /**
     * What the node {@code name} offers.
     *
     * @param memoryInfo what says how much memory the machine has
     * @throws NoInventory if the options contradict each other, or the machine has not what they say
     */
    Inventory inventory(String name, Path memoryInfo) {
        try {
            Inventory all =
                    devices(name).withHost(Runtime.getRuntime().availableProcessors(), Host.memoryGiB(memoryInfo));
            return all.withHost(part("--cpus", cpus, all.cpus()), part("--memory-gib", memoryGiB, all.memoryGiB()));
        } catch (IllegalArgumentException wrong) {
            throw new InventoryException(wrong.getMessage() + ".");
        }
    }

    private Inventory devices(String name) {
        if (areMeasured()) {
            return Host.measured(type);
        }
        if (slots != null && !devices.isEmpty()) {
            throw new InventoryException("--slots and --device exclude each other.");
        }
        if (type == null) {
            throw new InventoryException("--type is missing: the accelerator type of the devices.");
        }
        return slots != null ? Host.stated(name, slots, type) : Host.named(devices, type);
    }

    private static double part(String option, @Nullable Double stated, double all) {
        double part = Objects.requireNonNullElse(stated, all);
        if (!(part >= 0 && part <= all)) {
            throw new InventoryException(
                    "%s (%s) must be from 0 to what the machine has, %s.".formatted(option, part, all));
        }
        return part;
    }
}
