package dev.spur.policies.elasticflow;

/**
 * An interval in which a job is planned to hold a number of slots.
 *
 * @param start seconds on the clock of the round
 * @param end seconds on the clock of the round, after {@code start}
 * @param slots slots, at least 1
 */
record SlotInterval(double start, double end, int slots) {
    double slotSeconds() {
        return slots * (end - start);
    }
}
