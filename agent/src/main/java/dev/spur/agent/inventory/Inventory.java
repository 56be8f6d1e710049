package dev.spur.agent.inventory;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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

    /**
     * Returns a copy whose devices are shares of these devices for different jobs, each with an equal part of the
     * memory. A share has the id of its device and its number, such as {@code GPU-2b6d1c8f::0}.
     *
     * @param count shares of each device, at least 1
     * @return this inventory for one share; otherwise one of the type {@code TYPE-SHARED-count}
     */
    public Inventory divide(int count) {
        if (count == 1) {
            return this;
        }
        List<Device> shares = devices.stream()
                .flatMap(device -> IntStream.range(0, count)
                        .mapToObj(share -> new Device(
                                device.id() + "::" + share,
                                device.visibleAs(),
                                device.memoryGiB() / count,
                                device.gpu())))
                .toList();
        return new Inventory(type.map(whole -> "%s-SHARED-%d".formatted(whole, count)), shares, cpus, memoryGiB);
    }

    /** Returns a copy with other host resources. */
    public Inventory withHost(double otherCpus, double otherGiB) {
        return new Inventory(type, devices, otherCpus, otherGiB);
    }
}
