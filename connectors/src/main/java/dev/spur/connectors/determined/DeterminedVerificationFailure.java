package dev.spur.connectors.determined;

import java.io.IOException;

/** The master said that something is done, and it is not. */
final class DeterminedVerificationFailure extends IOException {
    private static final long serialVersionUID = 1;

    DeterminedVerificationFailure(String message) {
        super(message);
    }
}
