package dev.spur.service.preparation;

import dev.spur.model.preparation.Grant;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.EntityTag;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.plan.PlanFeed;
import dev.spur.service.store.PreparationStore;
import dev.spur.service.store.StoredPreparation;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Jobs that prepare data. */
@RestController
@RequestMapping("/api/v1/preparations")
class PreparationController {
    private final PreparationIntake intake;
    private final PreparationDesk desk;
    private final PreparationStore preparations;
    private final PlanFeed feed;

    PreparationController(
            PreparationIntake intake, PreparationDesk desk, PreparationStore preparations, PlanFeed feed) {
        this.intake = intake;
        this.desk = desk;
        this.preparations = preparations;
        this.feed = feed;
    }

    /** What whoever reports is told. Members as in the contract. */
    record Directive(
            long generation,
            boolean applied,
            boolean stop,
            @Nullable Grant grant) {}

    @PostMapping
    ResponseEntity<PreparationView> submit(ContractRequest request) {
        String key = request.idempotencyKey().orElse(null);
        PreparationIntake.Outcome outcome =
                intake.submit(request.principal(), key, request.body(PreparationSubmission.class));
        StoredPreparation stored = outcome.preparation();
        ResponseEntity.BodyBuilder answer = ResponseEntity.created(URI.create("/api/v1/preparations/" + stored.id()))
                .eTag(tag(stored));
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
        String id = request.text("id");
        StoredPreparation stored =
                preparations.find(id).orElseThrow(() -> ProblemException.notFound("preparation", id));
        return ResponseEntity.ok().eTag(tag(stored)).body(view(stored));
    }

    @PostMapping("/{id}/cancel")
    ResponseEntity<PreparationView> cancel(ContractRequest request) {
        StoredPreparation stored = desk.cancel(request.text("id"));
        return ResponseEntity.status(HttpStatus.ACCEPTED).eTag(tag(stored)).body(view(stored));
    }

    @PostMapping("/{id}/progress")
    ResponseEntity<Directive> report(ContractRequest request) {
        PreparationDesk.Reply reply = desk.take(request.text("id"), request.body(PreparationReport.class));
        StoredPreparation now = reply.preparation();
        return ResponseEntity.status(HttpStatus.ACCEPTED)
                .body(new Directive(now.generation(), reply.applied(), now.grant() == null, now.grant()));
    }

    private PreparationView view(StoredPreparation stored) {
        return PreparationView.of(stored, feed.current());
    }

    private String tag(StoredPreparation stored) {
        return EntityTag.of(
                        stored.version(),
                        feed.current().map(plan -> plan.revision()).orElse(0L))
                .header();
    }
}
