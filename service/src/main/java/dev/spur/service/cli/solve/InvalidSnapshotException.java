package dev.spur.service.cli.solve;

import java.util.List;

/** A round that cannot be solved as it is. */
final class InvalidSnapshotException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> complaints;

    /** @param complaints everything that is wrong with it, one line each */
    InvalidSnapshotException(List<String> complaints) {
        super(String.join("; ", complaints));
        this.complaints = List.copyOf(complaints);
    }

    List<String> complaints() {
        return complaints;
    }
}
