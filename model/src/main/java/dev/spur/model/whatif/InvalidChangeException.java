package dev.spur.model.whatif;

import dev.spur.model.validation.Violation;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown for a change that cannot be applied to the problem. */
final class InvalidChangeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<Violation> violations;

    /** @param violations the violations, by JSON pointer into the change; at least one */
    InvalidChangeException(List<Violation> violations) {
        super(violations.stream().map(Violation::message).collect(Collectors.joining(", and ")));
        this.violations = List.copyOf(violations);
    }

    List<Violation> violations() {
        return violations;
    }
}
