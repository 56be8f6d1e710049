package dev.spur.service.dataprep.api;

import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.json.RoundJson;
import dev.spur.service.contract.EntityTag;
import dev.spur.service.contract.IdempotencyKey;
import dev.spur.service.contract.MergePatch;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.dataprep.PreparationHistory;
import dev.spur.service.dataprep.PreparationStore;
import dev.spur.service.dataprep.StoredPreparation;
import dev.spur.service.dataprep.api.PreparationLifeCycle.Editable;
import dev.spur.service.eta.EtaFeed;
import dev.spur.service.job.JobHistory;
import dev.spur.service.plan.PlanFeed;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
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
    ResponseEntity<PreparationView> submit(
            Principal caller,
            @RequestHeader("Idempotency-Key") @Nullable String key,
            @RequestBody PreparationSubmission submission) {
        PreparationSubmissionService.Outcome outcome = intake.submit(caller, IdempotencyKey.of(key), submission);
        StoredPreparation stored = outcome.preparation();
        ResponseEntity.BodyBuilder answer = ResponseEntity.created(URI.create("/api/v1/preparations/" + stored.id()))
                .eTag(tag(stored).header());
        if (outcome.replayed()) {
            answer.header("Idempotent-Replayed", "true");
        }
        return answer.body(view(stored));
    }

    @GetMapping
    ResponseEntity<Page<PreparationView>> list(
            AccessScope scope,
            @RequestParam(defaultValue = "") List<String> state,
            @RequestParam @Nullable String tenant,
            PageRequest page) {
        return page.read(
                        Long.MAX_VALUE,
                        (before, most) -> preparations.list(scope, state, tenant, before, most),
                        StoredPreparation::seq)
                .map(this::view)
                .response();
    }

    @GetMapping("/{id}")
    ResponseEntity<PreparationView> get(@PathVariable String id) {
        return respond(find(id));
    }

    private StoredPreparation find(String id) {
        return preparations.find(id).orElseThrow(() -> ProblemException.notFound("preparation", id));
    }

    @PatchMapping("/{id}")
    ResponseEntity<PreparationView> patch(
            @PathVariable String id,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestBody ObjectNode patch,
            Principal caller) {
        return respond(lifeCycle.edit(
                id,
                ifMatch,
                caller.name(),
                stored -> patches.apply(
                        RoundJson.mapper().<ObjectNode>valueToTree(Editable.of(stored)), patch, Editable.class)));
    }

    @PostMapping("/{id}/cancel")
    ResponseEntity<PreparationView> cancel(@PathVariable String id, Principal caller) {
        return respond(lifeCycle.cancel(id, caller.name()));
    }

    @PostMapping("/{id}/hold")
    ResponseEntity<PreparationView> hold(@PathVariable String id, Principal caller) {
        return respond(lifeCycle.hold(id, caller.name()));
    }

    @PostMapping("/{id}/release")
    ResponseEntity<PreparationView> release(@PathVariable String id, Principal caller) {
        return respond(lifeCycle.release(id, caller.name()));
    }

    @GetMapping("/{id}/events")
    ResponseEntity<Page<JobHistory.Event>> events(@PathVariable String id, PageRequest page) {
        find(id);
        return page.read(0, (after, most) -> history.events(id, after, most), JobHistory.Event::id)
                .map(JobHistory.Event::shown)
                .response();
    }

    @PostMapping("/{id}/progress")
    Directive report(@PathVariable String id, @RequestBody PreparationReport report) {
        PreparationReportService.Reply reply = desk.take(id, report);
        StoredPreparation now = reply.preparation();
        return new Directive(now.generation(), reply.applied(), now.grant() == null, now.grant());
    }

    private ResponseEntity<PreparationView> respond(StoredPreparation stored) {
        return tag(stored).ok(view(stored));
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
