package dev.spur.connectors.determined;

import java.io.IOException;

/** The master said that something is done, and it is not. */
final class Disagreement extends IOException {
    private static final long serialVersionUID = 1;

    Disagreement(String message) {
        super(message);
    }
}
