package dev.spur.service.round;

/** Listener for rounds. Implementations must return quickly and must not throw. */
@FunctionalInterface
public interface RoundObserver {
    /** Called before a round begins. */
    default void begins() {}

    /** Called when a round has ended. */
    void ended(RoundReport report);

    /** Called when no round runs any more, whether it ended or failed to begin. */
    default void over() {}
}
