package dev.spur.simulator.replay;

import org.jspecify.annotations.Nullable;

/**
 * A round as it was measured.
 *
 * @param time when it was, seconds since the start of the trace
 * @param running jobs that run by its decision
 * @param waiting jobs that wait by its decision
 * @param usedSlots slots that its decision gives away
 * @param decisionSeconds how long the policy took, on the clock
 * @param gap proved distance from the best plan; null if the policy proves none
 */
public record RoundSample(
        double time,
        int running,
        int waiting,
        int usedSlots,
        double decisionSeconds,
        @Nullable Double gap) {}
