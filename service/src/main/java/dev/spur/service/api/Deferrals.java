package dev.spur.service.api;

import dev.spur.model.round.Deferral;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanFeed;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** What the current plan says of jobs that wait, looked up once per plan. */
@Component
class Deferrals {
    private final PlanFeed feed;
    private volatile Said said = Said.NOTHING;

    Deferrals(PlanFeed feed) {
        this.feed = feed;
    }

    /**
     * What one plan says.
     *
     * @param revision its revision; 0 before the first plan
     * @param byJob why jobs wait, by id
     */
    record Said(long revision, Map<String, Deferral> byJob) {
        static final Said NOTHING = new Said(0, Map.of());

        /** Why the job waits; empty if the plan does not know it or runs it. */
        Optional<Deferral> of(String jobId) {
            return Optional.ofNullable(byJob.get(jobId));
        }
    }

    /** What the current plan says. */
    Said now() {
        Optional<PlanDocument> plan = feed.current();
        if (plan.isEmpty()) {
            return Said.NOTHING;
        }
        Said known = said;
        if (known.revision() != plan.get().revision()) {
            Map<String, Deferral> byJob = new HashMap<>();
            plan.get().waiting().forEach(deferral -> byJob.put(deferral.jobId(), deferral));
            known = new Said(plan.get().revision(), byJob);
            said = known;
        }
        return known;
    }
}
