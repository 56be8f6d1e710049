package dev.spur.service.plans;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.PollRequest;
import dev.spur.service.web.contract.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Routes below {@code /plans}, and the part of the plan for a node. */
@RestController
class PlanController {
    private static final Duration NODES_TTL = Duration.ofSeconds(5);
    private static final int MAX_NODES = 100_000;

    private final PlanFeed feed;
    private final PlanStore plans;
    private final ScopedPlanView own;
    /** Existing nodes: idle nodes poll often and should not require a query each time. */
    private final Cache<String, Boolean> nodes = Caffeine.newBuilder()
            .maximumSize(MAX_NODES)
            .expireAfterWrite(NODES_TTL)
            .build();

    PlanController(PlanFeed feed, PlanStore plans, ScopedPlanView own) {
        this.own = own;
        this.feed = feed;
        this.plans = plans;
    }

    @GetMapping("/api/v1/plans/current")
    Object current(
            AccessScope scope,
            PollRequest poll,
            @RequestHeader(name = "Accept-Encoding", defaultValue = "") String codings) {
        boolean waitsForFirst =
                poll.known() != null && poll.known() == 0 && !poll.maxWait().isZero();
        if (feed.current().isEmpty() && !waitsForFirst) {
            throw ProblemException.notFound("plan", "yet");
        }
        return feed.poll(poll, scope, codings);
    }

    @GetMapping("/api/v1/nodes/{id}/assignments")
    Object assignments(@PathVariable String id, PollRequest poll) {
        if (nodes.get(id, missing -> plans.hasNode(missing) ? true : null) == null) {
            throw ProblemException.notFound("node", id);
        }
        return feed.poll(poll, id);
    }

    @GetMapping("/api/v1/plans")
    ResponseEntity<Page<PlanSummary>> list(
            @RequestParam @Nullable Instant since, @RequestParam @Nullable Instant until, PageRequest page) {
        return page.read(
                        Long.MAX_VALUE,
                        (before, max) -> plans.summaries(before, max).stream()
                                .map(PlanSummary::read)
                                .toList(),
                        PlanSummary::revision,
                        plan -> ListFilter.isWithin(plan.publishedAt(), since, until))
                .response();
    }

    @GetMapping("/api/v1/plans/{revision}")
    ResponseEntity<String> get(@PathVariable long revision, AccessScope scope) {
        StoredPlan plan = find(revision);
        return ResponseEntity.ok()
                .eTag(EntityTag.of(revision).weakHeader())
                .header("Plan-Revision", Long.toString(plan.revision()))
                .contentType(MediaType.APPLICATION_JSON)
                .body(
                        scope.isAll()
                                ? plan.body()
                                : own.within(scope, PlanDocument.of(plan)).json());
    }

    @GetMapping("/api/v1/plans/{revision}/diff")
    PlanDiff diff(@PathVariable long revision, @RequestParam(name = "base") Optional<Long> given, AccessScope scope) {
        PlanDocument after = PlanDocument.of(find(revision));
        PlanDocument base = base(given, after);
        return PlanDiff.between(own.within(scope, base), own.within(scope, after));
    }

    private PlanDocument base(Optional<Long> requested, PlanDocument after) {
        if (requested.isPresent() && requested.get() > 0) {
            return PlanDocument.of(find(requested.get()));
        }
        Optional<StoredPlan> before = requested.isPresent() ? Optional.empty() : plans.before(after.revision());
        return before.map(PlanDocument::of).orElseGet(() -> PlanDocument.before(after));
    }

    private StoredPlan find(long revision) {
        return plans.find(revision).orElseThrow(() -> ProblemException.notFound("plan", revision));
    }
}
