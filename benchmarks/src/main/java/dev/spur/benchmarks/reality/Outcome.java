package dev.spur.benchmarks.reality;

import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.report.Distribution;
import dev.spur.simulator.report.Stability;

/**
 * Figures of one scenario under one policy. Times are seconds. An unfinished job counts with the time from its arrival
 * to the end of the replay, which is a lower bound.
 *
 * @param className name of the class
 * @param seed seed of the scenario
 * @param policy name of the policy
 * @param jobs number of jobs
 * @param meanJctSeconds mean time from arrival to end
 * @param p99JctSeconds 99th percentile of the time from arrival to end, interpolated linearly
 * @param makespanSeconds time from the first arrival to the last end
 * @param restarts starts after the first, of all jobs
 * @param stability restarts of rigid jobs, short allocations and waits
 * @param unfinished number of jobs that did not end
 * @param rounds number of decisions
 * @param wallSeconds time that the replay took on this machine; the only figure that another run may change
 */
record Outcome(
        String className,
        long seed,
        String policy,
        int jobs,
        double meanJctSeconds,
        double p99JctSeconds,
        double makespanSeconds,
        int restarts,
        Stability stability,
        int unfinished,
        int rounds,
        double wallSeconds) {

    static Outcome of(Scenario scenario, Replay replay, double wallSeconds) {
        double end = scenario.settings().endSeconds();
        Distribution jct = new Distribution(replay.jobs().stream().mapToDouble(job -> end(job, end) - job.arrival()));
        double first =
                replay.jobs().stream().mapToDouble(JobOutcome::arrival).min().orElse(0);
        return new Outcome(
                scenario.className(),
                scenario.seed(),
                replay.policy(),
                replay.jobs().size(),
                jct.mean(),
                jct.quantile(0.99),
                replay.jobs().stream().mapToDouble(job -> end(job, end)).max().orElse(first) - first,
                replay.jobs().stream().mapToInt(JobOutcome::restarts).sum(),
                Stability.of(scenario.trace(), replay, end),
                (int) replay.jobs().stream().filter(job -> job.end() == null).count(),
                replay.rounds().size(),
                wallSeconds);
    }

    private static double end(JobOutcome job, double otherwise) {
        Double end = job.end();
        return end == null ? otherwise : end;
    }

    /** Returns the name of the class and the seed. */
    String scenario() {
        return className + ":" + seed;
    }
}
