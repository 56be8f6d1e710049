package dev.spur.service.plans;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.ChangeKind;
import dev.spur.service.jobs.JobHistory;
import dev.spur.service.jobs.JobHistory.Span;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Recent allocations of all jobs. */
@RestController
@RequestMapping("/api/v1/allocations")
class AllocationController {
    private static final char BETWEEN = '/';

    private final JobHistory history;

    AllocationController(JobHistory history) {
        this.history = history;
    }

    /** Summary of an allocation: job, interval, resources and devices. */
    record AllocationSummary(
            String jobId,
            String jobName,
            String tenant,
            long generation,
            long planRevision,
            ChangeKind change,
            String acceleratorType,
            int slots,
            int batchSize,
            SyncStrategy strategy,
            double aggregationSlots,
            List<NodeShare> placement,
            Instant startedAt,
            @Nullable Instant endedAt) {
        static AllocationSummary of(Span span) {
            JobHistory.HeldAllocation held = span.held();
            Allocation allocation = Objects.requireNonNull(held.allocation());
            return new AllocationSummary(
                    span.jobId(),
                    span.jobName(),
                    span.tenant(),
                    held.generation(),
                    held.planRevision(),
                    held.change(),
                    allocation.configuration().acceleratorType(),
                    allocation.configuration().slots(),
                    allocation.configuration().batchSize(),
                    allocation.configuration().strategy(),
                    allocation.configuration().aggregationSlots(),
                    allocation.placement(),
                    held.startedAt(),
                    held.endedAt());
        }
    }

    @GetMapping
    ResponseEntity<Page<AllocationSummary>> list(
            AccessScope scope,
            @RequestParam @Nullable Instant since,
            @RequestParam @Nullable Instant until,
            PageRequest page) {
        String after = page.after("/0");
        int split = after.lastIndexOf(BETWEEN);
        List<Span> spans = history.spans(
                scope,
                since,
                until,
                after.substring(0, Math.max(0, split)),
                generation(after, split),
                page.limit() + 1);
        return Page.of(
                        spans,
                        page.limit(),
                        span -> span.jobId() + BETWEEN + span.held().generation())
                .map(AllocationSummary::of)
                .response();
    }

    private static long generation(String cursor, int split) {
        try {
            return Long.parseLong(cursor.substring(split + 1));
        } catch (NumberFormatException e) {
            throw PageRequest.badCursor();
        }
    }
}
