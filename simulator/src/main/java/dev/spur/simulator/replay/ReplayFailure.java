package dev.spur.simulator.replay;

/** Reports a decision that violates a constraint. */
public final class ReplayFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    ReplayFailure(String message) {
        super(message);
    }
}
