package dev.spur.agent;

import dev.spur.agent.aggregator.Content;
import java.util.Optional;

/** Source of the content of an aggregator. */
interface ContentSource {
    /** Thrown when the aggregator is no longer required. */
    final class SourceClosedException extends Exception {
        private static final long serialVersionUID = 1;

        SourceClosedException(String why) {
            super(why);
        }
    }

    /**
     * Returns the content if it changed since the previous call; waits for a limited time only.
     *
     * @throws SourceClosedException if the aggregator is no longer required
     */
    Optional<Content> next() throws SourceClosedException, InterruptedException;
}
