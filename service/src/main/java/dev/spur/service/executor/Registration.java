package dev.spur.service.executor;

import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who an executor is, what its node has, and what it runs. Members as in the contract.
 *
 * @param instance which of several of one name
 * @param version version of the program
 * @param address at which other nodes reach it; null for the name of the node
 * @param pool pool of a node that is not there yet
 * @param rack rack of a node that is not there yet
 * @param acceleratorType type of all devices; null without devices
 * @param acceleratorMemoryGiB memory of a device of a type that is not there yet
 * @param devices the devices
 * @param cpus host CPUs of a node that is not there yet
 * @param memoryGiB host memory of a node that is not there yet
 * @param aggregationSlots aggregation slots of a node that is not there yet
 * @param running what it runs already
 */
record Registration(
        String instance,
        @Nullable String version,
        @Nullable String address,
        String pool,
        @Nullable String rack,
        @Nullable String acceleratorType,
        double acceleratorMemoryGiB,
        List<Device> devices,
        double cpus,
        double memoryGiB,
        double aggregationSlots,
        List<RunningAssignment> running) {
    private static final Pattern UNIVERSAL =
            Pattern.compile("([A-Z]+-)?\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    Registration {
        devices = List.copyOf(devices);
        running = List.copyOf(running);
    }

    /**
     * A device as it was found.
     *
     * @param uuid its id
     * @param type its type; null for that of the node
     * @param sliceOf id of the GPU that it is a slice of; null for a whole device
     */
    record Device(
            String uuid, @Nullable String type, @Nullable String sliceOf) {}

    /** Ids of the devices, in the order in which they were reported. */
    List<String> uuids() {
        return devices.stream().map(Device::uuid).toList();
    }

    /**
     * Ids of devices that have the form of a UUID, perhaps with a prefix as in {@code GPU-}: no two devices in the
     * world share one.
     */
    List<String> universalIds() {
        return uuids().stream().filter(id -> UNIVERSAL.matcher(id).matches()).toList();
    }

    /** True if some of the devices are slices of others. */
    boolean hasSlices() {
        return devices.stream().anyMatch(device -> device.sliceOf() != null);
    }

    /** @throws ProblemException 422 if the devices do not go together */
    void demandOneKindOfDevice() {
        List<FieldError> errors = new ArrayList<>();
        if (!devices.isEmpty() && acceleratorType == null) {
            errors.add(FieldError.at("/acceleratorType", "is required with devices"));
        }
        Set<String> seen = new HashSet<>();
        for (int d = 0; d < devices.size(); d++) {
            Device device = devices.get(d);
            if (!seen.add(device.uuid())) {
                errors.add(FieldError.at("/devices/%d/uuid".formatted(d), "stands there twice"));
            }
            if (device.type() != null
                    && acceleratorType != null
                    && !device.type().equals(acceleratorType)) {
                errors.add(FieldError.at(
                        "/devices/%d/type".formatted(d),
                        "differs from acceleratorType: all devices of a node are of one type"));
            }
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
    }
}
