package dev.spur.service.job.api;

import dev.spur.model.round.PendingJob;
import dev.spur.service.eta.EtaFeed;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanFeed;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Pending reasons from the current plan, read once per plan, and the published ETAs of all jobs. */
@Component
class PendingJobLookup {
    private final PlanFeed feed;
    private final EtaFeed estimates;
    private volatile ByJob latest = ByJob.NOTHING;

    PendingJobLookup(PlanFeed feed, EtaFeed estimates) {
        this.feed = feed;
        this.estimates = estimates;
    }

    /**
     * Pending jobs of one plan. The revision alone does not identify a plan: after the database is emptied, revisions
     * restart.
     */
    private record ByJob(long revision, Instant publishedAt, Map<String, PendingJob> pendingJobs) {
        private static final ByJob NOTHING = new ByJob(0, Instant.EPOCH, Map.of());

        boolean isOf(PlanDocument plan) {
            return revision == plan.revision() && publishedAt.equals(plan.publishedAt());
        }
    }

    /**
     * Status of jobs at a time.
     *
     * @param revision of the plan; 0 before the first plan
     * @param byJob pending reasons of the plan by job id
     * @param estimates published ETAs of jobs
     */
    record PlanStatus(long revision, Map<String, PendingJob> byJob, EtaFeed.PublishedEtas estimates) {
        /** The pending reason of the job; empty if the plan does not contain the job or runs it. */
        Optional<PendingJob> of(String jobId) {
            return Optional.ofNullable(byJob.get(jobId));
        }
    }

    /** Status by the current plan and the newest ETAs. */
    PlanStatus now() {
        ByJob plan = feed.current().map(this::byJob).orElse(ByJob.NOTHING);
        return new PlanStatus(plan.revision(), plan.pendingJobs(), estimates.current());
    }

    private ByJob byJob(PlanDocument plan) {
        ByJob known = latest;
        if (!known.isOf(plan)) {
            Map<String, PendingJob> pendingJobs = new HashMap<>();
            plan.allWaiting().forEach(pending -> pendingJobs.put(pending.jobId(), pending));
            known = new ByJob(plan.revision(), plan.publishedAt(), pendingJobs);
            latest = known;
        }
        return known;
    }
}
