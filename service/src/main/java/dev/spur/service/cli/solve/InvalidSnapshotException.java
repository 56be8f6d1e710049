package dev.spur.service.cli.solve;

import java.util.List;

/** A round snapshot that cannot be solved because it violates the schema or the problem rules. */
final class InvalidSnapshotException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> violations;

    /** @param violations all violations, one line each */
    InvalidSnapshotException(List<String> violations) {
        super(String.join("; ", violations));
        this.violations = List.copyOf(violations);
    }

    List<String> violations() {
        return violations;
    }
}
