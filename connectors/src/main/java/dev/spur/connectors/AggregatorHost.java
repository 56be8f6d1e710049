package dev.spur.connectors;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Starts and stops gradient aggregators on a platform. Implementations are stateless. The caller makes one call at a
 * time.
 */
public interface AggregatorHost {
    /**
     * Returns the running aggregators that Spur started, and the ended ones that the platform still lists.
     *
     * @throws IOException if the platform does not respond or sends an invalid response
     */
    List<PlatformAggregator> aggregators() throws IOException, InterruptedException;

    /**
     * Starts an aggregator and verifies that the platform lists it.
     *
     * @param mark identifier of this start; visible to users of the platform
     * @param key secret by which the aggregator fetches its assignment from Spur
     */
    StepOutcome open(DesiredAggregator want, String mark, String key) throws InterruptedException;

    /** Stops an aggregator. */
    StepOutcome close(PlatformAggregator aggregator) throws InterruptedException;

    /** Returns the time within which the platform must show a requested start or stop. */
    Duration timeout();
}
