package dev.spur.benchmarks.reality;

import static dev.spur.benchmarks.reality.WorkKnowledge.KNOWN;

import dev.spur.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Case from public reports on schedulers: a class with one scenario, whose jobs are stated and rigid. Policies know
 * their work.
 *
 * @param kind name, nodes and times of the class; its distributions are not used
 * @param jobs jobs
 */
record FieldCase(ScenarioClass kind, List<ScenarioJobs.Request> jobs) {
    private static final double MINUTES = 60;
    private static final double HOURS = 3600;
    private static final double DAYS = 86_400;
    private static final long SEED = 0;

    FieldCase {
        jobs = List.copyOf(jobs);
    }

    /** Returns all cases; their names begin with {@code field-} and are unique. */
    static List<FieldCase> all() {
        return List.of(
                new FieldCase(kind("ten-of-15min", Hardware.ONE_OF_8, MINUTES, MINUTES), equal(10, 30, 15 * MINUTES)),
                new FieldCase(kind("ten-of-1h", Hardware.ONE_OF_8, MINUTES, MINUTES), equal(10, 30, HOURS)),
                new FieldCase(
                        kind("three-of-12h", Hardware.ONE_OF_8, 5 * MINUTES, 30 * MINUTES),
                        equal(3, 10 * MINUTES, 12 * HOURS)),
                new FieldCase(
                        kind("three-of-5d", Hardware.ONE_OF_8, 5 * MINUTES, 30 * MINUTES),
                        equal(3, 10 * MINUTES, 5 * DAYS)),
                new FieldCase(kind("gang-in-stream", Hardware.TWO_OF_8, MINUTES, 5 * MINUTES), gangInStream()),
                new FieldCase(kind("eight-and-four", Hardware.EIGHT_AND_FOUR, MINUTES, MINUTES), gangOfTwelve()),
                new FieldCase(kind("two-prices", Hardware.TWO_OF_8_AT_TWO_PRICES, MINUTES, MINUTES), gangOfTwelve()));
    }

    private static ScenarioClass kind(String name, Hardware hardware, double restart, double round) {
        return ScenarioClass.of("field-" + name, 0, KNOWN)
                .on(hardware, Tenancy.ONE)
                .times(restart, round, HOURS);
    }

    /** Returns equal jobs of a whole node each. */
    private static List<ScenarioJobs.Request> equal(int count, double gap, double seconds) {
        List<ScenarioJobs.Request> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(job("job-" + i, i * gap, 8, seconds));
        }
        return jobs;
    }

    /** Returns a gang of all 16 slots for 2 hours in a stream of jobs of one slot, at a load of 1. */
    private static List<ScenarioJobs.Request> gangInStream() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<ScenarioJobs.Request> jobs = new ArrayList<>(List.of(job("gang", 30 * MINUTES, 16, 2 * HOURS)));
        for (int i = 0; i < 480; i++) {
            jobs.add(job("small-" + i, i * 7.5 * MINUTES, 1, (2 + random.nextInt(5)) * HOURS / 2));
        }
        return jobs;
    }

    /** Returns a gang of 12 slots that needs two nodes, and three smaller jobs. */
    private static List<ScenarioJobs.Request> gangOfTwelve() {
        return List.of(
                job("twelve", 0, 12, HOURS),
                job("one", 10, 1, 10 * MINUTES),
                job("eight", 20, 8, 10 * MINUTES),
                job("four", 50, 4, 20 * MINUTES));
    }

    private static ScenarioJobs.Request job(String id, double arrival, int slots, double seconds) {
        return new ScenarioJobs.Request(id, arrival, "a", slots, seconds, 1);
    }

    Scenario scenario(DecisionEffort effort) {
        ScenarioJobs factory = new ScenarioJobs(kind.hardware().nodes(), kind.restartSeconds());
        List<TraceJob> made = jobs.stream().map(factory::rigid).toList();
        return ScenarioGenerator.toScenario(kind, SEED, made, effort);
    }
}
