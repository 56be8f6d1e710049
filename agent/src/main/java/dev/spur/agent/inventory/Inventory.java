package dev.spur.agent.inventory;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Resources that a node offers.
 *
 * @param type accelerator type of all devices; empty without devices
 * @param devices devices with unique ids
 * @param cpus CPUs
 * @param memoryGiB host memory
 */
public record Inventory(Optional<String> type, List<Device> devices, double cpus, double memoryGiB) {

    public Inventory {
        devices = List.copyOf(devices);
        if (type.isEmpty() && !devices.isEmpty()) {
            throw new IllegalArgumentException("devices require an accelerator type");
        }
        var ids = new HashSet<String>();
        for (Device device : devices) {
            if (!ids.add(device.id())) {
                throw new IllegalArgumentException("duplicate device id " + device.id());
            }
        }
    }

    /** Returns a copy with other host resources. */
    public Inventory withHost(double otherCpus, double otherGiB) {
        return new Inventory(type, devices, otherCpus, otherGiB);
    }
}
