package dev.spur.simulator.experiment;

import dev.spur.simulator.report.Summary;

/**
 * A finished replay of an experiment.
 *
 * @param load load of the trace; 1 is the capacity of the cluster
 * @param seed seed of the trace
 * @param variant name of the variant
 * @param summary summary of the replay
 */
public record Cell(double load, long seed, String variant, Summary summary) {}
