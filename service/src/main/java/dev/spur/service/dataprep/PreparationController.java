package dev.spur.service.dataprep;

import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.json.RoundJson;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.EntityTag;
import dev.spur.service.contract.MergePatch;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.dataprep.PreparationLifeCycle.Editable;
import dev.spur.service.eta.EtaFeed;
import dev.spur.service.plan.PlanFeed;
import dev.spur.service.store.JobHistory;
import dev.spur.service.store.PreparationHistory;
import dev.spur.service.store.PreparationStore;
import dev.spur.service.store.StoredPreparation;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.node.ObjectNode;

/** Data preparations. */
@RestController
@RequestMapping("/api/v1/preparations")
class PreparationController {
    private final PreparationSubmissionService intake;
    private final PreparationReportService desk;
    private final PreparationLifeCycle lifeCycle;
    private final PreparationStore preparations;
    private final PreparationHistory history;
    private final MergePatch patches;
    private final PlanFeed feed;
    private final EtaFeed estimates;

    PreparationController(
            PreparationSubmissionService intake,
            PreparationReportService desk,
            PreparationLifeCycle lifeCycle,
            PreparationStore preparations,
            PreparationHistory history,
            MergePatch patches,
            PlanFeed feed,
            EtaFeed estimates) {
        this.intake = intake;
        this.desk = desk;
        this.lifeCycle = lifeCycle;
        this.preparations = preparations;
        this.history = history;
        this.patches = patches;
        this.feed = feed;
        this.estimates = estimates;
    }

    /** Response to a report. Members as in the contract. */
    record Directive(
            long generation,
            boolean applied,
            boolean stop,

            @JsonSerialize(using = Rfc3339.GrantSerializer.class)
            @JsonDeserialize(using = Rfc3339.GrantDeserializer.class)
            @Nullable
            PreparationAllocation grant) {}

    @PostMapping
    ResponseEntity<PreparationView> submit(ContractRequest request) {
        String key = request.idempotencyKey().orElse(null);
        PreparationSubmissionService.Outcome outcome =
                intake.submit(request.principal(), key, request.body(PreparationSubmission.class));
        StoredPreparation stored = outcome.preparation();
        ResponseEntity.BodyBuilder answer = ResponseEntity.created(URI.create("/api/v1/preparations/" + stored.id()))
                .eTag(tag(stored).header());
        if (outcome.replayed()) {
            answer.header("Idempotent-Replayed", "true");
        }
        return answer.body(view(stored));
    }

    @GetMapping
    ResponseEntity<Page<PreparationView>> list(ContractRequest request) {
        int limit = Page.limit(request);
        List<StoredPreparation> found = preparations.list(
                request.reach(),
                request.texts("state"),
                request.optionalText("tenant").orElse(null),
                Page.after(request, Long.MAX_VALUE),
                limit + 1);
        return Page.of(found, limit, StoredPreparation::seq).map(this::view).answer(request);
    }

    @GetMapping("/{id}")
    ResponseEntity<PreparationView> get(ContractRequest request) {
        StoredPreparation stored = find(request);
        EntityTag tag = tag(stored);
        return tag.isAmong(request.optionalText("If-None-Match"))
                ? ResponseEntity.status(HttpStatus.NOT_MODIFIED)
                        .eTag(tag.header())
                        .build()
                : answer(HttpStatus.OK, stored);
    }

    private StoredPreparation find(ContractRequest request) {
        String id = request.text("id");
        return preparations.find(id).orElseThrow(() -> ProblemException.notFound("preparation", id));
    }

    @PatchMapping("/{id}")
    ResponseEntity<PreparationView> patch(ContractRequest request) {
        return answer(
                HttpStatus.OK,
                lifeCycle.edit(
                        request.text("id"),
                        request.optionalText("If-Match"),
                        request.principal().name(),
                        stored -> patched(request, stored)));
    }

    private Editable patched(ContractRequest request, StoredPreparation stored) {
        ObjectNode tree = RoundJson.mapper().valueToTree(Editable.of(stored));
        return patches.apply(tree, request.body(), Editable.class);
    }

    @PostMapping("/{id}/cancel")
    ResponseEntity<PreparationView> cancel(ContractRequest request) {
        return answer(
                HttpStatus.OK,
                lifeCycle.cancel(request.text("id"), request.principal().name()));
    }

    @PostMapping("/{id}/hold")
    ResponseEntity<PreparationView> hold(ContractRequest request) {
        return answer(
                HttpStatus.OK,
                lifeCycle.hold(request.text("id"), request.principal().name()));
    }

    @PostMapping("/{id}/release")
    ResponseEntity<PreparationView> release(ContractRequest request) {
        return answer(
                HttpStatus.OK,
                lifeCycle.release(request.text("id"), request.principal().name()));
    }

    @GetMapping("/{id}/events")
    ResponseEntity<Page<JobHistory.Event>> events(ContractRequest request) {
        String id = find(request).id();
        int limit = Page.limit(request);
        return Page.of(history.events(id, Page.after(request, 0), limit + 1), limit, JobHistory.Event::id)
                .map(JobHistory.Event::shown)
                .answer(request);
    }

    @PostMapping("/{id}/progress")
    ResponseEntity<Directive> report(ContractRequest request) {
        PreparationReportService.Reply reply = desk.take(request.text("id"), request.body(PreparationReport.class));
        StoredPreparation now = reply.preparation();
        return ResponseEntity.status(HttpStatus.OK)
                .body(new Directive(now.generation(), reply.applied(), now.grant() == null, now.grant()));
    }

    private ResponseEntity<PreparationView> answer(HttpStatus status, StoredPreparation stored) {
        return ResponseEntity.status(status).eTag(tag(stored).header()).body(view(stored));
    }

    private PreparationView view(StoredPreparation stored) {
        return PreparationView.of(stored, feed.current(), estimates.current());
    }

    private EntityTag tag(StoredPreparation stored) {
        return EntityTag.of(
                stored.version(),
                feed.current().map(plan -> plan.revision()).orElse(0L),
                estimates.current().version());
    }
}
