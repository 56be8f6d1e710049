package dev.spur.service.round;

/** Is told of each round; must not throw, and must be quick. */
@FunctionalInterface
public interface RoundObserver {
    /** A round is about to begin. */
    default void begins() {}

    /** A round has ended. */
    void ended(RoundReport report);

    /** There is no round any more, whether it has ended or could not even begin. */
    default void over() {}
}
