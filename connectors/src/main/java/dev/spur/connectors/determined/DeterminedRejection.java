package dev.spur.connectors.determined;

/** The master answered, and the answer was no. */
final class DeterminedRejection extends Exception {
    private static final long serialVersionUID = 1;

    /** There is no such experiment. */
    static final int NOT_FOUND = 404;

    private final int status;

    DeterminedRejection(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The status of the answer. */
    int status() {
        return status;
    }
}
