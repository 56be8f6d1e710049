package dev.spur.simulator.replay;

/** Listener to the progress of a replay. */
@FunctionalInterface
public interface ProgressListener {
    /** Listener without effect. */
    ProgressListener NONE = (time, ended, all) -> {};

    /**
     * Reports the progress after each round.
     *
     * @param time seconds since the start of the trace
     * @param ended number of jobs that have ended
     * @param all number of jobs of the trace
     */
    void at(double time, int ended, int all);
}
