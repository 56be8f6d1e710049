package dev.spur.connectors.slurm;

/** Slurm answered, and the answer was no. */
final class SlurmRejection extends Exception {
    private static final long serialVersionUID = 1;

    /** There is no such job. */
    static final int NO_SUCH_JOB = 2017;

    private final int number;

    SlurmRejection(int number, String message) {
        super(message);
        this.number = number;
    }

    /** The number of the error, as slurmrestd gives it; 0 if it gives none. */
    int number() {
        return number;
    }
}
