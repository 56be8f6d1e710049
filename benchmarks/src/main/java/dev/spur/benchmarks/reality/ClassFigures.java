package dev.spur.benchmarks.reality;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Figures of one class under one policy, over its scenarios. Times are seconds.
 *
 * @param className name of the class
 * @param policy name of the policy
 * @param scenarios number of scenarios
 * @param meanJctSeconds mean over the scenarios of the mean JCT
 * @param p99JctSeconds mean over the scenarios of the 99th percentile of the JCT
 * @param makespanSeconds mean makespan
 * @param restartsPerJob starts after the first, per job
 * @param restartsPerRigidJob starts after the first of rigid jobs, per rigid job; 0 without rigid jobs
 * @param shortShare share of short allocations, from 0 to 1; 0 without allocations
 * @param longestWaitSeconds longest time of a job from its arrival to its first progress
 * @param longestIdleSeconds longest time of a job without slots in all
 * @param unfinished number of unfinished jobs
 * @param meanRegret mean over the scenarios of the regret: mean JCT divided by that of the best policy of the scenario,
 *     minus 1
 * @param worstRegret largest regret
 * @param worstSeed seed of the scenario with the largest regret, the first of several
 * @param wallSeconds time of the replays on this machine
 */
record ClassFigures(
        String className,
        String policy,
        int scenarios,
        double meanJctSeconds,
        double p99JctSeconds,
        double makespanSeconds,
        double restartsPerJob,
        double restartsPerRigidJob,
        double shortShare,
        double longestWaitSeconds,
        double longestIdleSeconds,
        int unfinished,
        double meanRegret,
        double worstRegret,
        long worstSeed,
        double wallSeconds) {

    /** An outcome and the regret of its policy in its scenario. */
    record Judged(Outcome outcome, double regret) {}

    /** Returns the figures of {@code judged}, at least one outcome, all of one class and one policy. */
    static ClassFigures of(List<Judged> judged) {
        List<Outcome> outcomes = judged.stream().map(Judged::outcome).toList();
        Judged worst =
                judged.stream().reduce((a, b) -> b.regret > a.regret ? b : a).orElseThrow();
        double rigidJobs = sum(outcomes, outcome -> outcome.stability().rigidJobs());
        double allocations = sum(outcomes, outcome -> outcome.stability().allocations());
        return new ClassFigures(
                worst.outcome.className(),
                worst.outcome.policy(),
                outcomes.size(),
                mean(outcomes, Outcome::meanJctSeconds),
                mean(outcomes, Outcome::p99JctSeconds),
                mean(outcomes, Outcome::makespanSeconds),
                ratio(sum(outcomes, Outcome::restarts), sum(outcomes, Outcome::jobs)),
                ratio(sum(outcomes, outcome -> outcome.stability().restartsOfRigidJobs()), rigidJobs),
                ratio(sum(outcomes, outcome -> outcome.stability().shortAllocations()), allocations),
                max(outcomes, outcome -> outcome.stability().longestWaitSeconds()),
                max(outcomes, outcome -> outcome.stability().longestIdleSeconds()),
                (int) sum(outcomes, Outcome::unfinished),
                judged.stream().mapToDouble(Judged::regret).average().orElseThrow(),
                worst.regret,
                worst.outcome.seed(),
                sum(outcomes, Outcome::wallSeconds));
    }

    private static double ratio(double part, double whole) {
        return whole == 0 ? 0 : part / whole;
    }

    private static double sum(List<Outcome> outcomes, ToDoubleFunction<Outcome> figure) {
        return outcomes.stream().mapToDouble(figure).sum();
    }

    private static double mean(List<Outcome> outcomes, ToDoubleFunction<Outcome> figure) {
        return sum(outcomes, figure) / outcomes.size();
    }

    private static double max(List<Outcome> outcomes, ToDoubleFunction<Outcome> figure) {
        return outcomes.stream().mapToDouble(figure).max().orElseThrow();
    }
}
