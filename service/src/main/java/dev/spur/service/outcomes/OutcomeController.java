package dev.spur.service.outcomes;

import dev.spur.service.cluster.CsvText;
import dev.spur.service.security.AccessScope;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.springframework.http.MediaType;
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
    private final PastRangeExport pastRanges;

    OutcomeController(OutcomeReader outcomes, OutcomeHistoryReader history, PastRangeExport pastRanges) {
        this.outcomes = outcomes;
        this.history = history;
        this.pastRanges = pastRanges;
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

    /**
     * The range in the form of a snapshot, which differs from that of other responses. Yesterday by default, in UTC.
     */
    @GetMapping("/export")
    void export(
            @RequestParam Optional<Instant> since, @RequestParam Optional<Instant> until, HttpServletResponse response)
            throws IOException {
        Instant today = Clock.systemUTC().instant().truncatedTo(ChronoUnit.DAYS);
        TimeRange range = TimeRange.of(since, until.or(() -> Optional.of(today)));
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        pastRanges.write(range, response.getOutputStream());
    }
}
