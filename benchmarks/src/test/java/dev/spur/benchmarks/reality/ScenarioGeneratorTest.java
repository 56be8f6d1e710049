package dev.spur.benchmarks.reality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.simulator.report.Stability;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.TraceJob;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScenarioGeneratorTest {
    private static final DecisionEffort EFFORT = new DecisionEffort(0.01, 0.01);

    @Test
    void namesOfClassesAreUnique() {
        assertThat(RealitySuite.classNames()).doesNotHaveDuplicates().hasSizeGreaterThan(30);
    }

    @Test
    void noJobIsLargerThanItsTenantMayEverHold() {
        for (ScenarioClass kind : ScenarioClasses.all()) {
            int largest = kind.tenancy().largestGang(kind.hardware().slots());
            for (long seed = 1; seed <= 20; seed++) {
                assertThat(generate(kind, seed).trace().jobs())
                        .as("%s:%d", kind.name(), seed)
                        .hasSize(40)
                        .allMatch(job -> job.requestedSlots() <= largest);
            }
        }
    }

    @Test
    void theLoadIsWithinTheLimitsOfTheClass() {
        ScenarioClass kind = find("overload");
        List<TraceJob> jobs = generate(kind, 3).trace().jobs();
        double work = jobs.stream()
                .mapToDouble(job -> job.requestedSlots() * job.aloneSeconds())
                .sum();
        double last = jobs.get(jobs.size() - 1).arrival();

        // One more gap follows the last arrival.
        assertThat(work / (32 * last)).isBetween(1.3, 1.6);
    }

    @Test
    void equalSeedsGiveTheSameJobsInClassesThatDifferInKnowledge() {
        List<TraceJob> known = generate(find("rigid-known"), 5).trace().jobs();
        List<TraceJob> unknown = generate(find("rigid-unknown"), 5).trace().jobs();

        assertThat(unknown).extracting(TraceJob::aloneSeconds).isEqualTo(seconds(known));
        assertThat(unknown).extracting(TraceJob::arrival).isEqualTo(known.stream().map(TraceJob::arrival).toList());
        assertThat(known).allMatch(job -> Math.abs(stated(job) - job.aloneSeconds()) < 1e-6);
    }

    @Test
    void policiesAssumeOneRunTimeForAllJobsOfUnknownWork() {
        ScenarioClass kind = find("rigid-unknown");

        assertThat(generate(kind, 5).trace().jobs())
                .allSatisfy(job -> assertThat(stated(job)).isCloseTo(kind.meanSeconds(), within(1e-6)));
    }

    @Test
    void theShareOfElasticJobsIsThatOfTheClass() {
        assertThat(generate(find("rigid-known"), 1).trace().jobs()).allMatch(Stability::isRigid);
        assertThat(generate(find("half-known"), 1).trace().jobs().stream().filter(Stability::isRigid))
                .hasSizeBetween(10, 30);
    }

    @Test
    void theGangInAStreamIsTheOnlyGang() {
        assertThat(generate(find(ScenarioClasses.GANG_IN_STREAM), 2).trace().jobs())
                .filteredOn(job -> job.requestedSlots() > 1)
                .extracting(TraceJob::requestedSlots)
                .containsExactly(16);
    }

    /** The run time on the requested slots that a policy expects at first. */
    private static double stated(TraceJob job) {
        var spec = job.viewModel().after(RunHistory.NONE).spec();
        double speed = spec.profile().points().get(0).samplesPerSecond();
        return spec.totalSamples() / speed;
    }

    private static List<Double> seconds(List<TraceJob> jobs) {
        return jobs.stream().map(TraceJob::aloneSeconds).toList();
    }

    private static Scenario generate(ScenarioClass kind, long seed) {
        return ScenarioGenerator.generate(kind, seed, 40, EFFORT);
    }

    private static ScenarioClass find(String name) {
        return ScenarioClasses.all().stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
