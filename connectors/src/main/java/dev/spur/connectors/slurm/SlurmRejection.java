package dev.spur.connectors.slurm;

/** Slurm rejected a request. */
final class SlurmRejection extends Exception {
    private static final long serialVersionUID = 1;

    /** The job does not exist. */
    static final int NO_SUCH_JOB = 2017;

    private final int number;

    SlurmRejection(int number, String message) {
        super(message);
        this.number = number;
    }

    /** Returns the Slurm error number; 0 if the response has none. */
    int number() {
        return number;
    }
}
