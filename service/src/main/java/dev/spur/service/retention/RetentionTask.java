package dev.spur.service.retention;

/** Keeps rows that nobody needs for ever. Runs on every replica, beside the same on others. */
public interface RetentionTask {
    /** What is forgotten, as the subject of a sentence in the log. */
    String what();

    /** Deletes what is too old, as much as one hour may bring. Whatever it throws is logged, and it is called again. */
    void forget();
}
