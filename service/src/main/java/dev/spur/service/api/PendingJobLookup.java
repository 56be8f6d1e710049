package dev.spur.service.api;

import dev.spur.model.round.PendingJob;
import dev.spur.service.eta.EtaFeed;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanFeed;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** What the current plan says of jobs that wait, looked up once per plan, and what is expected of all. */
@Component
class PendingJobLookup {
    private final PlanFeed feed;
    private final EtaFeed estimates;
    private volatile ByJob said = ByJob.NOTHING;

    PendingJobLookup(PlanFeed feed, EtaFeed estimates) {
        this.feed = feed;
        this.estimates = estimates;
    }

    /** What one plan says. A number alone does not tell which one that is: a database that was emptied counts anew. */
    private record ByJob(long revision, Instant publishedAt, Map<String, PendingJob> pendingJobs) {
        private static final ByJob NOTHING = new ByJob(0, Instant.EPOCH, Map.of());

        boolean isOf(PlanDocument plan) {
            return revision == plan.revision() && publishedAt.equals(plan.publishedAt());
        }
    }

    /**
     * What is said of jobs at a time.
     *
     * @param revision of the plan; 0 before the first one
     * @param byJob why jobs wait by it, by id
     * @param estimates what is expected of jobs
     */
    record PlanStatus(long revision, Map<String, PendingJob> byJob, EtaFeed.PublishedEtas estimates) {
        /** Why the job waits; empty if the plan does not know it or runs it. */
        Optional<PendingJob> of(String jobId) {
            return Optional.ofNullable(byJob.get(jobId));
        }
    }

    /** What the current plan and the newest estimates say. */
    PlanStatus now() {
        ByJob plan = feed.current().map(this::byJob).orElse(ByJob.NOTHING);
        return new PlanStatus(plan.revision(), plan.pendingJobs(), estimates.current());
    }

    private ByJob byJob(PlanDocument plan) {
        ByJob known = said;
        if (!known.isOf(plan)) {
            Map<String, PendingJob> pendingJobs = new HashMap<>();
            plan.waiting().forEach(pending -> pendingJobs.put(pending.jobId(), pending));
            known = new ByJob(plan.revision(), plan.publishedAt(), pendingJobs);
            said = known;
        }
        return known;
    }
}
