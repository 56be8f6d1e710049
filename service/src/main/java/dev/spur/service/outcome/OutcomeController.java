package dev.spur.service.outcome;

import dev.spur.service.security.AccessScope;
import java.time.Instant;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for outcomes. */
@RestController
@RequestMapping("/api/v1/outcomes")
class OutcomeController {
    private final OutcomeHistoryReader history;

    OutcomeController(OutcomeHistoryReader history) {
        this.history = history;
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
