package dev.spur.agent;

/**
 * Sequence numbers of reports: milliseconds since 1970, so that they also increase across restarts of the agent. Where
 * the clock was set back, or another node has reported before, the service ignores a number that is not above its last
 * one.
 */
final class ReportNumbers {
    private static final long FIRST_STEP_MILLIS = 60_000;

    private long last;
    private long aheadMillis;

    /** Returns a number above all earlier ones. */
    long next() {
        last = Math.max(last + 1, System.currentTimeMillis() + aheadMillis);
        return last;
    }

    /** Advances the next numbers, by twice as much each time, after the service has ignored the last one. */
    void advance() {
        aheadMillis = Math.max(FIRST_STEP_MILLIS, 2 * aheadMillis);
    }
}
