package dev.spur.connectors;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A system that starts and stops jobs. An implementation translates each action into one step and is stateless, so that
 * it can be replaced between any two calls. The caller makes one call at a time.
 */
public interface Platform {
    /** Returns the highest control level that the platform supports. */
    ControlLevel maxControlLevel();

    /**
     * Returns the granularity at which the platform accepts placements. With {@link PlacementGranularity#POOLS}, the
     * placements of actions, of last-applied states and of {@link PlatformJob#pinned} name a pool instead of nodes.
     * {@link PlatformJob#held} always names nodes.
     */
    default PlacementGranularity placementGranularity() {
        return PlacementGranularity.NODES;
    }

    /**
     * Returns false if the platform has no queue with a changeable order. {@link ControlLevel#PRIORITIZE} then permits
     * the same as {@link ControlLevel#OBSERVE}.
     */
    default boolean hasQueue() {
        return true;
    }

    /** Returns the interface for gradient aggregators; empty if the platform cannot run them. */
    default Optional<AggregatorHost> aggregatorHost() {
        return Optional.empty();
    }

    /**
     * Returns the nodes.
     *
     * @throws IOException if the platform does not respond or sends an invalid response
     */
    List<PlatformNode> inventory() throws IOException, InterruptedException;

    /**
     * Returns all jobs that hold resources or wait, and the jobs that ended recently.
     *
     * @throws IOException if the platform does not respond or sends an invalid response
     */
    List<PlatformJob> workload() throws IOException, InterruptedException;

    /**
     * Returns the time within which a job starts after its release; empty if it may wait in a queue of the platform for
     * any time.
     */
    default Optional<Duration> startTimeout() {
        return Optional.empty();
    }

    /**
     * Returns the cause, not known to Spur, for which a job does not start or end after a request that the platform
     * accepted; empty if the platform states none. The caller asks only after the timeout of a step.
     */
    default Optional<String> obstacle(PlatformJob job) throws InterruptedException {
        return Optional.empty();
    }

    /**
     * Takes the next step of {@code action}, chosen by the state of {@code job}. Steps are idempotent. The last-applied
     * state is written before the change that it describes.
     */
    StepOutcome apply(JobAction action, PlatformJob job) throws InterruptedException;

    /**
     * Enforces last-applied states that the platform does not maintain itself, for example by releasing recreated pods.
     * Requests without a response are repeated at the next sync.
     *
     * @param jobs observed jobs without a manual override
     * @return one message for each request that was accepted without effect
     */
    default List<String> enforce(Collection<PlatformJob> jobs) throws InterruptedException {
        return List.of();
    }
}
