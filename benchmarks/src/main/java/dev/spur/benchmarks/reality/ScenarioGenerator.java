package dev.spur.benchmarks.reality;

import dev.spur.model.round.RoundSettings;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Generator of scenarios, deterministic for the same class, seed and number of jobs. Jobs are drawn first; Poisson
 * arrivals are then scaled to meet the load exactly.
 */
final class ScenarioGenerator {
    /** The replay ends, with unfinished jobs, after this multiple of the time that the work takes without gaps. */
    private static final double END = 4;

    /** The replay ends earlier if no job has run or arrived for this number of rounds. */
    private static final double STALL_ROUNDS = 100;

    /** The plan validator checks one decision of this number. */
    private static final int CHECK_EVERY = 20;

    private static final double[] EXPONENTS = {0.6, 0.8, 0.95};
    /** Work of the gang in a stream, as a multiple of the mean run time, and its size and place in the stream. */
    private static final double GANG_LENGTH = 2;

    private static final int GANG_SLOTS = 16;
    private static final int GANG_POSITION = 4;

    /** A job without its arrival. */
    private record Drawn(int slots, double seconds, double estimate, boolean elastic, double exponent, String tenant) {}

    private final ScenarioClass kind;
    private final DecisionEffort effort;
    private final int slots;

    private ScenarioGenerator(ScenarioClass kind, DecisionEffort effort) {
        this.effort = effort;
        this.kind = kind;
        this.slots = kind.hardware().slots();
    }

    /** Returns the scenario {@code seed} of a class with {@code jobs} jobs, at least 1. */
    static Scenario generate(ScenarioClass kind, long seed, int jobs, DecisionEffort effort) {
        return new ScenarioGenerator(kind, effort).scenario(seed, jobs);
    }

    private Scenario scenario(long seed, int count) {
        SplittableRandom root = new SplittableRandom(seed);
        List<Drawn> drawn = draw(count, root);
        SplittableRandom times = root.split();
        double load = kind.minLoad() + (kind.maxLoad() - kind.minLoad()) * times.nextDouble();
        double work = drawn.stream().mapToDouble(job -> job.slots * job.seconds).sum() / slots;
        double[] arrivals = arrivals(count, work / load, times);
        List<TraceJob> jobs = new ArrayList<>();
        ScenarioJobs factory = new ScenarioJobs(kind.hardware().nodes(), kind.restartSeconds());
        for (int i = 0; i < count; i++) {
            jobs.add(job(factory, String.format(Locale.ROOT, "job-%03d", i), arrivals[i], drawn.get(i)));
        }
        return toScenario(kind, seed, jobs, effort);
    }

    /** Returns the scenario of these jobs. */
    static Scenario toScenario(ScenarioClass kind, long seed, List<TraceJob> jobs, DecisionEffort effort) {
        return new Scenario(
                kind.name(),
                seed,
                new Trace("%s-%d".formatted(kind.name(), seed), jobs, Map.of()),
                kind.hardware().file(),
                kind.tenancy().config(kind.hardware().file()),
                ReplaySettings.DEFAULT
                        .withPlanning(RoundSettings.DEFAULT.withEffort(effort.gap(), effort.budget()))
                        .withRounds(kind.roundSeconds(), null)
                        .withCheckEvery(CHECK_EVERY)
                        .withEnd(
                                STALL_ROUNDS * kind.roundSeconds(),
                                end(jobs, kind.hardware().slots()))
                        .withSeed(seed));
    }

    /** Returns the latest end of a replay, seconds since the start of the trace. */
    private static double end(List<TraceJob> jobs, int slots) {
        double work = jobs.stream()
                .mapToDouble(job -> job.requestedSlots() * job.aloneSeconds())
                .sum();
        double last = jobs.stream().mapToDouble(TraceJob::arrival).max().orElse(0);
        double longest = jobs.stream().mapToDouble(TraceJob::aloneSeconds).max().orElse(0);
        return END * (last + work / slots + longest);
    }

    /** Draws the jobs. Each property has its own random numbers, so that it does not depend on the others. */
    private List<Drawn> draw(int count, SplittableRandom root) {
        SplittableRandom sizes = root.split();
        SplittableRandom lengths = root.split();
        SplittableRandom errors = root.split();
        SplittableRandom styles = root.split();
        SplittableRandom tenants = root.split();
        int largest = kind.tenancy().largestGang(slots);
        List<Drawn> drawn = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean isGang = kind.name().equals(ScenarioClasses.GANG_IN_STREAM) && i == GANG_POSITION;
            int size = Math.min(largest, kind.sizes().draw(sizes));
            double length = kind.runTimes().draw(lengths);
            double seconds = kind.meanSeconds() * (isGang ? GANG_LENGTH : length);
            double estimate = kind.knowledge().factor(errors.nextGaussian(), seconds, kind.meanSeconds());
            boolean elastic = styles.nextDouble() < kind.elasticShare();
            double exponent = EXPONENTS[styles.nextInt(EXPONENTS.length)];
            drawn.add(new Drawn(
                    isGang ? GANG_SLOTS : size,
                    seconds,
                    estimate,
                    elastic,
                    exponent,
                    kind.tenancy().draw(tenants)));
        }
        return drawn;
    }

    /**
     * Returns Poisson arrivals. The first is at 0. The sum of all gaps, including one after the last job, is
     * {@code span} seconds.
     */
    private static double[] arrivals(int count, double span, SplittableRandom random) {
        double[] arrivals = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            arrivals[i] = sum;
            sum -= Math.log1p(-random.nextDouble());
        }
        for (int i = 0; i < count; i++) {
            arrivals[i] *= span / sum;
        }
        return arrivals;
    }

    private static TraceJob job(ScenarioJobs factory, String id, double arrival, Drawn drawn) {
        ScenarioJobs.Request request =
                new ScenarioJobs.Request(id, arrival, drawn.tenant, drawn.slots, drawn.seconds, drawn.estimate);
        return drawn.elastic ? factory.elastic(request, drawn.exponent) : factory.rigid(request);
    }
}
