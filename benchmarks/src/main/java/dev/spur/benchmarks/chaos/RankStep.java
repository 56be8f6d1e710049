package dev.spur.benchmarks.chaos;

import java.util.List;

/**
 * Step of a rank.
 *
 * @param generation generation of the job
 * @param rank rank within the generation
 * @param at time by the monotonic clock of the machine, s
 * @param before samples of the job before the step
 * @param ids ids of the samples of this rank
 */
record RankStep(int generation, int rank, double at, long before, List<Integer> ids) {}
