package dev.spur.connectors.determined;

/** The master rejected a request. */
final class DeterminedRejection extends Exception {
    private static final long serialVersionUID = 1;

    /** The experiment does not exist. */
    static final int NOT_FOUND = 404;

    private final int status;

    DeterminedRejection(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Returns the HTTP status of the response. */
    int status() {
        return status;
    }
}
