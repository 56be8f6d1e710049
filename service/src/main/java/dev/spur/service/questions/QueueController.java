package dev.spur.service.questions;

import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanFeed;
import dev.spur.service.questions.WaitingJobs.WaitingJob;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Waiting jobs in queue order: training jobs of the current plan, then new ones; data preparations likewise; then held
 * jobs.
 */
@RestController
class QueueController {
    private final WaitingJobs jobs;
    private final PlanFeed feed;
    private final EtaFeed estimates;

    QueueController(WaitingJobs jobs, PlanFeed feed, EtaFeed estimates) {
        this.jobs = jobs;
        this.feed = feed;
        this.estimates = estimates;
    }

    /** A waiting job with its pending reason. */
    record QueueEntry(
            int queuePosition,
            String jobId,
            JobKind kind,
            String name,
            String tenant,
            String owner,
            PendingReason reason,
            @Nullable String resource,
            @Nullable Double needed,
            @Nullable Double free,
            String message,
            double waitingSeconds,
            @Nullable Instant retryAt,
            @Nullable Eta eta) {}

    @GetMapping("/api/v1/queue")
    ResponseEntity<Page<QueueEntry>> list(
            AccessScope scope,
            @RequestParam @Nullable String tenant,
            @RequestParam @Nullable String owner,
            @RequestParam(defaultValue = "") List<String> reason,
            PageRequest page) {
        long after = page.after(0);
        Map<String, PendingJob> pendingJobs = new HashMap<>();
        Optional<PlanDocument> plan = feed.current();
        plan.ifPresent(current -> current.allWaiting().forEach(d -> pendingJobs.put(d.jobId(), d)));
        List<WaitingJob> queue = new ArrayList<>(jobs.all());
        queue.sort(Comparator.comparing(WaitingJob::heldBack)
                .thenComparing(WaitingJob::kind)
                .thenComparing(job -> place(pendingJobs.get(job.id()))));
        int last = (int) Math.max(0, Math.min(after, queue.size()));
        // Only the entries of the page are built: the queue can have thousands.
        List<QueueEntry> found = IntStream.rangeClosed(last + 1, queue.size())
                .filter(position -> isVisible(queue.get(position - 1), scope, tenant, owner))
                .mapToObj(position -> entry(position, queue.get(position - 1), pendingJobs))
                .filter(entry -> ListFilter.matches(reason, entry.reason()))
                .limit(page.limit() + 1L)
                .toList();
        return Page.of(found, page.limit(), QueueEntry::queuePosition).response();
    }

    private static boolean isVisible(
            WaitingJob job, AccessScope scope, @Nullable String tenant, @Nullable String owner) {
        return scope.covers(job.tenant())
                && ListFilter.matches(tenant, job.tenant())
                && ListFilter.matches(owner, job.owner());
    }

    private static int place(@Nullable PendingJob pending) {
        return pending == null ? Integer.MAX_VALUE : pending.queuePosition();
    }

    private QueueEntry entry(int position, WaitingJob job, Map<String, PendingJob> pendingJobs) {
        PendingJob why = job.pendingReason(Optional.ofNullable(pendingJobs.get(job.id())), position);
        return new QueueEntry(
                position,
                job.id(),
                job.kind(),
                job.name(),
                job.tenant(),
                job.owner(),
                why.reason(),
                why.resource(),
                why.needed(),
                why.free(),
                why.message(),
                job.waitingSeconds(),
                job.retryAt(),
                estimates
                        .current()
                        .of(job.id(), true, job.held(), job.since())
                        .map(JobEta::start)
                        .orElse(null));
    }
}
