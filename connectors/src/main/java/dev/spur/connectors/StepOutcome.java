package dev.spur.connectors;

import java.time.Duration;

/** What came of a step that a platform was asked to take. */
public sealed interface StepOutcome {
    /** What happened, in words; {@linkplain PlatformText#clean clean}. */
    String detail();

    /**
     * The platform was asked, and as far as can be seen it does it.
     *
     * @param step what it is to show next
     * @param patience how long that may take
     */
    record Accepted(Step step, Duration patience, String detail) implements StepOutcome {
        public Accepted {
            detail = PlatformText.clean(detail);
        }
    }

    /** The platform said that it is done, and it is not. */
    record Unchanged(String detail) implements StepOutcome {
        public Unchanged {
            detail = PlatformText.clean(detail);
        }
    }

    /** The platform does not allow it, and would not the next time. */
    record Rejected(String detail) implements StepOutcome {
        public Rejected {
            detail = PlatformText.clean(detail);
        }
    }

    /** Nobody knows: there was no answer, or one that says nothing of the matter. */
    record NoResponse(String detail) implements StepOutcome {
        public NoResponse {
            detail = PlatformText.clean(detail);
        }
    }
}
