package dev.spur.service.round;

import dev.spur.model.validation.Violation;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** A round that cannot make a plan; the message says why and becomes part of its record. */
final class RoundFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private static final int SHOWN_VIOLATIONS = 5;

    RoundFailure(String message) {
        super(message);
    }

    RoundFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /** A round that ends because of {@code violations}, of which the message names the first. */
    static RoundFailure of(String claim, List<Violation> violations) {
        String shown = violations.stream()
                .limit(SHOWN_VIOLATIONS)
                .map(v -> "%s (%s): %s".formatted(v.rule(), v.subject(), v.message()))
                .collect(Collectors.joining("; "));
        return new RoundFailure("%s, %d violations: %s".formatted(claim, violations.size(), shown));
    }
}
