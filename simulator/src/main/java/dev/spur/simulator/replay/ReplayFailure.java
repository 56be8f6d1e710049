package dev.spur.simulator.replay;

/** A policy did what no policy may. */
public final class ReplayFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    ReplayFailure(String message) {
        super(message);
    }
}
