package dev.spur.connectors;

import java.time.Duration;

/** What came of a step that a platform was asked to take. */
public sealed interface Outcome {
    /** What happened, in words; {@linkplain PlatformText#clean clean}. */
    String detail();

    /**
     * The platform was asked, and as far as can be seen it does it.
     *
     * @param step what it is to show next
     * @param patience how long that may take
     */
    record Asked(Step step, Duration patience, String detail) implements Outcome {
        public Asked {
            detail = PlatformText.clean(detail);
        }
    }

    /** The platform said that it is done, and it is not. */
    record Unchanged(String detail) implements Outcome {
        public Unchanged {
            detail = PlatformText.clean(detail);
        }
    }

    /** The platform does not allow it, and would not the next time. */
    record Refused(String detail) implements Outcome {
        public Refused {
            detail = PlatformText.clean(detail);
        }
    }

    /** Nobody knows: there was no answer, or one that says nothing of the matter. */
    record Unanswered(String detail) implements Outcome {
        public Unanswered {
            detail = PlatformText.clean(detail);
        }
    }
}
