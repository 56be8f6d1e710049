package dev.spur.service.api;

import dev.spur.model.round.PendingJob;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanFeed;
import dev.spur.service.questions.EtaFeed;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Pending reasons from the current plan, read once per plan, and the published ETAs of all jobs. */
@Component
class PendingJobLookup {
    private final PlanFeed feed;
    private final EtaFeed estimates;
    private volatile @Nullable ByJob latest;

    PendingJobLookup(PlanFeed feed, EtaFeed estimates) {
        this.feed = feed;
        this.estimates = estimates;
    }

    /** Pending jobs of the plan of a revision, as explained at a time. */
    private record ByJob(long revision, Instant explainedAt, Map<String, PendingJob> pendingJobs) {
        boolean isOf(PlanDocument plan) {
            return revision == plan.revision() && explainedAt.equals(plan.explainedAt());
        }
    }

    /**
     * Status of jobs at a time.
     *
     * @param revision of the plan; 0 before the first plan
     * @param explainedAt time of its explanations
     * @param byJob pending reasons of the plan by job id
     * @param estimates published ETAs of jobs
     */
    record PlanStatus(
            long revision, Instant explainedAt, Map<String, PendingJob> byJob, EtaFeed.PublishedEtas estimates) {
        /** The pending reason of the job; empty if the plan does not contain the job or runs it. */
        Optional<PendingJob> of(String jobId) {
            return Optional.ofNullable(byJob.get(jobId));
        }
    }

    /** Status by the current plan and the newest ETAs. */
    PlanStatus now() {
        EtaFeed.PublishedEtas etas = estimates.current();
        return feed.current()
                .map(plan -> new PlanStatus(plan.revision(), plan.explainedAt(), byJob(plan), etas))
                .orElseGet(() -> new PlanStatus(0, Instant.EPOCH, Map.of(), etas));
    }

    private Map<String, PendingJob> byJob(PlanDocument plan) {
        ByJob known = latest;
        if (known == null || !known.isOf(plan)) {
            Map<String, PendingJob> pendingJobs = new HashMap<>();
            plan.allWaiting().forEach(pending -> pendingJobs.put(pending.jobId(), pending));
            known = new ByJob(plan.revision(), plan.explainedAt(), pendingJobs);
            latest = known;
        }
        return known.pendingJobs();
    }
}
