package dev.spur.simulator.audit;

/**
 * Result of one replay of an audit. Completion times are those of the counted jobs that ended in every replay.
 *
 * @param policy name of the policy
 * @param meanJctSeconds mean time from arrival to end
 * @param weightedMeanJctSeconds the same, weighted by the weights and priorities of the jobs
 * @param p99JctSeconds 99th percentile of the time from arrival to end
 * @param meanQueueingSeconds mean time from arrival to first start
 * @param restartsPerJob mean number of starts after the first
 */
public record AuditReplay(
        String policy,
        double meanJctSeconds,
        double weightedMeanJctSeconds,
        double p99JctSeconds,
        double meanQueueingSeconds,
        double restartsPerJob) {}
