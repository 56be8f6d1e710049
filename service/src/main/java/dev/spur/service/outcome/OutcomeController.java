package dev.spur.service.outcome;

import dev.spur.service.security.AccessScope;
import dev.spur.service.usage.CsvText;
import java.time.Instant;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for outcomes. */
@RestController
@RequestMapping("/api/v1/outcomes")
class OutcomeController {
    private final OutcomeReader outcomes;
    private final OutcomeHistoryReader history;

    OutcomeController(OutcomeReader outcomes, OutcomeHistoryReader history) {
        this.outcomes = outcomes;
        this.history = history;
    }

    @GetMapping
    OutcomeReport report(
            AccessScope scope, @RequestParam Optional<Instant> since, @RequestParam Optional<Instant> until) {
        return outcomes.read(scope, TimeRange.of(since, until));
    }

    @GetMapping("/table")
    ResponseEntity<byte[]> table(
            AccessScope scope, @RequestParam Optional<Instant> since, @RequestParam Optional<Instant> until) {
        return CsvText.response(OutcomeTable.csv(outcomes.read(scope, TimeRange.of(since, until))));
    }

    @GetMapping("/history")
    OutcomeHistory history(
            AccessScope scope,
            @RequestParam Optional<Instant> since,
            @RequestParam Optional<Instant> until,
            @RequestParam Optional<Integer> stepSeconds) {
        return history.read(scope, TimeRange.of(since, until), stepSeconds);
    }
}
