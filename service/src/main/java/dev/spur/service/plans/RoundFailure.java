package dev.spur.service.plans;

import dev.spur.model.validation.Violation;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A round that publishes no plan, because a step failed or the plan validator rejected the plan. The message states the
 * cause and becomes part of the round record.
 */
public final class RoundFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private static final int SHOWN_VIOLATIONS = 5;

    public RoundFailure(String message) {
        super(message);
    }

    public RoundFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /** A round that failed with {@code violations}; the message includes the first ones. */
    public static RoundFailure of(String claim, List<Violation> violations) {
        String shown = violations.stream()
                .limit(SHOWN_VIOLATIONS)
                .map(v -> "%s (%s): %s".formatted(v.rule(), v.subject(), v.message()))
                .collect(Collectors.joining("; "));
        String plural = violations.size() == 1 ? "" : "s";
        return new RoundFailure("%s, %d violation%s: %s".formatted(claim, violations.size(), plural, shown));
    }
}
