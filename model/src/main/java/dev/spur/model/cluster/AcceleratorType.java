package dev.spur.model.cluster;

import dev.spur.model.Checks;

/**
 * A kind of accelerator, e.g. {@code A100}.
 *
 * @param name unique name
 * @param memoryGiB memory of one device in GiB; 0 if it was not stated
 */
public record AcceleratorType(String name, double memoryGiB) {
    public AcceleratorType {
        Checks.named("name", name);
        Checks.atLeast("memoryGiB", memoryGiB, 0);
    }
}
