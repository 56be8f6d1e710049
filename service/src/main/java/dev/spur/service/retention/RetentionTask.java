package dev.spur.service.retention;

/**
 * Deletes rows whose retention has expired. It runs on every replica, concurrently with the same task on other
 * replicas.
 */
public interface RetentionTask {
    /** Returns a description of the deleted rows, as the subject of a sentence in the log. */
    String what();

    /**
     * Deletes expired rows, at most as many as one hour may produce. The caller logs any exception and calls this
     * method again after an hour.
     */
    void forget();
}
