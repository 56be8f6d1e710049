package dev.spur.connectors;

import java.time.Duration;

/** Outcome of a step that a connector requested from a platform. */
public sealed interface StepOutcome {
    /** Returns the sanitized description of the outcome; see {@link PlatformText#clean}. */
    String detail();

    /**
     * The platform accepted the request.
     *
     * @param step step whose effect the platform must show
     * @param timeout time within which it must show the effect
     */
    record Accepted(Step step, Duration timeout, String detail) implements StepOutcome {
        public Accepted {
            detail = PlatformText.clean(detail);
        }
    }

    /** The platform accepted the request, but the job did not change. */
    record Unchanged(String detail) implements StepOutcome {
        public Unchanged {
            detail = PlatformText.clean(detail);
        }
    }

    /** The platform rejected the request, and would reject a retry. */
    record Rejected(String detail) implements StepOutcome {
        public Rejected {
            detail = PlatformText.clean(detail);
        }
    }

    /**
     * The platform denied the permission. A retry may succeed: a platform that starts may not know its permissions yet.
     */
    record Denied(String detail) implements StepOutcome {
        public Denied {
            detail = PlatformText.clean(detail);
        }
    }

    /** Unknown outcome: the platform did not respond, or sent a response that does not state the outcome. */
    record NoResponse(String detail) implements StepOutcome {
        public NoResponse {
            detail = PlatformText.clean(detail);
        }
    }
}
