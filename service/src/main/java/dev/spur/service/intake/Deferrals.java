package dev.spur.service.intake;

import dev.spur.model.round.Deferral;
import java.util.Optional;

/** What the current plan says of jobs that wait. */
public interface Deferrals {
    /** As long as there are no plans. */
    Deferrals NONE = new Deferrals() {
        @Override
        public long revision() {
            return 0;
        }

        @Override
        public Optional<Deferral> of(String jobId) {
            return Optional.empty();
        }
    };

    /** Revision of the plan that speaks; 0 if there is none. */
    long revision();

    /** Why the job waits; empty if the plan does not know it or runs it. */
    Optional<Deferral> of(String jobId);
}
