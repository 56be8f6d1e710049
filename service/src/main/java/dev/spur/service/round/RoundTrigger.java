package dev.spur.service.round;

/** Hears of changes for which an early round is worth its while. */
public interface RoundTrigger {
    /**
     * Asks for an early round, soon and once for many calls. Inside a transaction the call counts when that commits,
     * and not at all if it does not. Cheap, never blocks and never throws.
     *
     * @param why what changed, in a few words: it becomes part of the round's record
     */
    void changed(String why);
}
