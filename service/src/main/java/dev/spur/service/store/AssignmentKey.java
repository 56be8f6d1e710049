package dev.spur.service.store;

/**
 * Which part of which allocation.
 *
 * @param jobId the job
 * @param generation number of its allocation
 * @param node the node
 */
public record AssignmentKey(String jobId, long generation, String node) {
    /**
     * The assignment that {@code id} names on a node, with the id in the form of {@link #id()}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static AssignmentKey of(String id, String node) {
        int dot = id.lastIndexOf('.');
        if (dot < 1) {
            throw new IllegalArgumentException("id (%s) must hold a dot".formatted(id));
        }
        return new AssignmentKey(id.substring(0, dot), Long.parseLong(id.substring(dot + 1)), node);
    }

    /** Names the assignment among those of its node. */
    public String id() {
        return jobId + "." + generation;
    }
}
