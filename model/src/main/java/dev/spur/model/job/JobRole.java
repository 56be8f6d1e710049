package dev.spur.model.job;

import dev.spur.model.Checks;
import java.util.regex.Pattern;

/**
 * Processes of a job without accelerators, such as evaluators and parameter servers, that run on the nodes of its gang.
 *
 * @param name name of the role, unique within the job
 * @param count number of replicas, 1 to {@value #MAX_COUNT}
 * @param cpus host CPUs of each replica
 * @param memoryGiB host memory of each replica, GiB
 */
public record JobRole(String name, int count, double cpus, double memoryGiB) {
    /** Maximum number of replicas. */
    public static final int MAX_COUNT = 1000;

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    public JobRole {
        Checks.require(
                NAME.matcher(name).matches(),
                "name (%s) of a role must have 1 to 63 lower-case letters, digits and inner hyphens",
                name);
        Checks.require(
                count >= 1 && count <= MAX_COUNT, "count (%s) of role %s must be from 1 to %s", count, name, MAX_COUNT);
        Checks.atLeast("cpus", cpus, 0);
        Checks.atLeast("memoryGiB", memoryGiB, 0);
    }
}
