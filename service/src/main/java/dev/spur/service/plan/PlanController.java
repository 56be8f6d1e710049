package dev.spur.service.plan;

import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.EntityTag;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.store.PlanStore;
import dev.spur.service.store.StoredPlan;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Routes below {@code /plans}, and the part of the plan for a node. */
@RestController
class PlanController {
    private final PlanFeed feed;
    private final PlanStore plans;
    private final NodeExistenceCache nodes;
    private final ScopedPlanView own;

    PlanController(PlanFeed feed, PlanStore plans, NodeExistenceCache nodes, ScopedPlanView own) {
        this.own = own;
        this.feed = feed;
        this.plans = plans;
        this.nodes = nodes;
    }

    @GetMapping("/api/v1/plans/current")
    void current(ContractRequest request, HttpServletRequest raw, HttpServletResponse response) throws IOException {
        Poll poll = Poll.of(null, request.optionalNumber("after"), request.optionalText("If-None-Match"))
                .inGzip(ContentCodings.takeGzip(raw.getHeaders("Accept-Encoding")));
        if (!request.reach().isAll()) {
            poll = poll.seeing(plan -> own.within(request.reach(), plan));
        }
        long wait = request.number("wait");
        boolean awaitsTheFirst = poll.known() != null && poll.known() == 0 && wait > 0;
        if (feed.current().isEmpty() && !awaitsTheFirst) {
            throw ProblemException.notFound("plan", "yet");
        }
        feed.answer(poll, wait, raw, response);
    }

    @GetMapping("/api/v1/nodes/{id}/assignments")
    void assignments(ContractRequest request, HttpServletRequest raw, HttpServletResponse response) throws IOException {
        String node = request.text("id");
        if (!nodes.has(node)) {
            throw ProblemException.notFound("node", node);
        }
        Poll poll = Poll.of(node, request.optionalNumber("after"), request.optionalText("If-None-Match"));
        feed.answer(poll, request.number("wait"), raw, response);
    }

    @GetMapping("/api/v1/plans")
    ResponseEntity<Page<PlanSummary>> list(ContractRequest request) {
        int limit = Page.limit(request);
        List<PlanSummary> found = Page.matching(
                Page.after(request, Long.MAX_VALUE),
                limit + 1,
                (before, most) -> plans.summaries(before, most).stream()
                        .map(PlanSummary::read)
                        .toList(),
                PlanSummary::revision,
                plan -> request.isWithin(plan.publishedAt()));
        return Page.of(found, limit, PlanSummary::revision).answer(request);
    }

    @GetMapping("/api/v1/plans/{revision}")
    ResponseEntity<String> get(ContractRequest request) {
        StoredPlan plan = find(request.number("revision"));
        EntityTag tag = EntityTag.of(plan.revision());
        if (tag.isAmong(request.optionalText("If-None-Match"))) {
            return ResponseEntity.status(304).header("ETag", tag.weakHeader()).build();
        }
        return ResponseEntity.ok()
                .header("ETag", tag.weakHeader())
                .header("Plan-Revision", Long.toString(plan.revision()))
                .contentType(MediaType.APPLICATION_JSON)
                .body(
                        request.reach().isAll()
                                ? plan.body()
                                : own.within(request.reach(), PlanDocument.of(plan))
                                        .json());
    }

    @GetMapping("/api/v1/plans/{revision}/diff")
    PlanDiff diff(ContractRequest request) {
        PlanDocument after = PlanDocument.of(find(request.number("revision")));
        PlanDocument base = base(request.optionalNumber("base"), after);
        return PlanDiff.between(own.within(request.reach(), base), own.within(request.reach(), after));
    }

    private PlanDocument base(Optional<Long> asked, PlanDocument after) {
        if (asked.isPresent() && asked.get() > 0) {
            return PlanDocument.of(find(asked.get()));
        }
        Optional<StoredPlan> before = asked.isPresent() ? Optional.empty() : plans.before(after.revision());
        return before.map(PlanDocument::of)
                .orElseGet(() -> new PlanDocument(
                        0,
                        0,
                        after.publishedAt(),
                        List.of(),
                        List.of(),
                        java.util.Map.of(),
                        after.quality(),
                        List.of(),
                        null));
    }

    private StoredPlan find(long revision) {
        return plans.find(revision).orElseThrow(() -> ProblemException.notFound("plan", revision));
    }
}
