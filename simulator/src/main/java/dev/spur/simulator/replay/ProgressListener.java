package dev.spur.simulator.replay;

/** Told how far a replay has come. */
@FunctionalInterface
public interface ProgressListener {
    /** Nobody is told. */
    ProgressListener NONE = (time, ended, all) -> {};

    /**
     * Called after each round.
     *
     * @param time seconds since the start of the trace
     * @param ended jobs that have ended
     * @param all jobs of the trace
     */
    void at(double time, int ended, int all);
}
