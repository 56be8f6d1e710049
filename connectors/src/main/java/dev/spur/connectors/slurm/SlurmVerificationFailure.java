package dev.spur.connectors.slurm;

import java.io.IOException;

/** Slurm said that something is done, and it is not. */
final class SlurmVerificationFailure extends IOException {
    private static final long serialVersionUID = 1;

    SlurmVerificationFailure(String message) {
        super(message);
    }
}
