package dev.spur.service.rounds;

import dev.spur.service.plans.DroppedEntry;
import dev.spur.service.plans.RoundRecord;
import dev.spur.service.plans.RoundStore;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.access.AccessScopeStore;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Routes below {@code /rounds}. */
@RestController
class RoundController {
    private static final String PATH = "/api/v1/rounds/";

    private final RoundStore rounds;
    private final AccessScopeStore reach;
    private final TransactionTemplate transaction;
    private final AuditTrail trail;

    RoundController(RoundStore rounds, AccessScopeStore reach, TransactionTemplate transaction, AuditTrail trail) {
        this.reach = reach;
        this.transaction = transaction;
        this.trail = trail;
        this.rounds = rounds;
    }

    /** Response to a request for a round. */
    record RequestedRound(long number) {}

    @PostMapping("/api/v1/rounds")
    ResponseEntity<RequestedRound> call() {
        RoundStore.Request request = Objects.requireNonNull(transaction.execute(status -> {
            RoundStore.Request requested = rounds.request("request", RoundLoop.REQUEST);
            if (!requested.running()) {
                trail.recordChange("round", Long.toString(requested.number()), null, Map.of("trigger", "request"));
            }
            return requested;
        }));
        String path = PATH + request.number();
        if (request.running()) {
            throw ProblemException.of(ProblemType.ROUND_RUNNING, "Round %d runs.".formatted(request.number()))
                    .withLocation(path);
        }
        return ResponseEntity.accepted().location(URI.create(path)).body(new RequestedRound(request.number()));
    }

    @GetMapping("/api/v1/rounds")
    ResponseEntity<Page<RoundRecord>> list(
            AccessScope scope,
            @RequestParam(defaultValue = "") List<String> status,
            @RequestParam @Nullable Instant since,
            @RequestParam @Nullable Instant until,
            PageRequest page) {
        RoundStore.Filter filter = new RoundStore.Filter(status, since, until);
        return page.read(Long.MAX_VALUE, (before, max) -> rounds.before(filter, before, max), RoundRecord::number)
                .map(round -> within(scope, round))
                .response();
    }

    @GetMapping("/api/v1/rounds/{number}")
    RoundRecord get(@PathVariable long number, AccessScope scope) {
        RoundRecord found = rounds.find(number).orElseThrow(() -> ProblemException.notFound("round", number));
        return within(scope, found);
    }

    /**
     * The record in the caller's scope. Shadow prices name tenants and groups, and dropped entries name jobs; a scoped
     * caller sees only its own jobs.
     */
    private RoundRecord within(AccessScope callers, RoundRecord round) {
        if (callers.isAll()) {
            return round;
        }
        Set<String> own = reach.jobsAmong(
                callers, round.dropped().stream().map(DroppedEntry::jobId).toList());
        return round.redact(round.dropped().stream()
                .filter(gone -> own.contains(gone.jobId()))
                .toList());
    }

    /** The snapshot as stored, byte for byte, so that it reproduces the problem of the round. */
    @GetMapping("/api/v1/rounds/{number}/snapshot")
    ResponseEntity<byte[]> problem(@PathVariable long number) {
        byte[] json = rounds.problem(number)
                .orElseThrow(() -> ProblemException.of(
                        ProblemType.NOT_FOUND, "The snapshot of round %d is not kept.".formatted(number)));
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(json);
    }
}
