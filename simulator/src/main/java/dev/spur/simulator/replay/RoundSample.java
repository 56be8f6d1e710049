package dev.spur.simulator.replay;

import org.jspecify.annotations.Nullable;

/**
 * Measurements of a round.
 *
 * @param time time of the round, seconds since the start of the trace
 * @param running number of jobs that run by its decision
 * @param waiting number of jobs that wait by its decision
 * @param usedSlots slots that its decision assigns
 * @param decisionSeconds wall-clock seconds of the policy
 * @param gap optimality gap; null if the policy proves none
 */
public record RoundSample(
        double time,
        int running,
        int waiting,
        int usedSlots,
        double decisionSeconds,
        @Nullable Double gap) {}
