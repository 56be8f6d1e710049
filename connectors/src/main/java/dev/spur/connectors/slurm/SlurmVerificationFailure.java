package dev.spur.connectors.slurm;

import java.io.IOException;

/** Slurm accepted a change, but the change is not visible. */
final class SlurmVerificationFailure extends IOException {
    private static final long serialVersionUID = 1;

    SlurmVerificationFailure(String message) {
        super(message);
    }
}
