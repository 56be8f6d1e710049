package dev.spur.agent;

import dev.spur.agent.aggregator.Content;
import java.util.Optional;

/** Says what an aggregator is to sum. */
interface ContentSource {
    /** There is nothing to sum any more, and never will be. */
    final class SourceClosedException extends Exception {
        private static final long serialVersionUID = 1;

        SourceClosedException(String why) {
            super(why);
        }
    }

    /**
     * What is to be summed, if that has changed since it was asked last; does not wait for long.
     *
     * @throws Over if nobody wants the aggregator any more
     */
    Optional<Content> next() throws SourceClosedException, InterruptedException;
}
