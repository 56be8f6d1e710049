package dev.spur.service.database;

/** Receives changes that justify an early round. */
public interface RoundTrigger {
    /**
     * Requests an early round; several calls are combined. Inside a transaction, the request takes effect at the
     * commit. It is cheap, never blocks and never throws.
     *
     * @param why the change in a few words, which becomes part of the round record
     */
    void requestRound(String why);
}
