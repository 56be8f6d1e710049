package dev.spur.connectors.reconcile;

/**
 * Safety limits of a connector.
 *
 * @param maxConcurrentRestarts maximum number of jobs that are restarted at a time, at least 1
 * @param failuresToObserve consecutive failed verifications that open the circuit breaker, at least 1
 * @param attempts failed attempts after which an action is abandoned for the current plan, at least 1
 */
public record Limits(int maxConcurrentRestarts, int failuresToObserve, int attempts) {
    /** Default limits: four concurrent restarts, three consecutive failures, three attempts. */
    public static final Limits DEFAULT = new Limits(4, 3, 3);

    public Limits {
        if (maxConcurrentRestarts < 1 || failuresToObserve < 1 || attempts < 1) {
            throw new IllegalArgumentException("limits (%d, %d, %d) must be at least 1"
                    .formatted(maxConcurrentRestarts, failuresToObserve, attempts));
        }
    }
}
