package dev.spur.service.round;

import dev.spur.service.round.history.DroppedEntry;
import dev.spur.service.round.history.RoundOutcome;
import dev.spur.service.round.history.RoundStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Result of a publication. */
sealed interface Publication {
    /** The outcome of the round, without the facts that are added later. */
    RoundOutcome outcome();

    /**
     * The plan was published.
     *
     * @param revision its revision
     * @param dropped entries dropped because of newer state
     */
    record Published(long revision, List<DroppedEntry> dropped) implements Publication {
        public Published {
            dropped = List.copyOf(dropped);
        }

        @Override
        public RoundOutcome outcome() {
            return Publication.outcome(RoundStatus.PUBLISHED, revision, dropped, null);
        }
    }

    /**
     * The plan is equal to the current one, so nothing was published.
     *
     * @param revision revision of the current plan
     * @param dropped entries dropped because of newer state
     */
    record Unchanged(long revision, List<DroppedEntry> dropped) implements Publication {
        public Unchanged {
            dropped = List.copyOf(dropped);
        }

        @Override
        public RoundOutcome outcome() {
            return Publication.outcome(RoundStatus.UNCHANGED, revision, dropped, null);
        }
    }

    /** The lease was lost, so nothing was written. */
    record Fenced() implements Publication {
        @Override
        public RoundOutcome outcome() {
            return Publication.outcome(RoundStatus.FENCED, null, List.of(), "another replica holds the planner lease");
        }
    }

    private static RoundOutcome outcome(
            RoundStatus status, @Nullable Long revision, List<DroppedEntry> dropped, @Nullable String error) {
        return new RoundOutcome(status, revision, null, dropped, error, null, null, List.of());
    }
}
