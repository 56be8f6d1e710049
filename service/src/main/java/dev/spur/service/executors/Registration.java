package dev.spur.service.executors;

import dev.spur.model.Checks;
import dev.spur.service.executors.AssignmentReconciler.RunningAssignment;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Registration of an executor with its node and its running assignments. Members as in the contract. */
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
        String hostEnforcement,
        Map<String, String> labels,
        boolean sharesDevices,
        List<RunningAssignment> running) {
    private static final Pattern UNIVERSAL =
            Pattern.compile("([A-Z]+-)?\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    Registration {
        devices = List.copyOf(devices);
        labels = Map.copyOf(labels);
        running = List.copyOf(running);
        Checks.require(
                aggregationSlots <= cpus,
                "aggregationSlots (%s) must be at most the cpus (%s) of the node, because aggregators run on them",
                aggregationSlots,
                cpus);
    }

    /** A detected device. Members as in the contract. */
    record Device(
            String uuid, @Nullable String type, @Nullable String sliceOf) {}

    /** Ids of the devices, in the reported order. */
    List<String> uuids() {
        return devices.stream().map(Device::uuid).toList();
    }

    /** Ids in the form of a UUID, possibly with a prefix as in {@code GPU-}. Such ids are globally unique. */
    List<String> universalIds() {
        return uuids().stream().filter(id -> UNIVERSAL.matcher(id).matches()).toList();
    }

    /** True if some devices are slices of a GPU. */
    boolean hasSlices() {
        return devices.stream().anyMatch(device -> device.sliceOf() != null);
    }

    /**
     * Requires consistent devices.
     *
     * @throws ProblemException 422 if the devices have different types or repeated ids
     */
    void requireConsistentDevices() {
        List<FieldError> errors = new ArrayList<>();
        if (!devices.isEmpty() && acceleratorType == null) {
            errors.add(FieldError.at("/acceleratorType", "is required with devices"));
        }
        Set<String> seen = new HashSet<>();
        for (int d = 0; d < devices.size(); d++) {
            Device device = devices.get(d);
            if (!seen.add(device.uuid())) {
                errors.add(FieldError.at("/devices/%d/uuid".formatted(d), "is repeated"));
            }
            if (device.type() != null
                    && acceleratorType != null
                    && !device.type().equals(acceleratorType)) {
                errors.add(FieldError.at(
                        "/devices/%d/type".formatted(d),
                        "differs from acceleratorType: all devices of a node must have the same type"));
            }
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
    }
}
