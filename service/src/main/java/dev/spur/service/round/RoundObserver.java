package dev.spur.service.round;

/** Is told of each round; must not throw. */
public interface RoundObserver {
    /** A round has ended. */
    void ended(RoundReport report);
}
