package dev.spur.agent.inventory;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * What a node offers.
 *
 * @param type accelerator type of all its devices; empty without devices
 * @param devices its devices, ids unique
 * @param cpus processors
 * @param memoryGiB memory of the host
 */
public record Inventory(Optional<String> type, List<Device> devices, double cpus, double memoryGiB) {

    public Inventory {
        devices = List.copyOf(devices);
        if (type.isEmpty() && !devices.isEmpty()) {
            throw new IllegalArgumentException("devices without a type");
        }
        var ids = new HashSet<String>();
        for (Device device : devices) {
            if (!ids.add(device.id())) {
                throw new IllegalArgumentException("two devices are called " + device.id());
            }
        }
    }

    /** The same with another host. */
    public Inventory withHost(double otherCpus, double otherGiB) {
        return new Inventory(type, devices, otherCpus, otherGiB);
    }
}
