package dev.spur.connectors.determined;

import java.io.IOException;

/** The master accepted a change, but the change is not visible. */
final class DeterminedVerificationFailure extends IOException {
    private static final long serialVersionUID = 1;

    DeterminedVerificationFailure(String message) {
        super(message);
    }
}
