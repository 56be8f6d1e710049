package dev.spur.model.validation;

import dev.spur.model.job.Elasticity;

/**
 * Jobs on one device.
 *
 * @param parts parts of the device that they take together
 * @param jobs ids, for messages
 */
record DeviceHolders(int parts, String jobs) {
    DeviceHolders plus(DeviceHolders other) {
        return new DeviceHolders(parts + other.parts, jobs + " and " + other.jobs);
    }

    /** Returns true if they take more than the whole device. */
    boolean exceedIt() {
        return parts > Elasticity.PARTS;
    }
}
