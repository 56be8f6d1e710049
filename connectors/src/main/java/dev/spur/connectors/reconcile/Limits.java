package dev.spur.connectors.reconcile;

/**
 * How careful a connector is.
 *
 * @param maxConcurrentRestarts maximum number of jobs that are restarted at a time, at least 1
 * @param failuresToObserve failed verifications in a row after which it only observes, at least 1
 * @param attempts how often an action may fail before it is given up for this plan, at least 1
 */
public record Limits(int maxConcurrentRestarts, int failuresToObserve, int attempts) {
    /** Four jobs at a time; three failures in a row, three attempts. */
    public static final Limits USUAL = new Limits(4, 3, 3);

    public Limits {
        if (maxConcurrentRestarts < 1 || failuresToObserve < 1 || attempts < 1) {
            throw new IllegalArgumentException("limits (%d, %d, %d) must be at least 1"
                    .formatted(maxConcurrentRestarts, failuresToObserve, attempts));
        }
    }
}
