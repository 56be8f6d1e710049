package dev.spur.connectors.slurm;

import java.io.IOException;

/** Slurm said that something is done, and it is not. */
final class Disagreement extends IOException {
    private static final long serialVersionUID = 1;

    Disagreement(String message) {
        super(message);
    }
}
