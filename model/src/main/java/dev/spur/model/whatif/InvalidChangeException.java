package dev.spur.model.whatif;

import dev.spur.model.validation.Violation;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown for a change that cannot be applied to the problem. */
final class InvalidChangeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<Violation> found;

    /** @param found the violations, by JSON pointer into the change; at least one */
    InvalidChangeException(List<Violation> found) {
        super(found.stream().map(Violation::message).collect(Collectors.joining(", and ")));
        this.found = List.copyOf(found);
    }

    List<Violation> violations() {
        return found;
    }
}
