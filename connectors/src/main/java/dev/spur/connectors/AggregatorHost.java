package dev.spur.connectors;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * What a platform does that runs processes which sum gradients. It remembers nothing, and calls come from one thread at
 * a time.
 */
public interface AggregatorHost {
    /**
     * Those that Spur had it start, and of those that have ended what it still shows.
     *
     * @throws IOException if the platform does not answer, or not to the point
     */
    List<PlatformAggregator> aggregators() throws IOException, InterruptedException;

    /**
     * Starts one, and looks whether it is there.
     *
     * @param mark what it is to be known by; is seen by others
     * @param key by which it asks what it is to sum
     */
    StepOutcome open(DesiredAggregator want, String mark, String key) throws InterruptedException;

    /** Ends one. */
    StepOutcome close(PlatformAggregator aggregator) throws InterruptedException;

    /** How long it may take until one that was asked for, or told to end, is seen so. */
    Duration patience();
}
