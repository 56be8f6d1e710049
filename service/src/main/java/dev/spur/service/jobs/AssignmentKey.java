package dev.spur.service.jobs;

/**
 * Key of an assignment: the part of an allocation on one node.
 *
 * @param generation number of the allocation
 */
public record AssignmentKey(String jobId, long generation, String node) {
    /**
     * Parses an assignment id in the form of {@link #id()}.
     *
     * @throws IllegalArgumentException if {@code id} has another form
     */
    public static AssignmentKey of(String id, String node) {
        int dot = id.lastIndexOf('.');
        if (dot < 1) {
            throw new IllegalArgumentException("id (%s) must contain a dot".formatted(id));
        }
        return new AssignmentKey(id.substring(0, dot), Long.parseLong(id.substring(dot + 1)), node);
    }

    /** Returns the id of the assignment, unique on its node. */
    public String id() {
        return jobId + "." + generation;
    }
}
