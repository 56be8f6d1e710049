package dev.spur.service.simulation;

import dev.spur.service.contract.ListFilter;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.security.AccessScope;
import dev.spur.service.simulation.SimulationStore.Row;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** Endpoints that simulations and self-audits share. */
abstract class QueuedWorkController {
    private final SimulationKind kind;
    private final SimulationQueue queue;
    private final SimulationStore store;

    QueuedWorkController(SimulationKind kind, SimulationQueue queue, SimulationStore store) {
        this.kind = kind;
        this.queue = queue;
        this.store = store;
    }

    /** The response to an accepted request. */
    ResponseEntity<Row> toResponse(SimulationQueue.Submission submission) {
        Row row = submission.row();
        ResponseEntity.BodyBuilder response = ResponseEntity.accepted().location(URI.create(kind.path(row.id())));
        if (submission.replayed()) {
            response.header("Idempotent-Replayed", "true");
        }
        return response.body(row);
    }

    ResponseEntity<Page<Row>> list(AccessScope scope, List<String> state, Predicate<Row> matches, PageRequest page) {
        return page.read(
                        Long.MAX_VALUE,
                        (before, max) -> store.before(kind, scope, before, max),
                        Row::seq,
                        matches.and(row -> ListFilter.matches(state, row.state())))
                .response();
    }

    @GetMapping("/{id}")
    Row get(@PathVariable String id) {
        return queue.find(kind, id);
    }

    @GetMapping("/{id}/table")
    ResponseEntity<byte[]> table(@PathVariable String id) {
        return text(id, "csv", store.csv(id));
    }

    ResponseEntity<byte[]> text(String id, String subtype, Optional<String> text) {
        Row row = queue.find(kind, id);
        byte[] bytes = text.orElseThrow(() -> ProblemException.of(
                        ProblemType.CONFLICT, "The %s has no result: it is %s.".formatted(kind.noun(), row.state())))
                .getBytes(StandardCharsets.UTF_8);
        return ResponseEntity.ok()
                .contentType(new MediaType("text", subtype, StandardCharsets.UTF_8))
                .body(bytes);
    }

    @PostMapping("/{id}/cancel")
    Row cancel(@PathVariable String id) {
        return queue.cancel(kind, id);
    }
}
