package dev.spur.service.round;

import dev.spur.service.store.DroppedEntry;
import dev.spur.service.store.RoundOutcome;
import dev.spur.service.store.RoundStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of a plan. */
sealed interface Publication {
    /** This as the outcome of a round; what else is known of the round is still to be added. */
    RoundOutcome outcome();

    /**
     * It is the current plan.
     *
     * @param revision its number
     * @param dropped entries that newer state had overtaken
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
     * It says what the current plan says.
     *
     * @param revision number of the current plan
     * @param dropped entries that newer state had overtaken
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
            return Publication.outcome(RoundStatus.FENCED, null, List.of(), "another replica plans");
        }
    }

    private static RoundOutcome outcome(
            RoundStatus status, @Nullable Long revision, List<DroppedEntry> dropped, @Nullable String error) {
        return new RoundOutcome(status, revision, null, dropped, error, null, null, List.of());
    }
}
