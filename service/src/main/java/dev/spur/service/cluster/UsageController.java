package dev.spur.service.cluster;

import dev.spur.service.cluster.UsageStore.Usage;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Resource usage by tenant, user and label, as JSON and as a table for spreadsheets. */
@RestController
@RequestMapping("/api/v1/usage")
class UsageController {
    private static final String HEADER =
            "key,accelerator_type,slot_hours,aggregation_slot_hours,cost,jobs,allocations\r\n";
    private static final Duration USUAL = Duration.ofDays(7);
    private static final Duration LONGEST = Duration.ofDays(366);

    private final UsageStore store;

    UsageController(UsageStore store) {
        this.store = store;
    }

    /** A usage report. Members as in the contract. */
    record Report(Instant since, Instant until, List<Usage> rows) {}

    @GetMapping
    Report report(
            AccessScope scope,
            @RequestParam(name = "since") Optional<Instant> givenSince,
            @RequestParam(name = "until") Optional<Instant> givenUntil,
            @RequestParam(defaultValue = "tenant") String by,
            @RequestParam Optional<String> label) {
        List<FieldError> errors = new ArrayList<>();
        Instant until = givenUntil.orElseGet(() -> Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS));
        Instant since = givenSince.orElse(until.minus(USUAL));
        if (!since.isBefore(until)) {
            errors.add(FieldError.inParameter("since", "must be before until, which is %s".formatted(until)));
        } else if (Duration.between(since, until).compareTo(LONGEST) > 0) {
            errors.add(FieldError.inParameter(
                    "since", "must be at most %d days before until".formatted(LONGEST.toDays())));
        }
        UsageStore.Key key = key(by, label, errors);
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.INVALID_REQUEST, errors);
        }
        return new Report(since, until, store.between(scope, since, until, key));
    }

    @GetMapping("/table")
    ResponseEntity<byte[]> table(
            AccessScope scope,
            @RequestParam Optional<Instant> since,
            @RequestParam Optional<Instant> until,
            @RequestParam(defaultValue = "tenant") String by,
            @RequestParam Optional<String> label) {
        return CsvText.response(csv(report(scope, since, until, by, label)));
    }

    /** The report as comma-separated values (RFC 4180). */
    private static String csv(Report report) {
        StringBuilder csv = new StringBuilder(HEADER);
        for (Usage row : report.rows()) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%s,%s,%.4f,%.4f,%.4f,%d,%d\r\n",
                    row.key() == null ? "" : CsvText.quote(row.key()),
                    CsvText.quote(row.acceleratorType()),
                    row.slotHours(),
                    row.aggregationSlotHours(),
                    row.cost(),
                    row.jobs(),
                    row.allocations()));
        }
        return csv.toString();
    }

    private static UsageStore.Key key(String by, Optional<String> label, List<FieldError> errors) {
        if (by.equals("label") && label.isEmpty()) {
            errors.add(FieldError.inParameter("label", "is required if by is label"));
        } else if (!by.equals("label") && label.isPresent()) {
            errors.add(FieldError.inParameter("label", "is allowed only if by is label"));
        }
        return switch (by) {
            case "owner" -> UsageStore.Key.OWNER;
            case "label" -> UsageStore.Key.ofLabel(label.orElse(""));
            default -> UsageStore.Key.TENANT;
        };
    }
}
