package dev.spur.simulator.replay;

import static dev.spur.model.JobFixture.configuration;
import static dev.spur.model.JobFixture.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.ChangeCosts;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Replay of a job whose batch size changes while it runs. */
class ReconfigurationTest {
    private static JobFixture elastic() {
        return job("a").work(1e5)
                .batch(new BatchLimits(64, 64, 128, 128, Map.of(), false))
                .efficiency(StatisticalEfficiency.ofNoiseScale(1e15))
                .profile(new ThroughputProfile(
                        List.of(
                                ProfilePoint.allReduce("A100", 1, 1, 64, 100),
                                ProfilePoint.allReduce("A100", 1, 1, 128, 200)),
                        List.of()))
                .restartPenalty(20);
    }

    /** Replays one job with batch size 64, and 128 from second 300 on. */
    private static JobOutcome replayed(JobSpec spec) {
        return replayed(spec, ReconfigurationTest::given);
    }

    private static JobOutcome replayed(JobSpec spec, Function<RoundProblem, Allocation> given) {
        TraceJob job = new TraceJob(
                "a", 0, "root", null, 1, 1000, new SpecGroundTruth(spec, 20, 20), PolicyViewModel.complete(spec));
        Policy policy = new Policy() {
            @Override
            public String name() {
                return "doubling";
            }

            @Override
            public Decision decide(RoundProblem problem) {
                return Decision.of(
                        problem,
                        problem.jobs().isEmpty() ? Map.of() : Map.of("a", given.apply(problem)),
                        RoundMemory.EMPTY);
            }
        };
        ReplaySettings settings = ReplaySettings.DEFAULT.withRounds(100, null);
        return Replayer.replay(Traces.trace(job), Traces.cluster(1, 2), policy, settings, ProgressListener.NONE)
                .jobs()
                .get(0);
    }

    private static Allocation given(RoundProblem problem) {
        Node node = problem.nodes().get(0);
        return new Allocation(
                configuration(List.of(1)).withBatch(problem.now() < 300 ? 64 : 128, 0),
                List.of(new NodeShare(node.id(), node.devices().subList(0, 1))),
                List.of(),
                problem.now());
    }

    @Test
    void isARestartForAJobThatDoesNotReconfigure() {
        JobOutcome restarted = replayed(elastic().spec());

        assertThat(restarted.restarts()).isEqualTo(1);
        assertThat(restarted.end()).as("28,000 samples until 300").isCloseTo(320 + 72_000 / 200.0, within(1e-6));
    }

    @Test
    void costsTheStatedStallOtherwise() {
        JobOutcome reconfigured = replayed(elastic().reconfigures(2).spec());

        assertThat(reconfigured.restarts()).isZero();
        assertThat(reconfigured.end()).isCloseTo(302 + 72_000 / 200.0, within(1e-6));
    }

    @Test
    void anotherNumberOfSlotsCostsTheStatedStallOfARescale() {
        JobSpec spec = twoSlots(2.0);

        JobOutcome rescaled = replayed(spec, ReconfigurationTest::grown);

        assertThat(rescaled.restarts()).isZero();
        assertThat(rescaled.end())
                .as("30,000 samples until the new rank has started at 320")
                .isCloseTo(322 + 70_000 / 200.0, within(1e-6));
        assertThat(rescaled.slotSeconds()).isCloseTo(300 + 2 * (rescaled.end() - 300), within(1e-6));
        assertThat(replayed(twoSlots(null), ReconfigurationTest::grown).end())
                .as("a restart")
                .isCloseTo(320 + 72_000 / 200.0, within(1e-6));
    }

    @Test
    void aMoveCostsTheStatedStallOfAMigration() {
        JobSpec spec = elastic().migrates(2).spec();

        JobOutcome moved = replayed(spec, problem -> {
            Node node = problem.nodes().get(0);
            int device = problem.now() < 300 ? 0 : 1;
            return new Allocation(
                    configuration(List.of(1)).withBatch(64, 0),
                    List.of(new NodeShare(node.id(), node.devices().subList(device, device + 1))),
                    List.of(),
                    problem.now());
        });

        assertThat(moved.restarts()).isEqualTo(1);
        assertThat(moved.end()).as("28,000 samples until 300").isCloseTo(302 + 72_000 / 100.0, within(1e-6));
    }

    private static JobSpec twoSlots(@Nullable Double rescaleSeconds) {
        return job("a").slots(1, 2)
                .work(1e5)
                .profile(new ThroughputProfile(
                        List.of(
                                ProfilePoint.allReduce("A100", 1, 1, 64, 100),
                                ProfilePoint.allReduce("A100", 2, 1, 64, 200)),
                        List.of()))
                .restartPenalty(20)
                .spec()
                .edit()
                .changeCosts(new ChangeCosts(null, rescaleSeconds, null))
                .build();
    }

    /** One device, and a second one from second 300 on. */
    private static Allocation grown(RoundProblem problem) {
        Node node = problem.nodes().get(0);
        int slots = problem.now() < 300 ? 1 : 2;
        List<String> devices = new ArrayList<>(node.devices().subList(0, slots));
        Collections.reverse(devices);
        return new Allocation(
                configuration(List.of(slots)), List.of(new NodeShare(node.id(), devices)), List.of(), problem.now());
    }

    @Test
    void progressIsSavedAtTheSpeedOfItsTime() {
        JobRun run = new JobRun(
                new SpecGroundTruth(elastic().spec(), 0, 0),
                configuration(List.of(1)).withBatch(64, 0),
                0,
                0);

        run.change(configuration(List.of(1)).withBatch(128, 0), 100, 0, 10);

        assertThat(run.samplesDone(110)).as("stalled").isCloseTo(10_000, within(1e-6));
        assertThat(run.samplesDone(150)).isCloseTo(18_000, within(1e-6));
        assertThat(run.savedBy(150, 40)).as("saved at 120").isCloseTo(12_000, within(1e-6));
        assertThat(run.savedBy(105, 40)).as("saved at 80").isCloseTo(8_000, within(1e-6));
    }

    @Test
    void aRunContinuesAsBeforeUntilNewRanksHaveStarted() {
        JobRun run = new JobRun(
                new SpecGroundTruth(elastic().spec(), 0, 0),
                configuration(List.of(1)).withBatch(64, 0),
                0,
                0);
        double unchanged = run.end();

        run.change(configuration(List.of(1)).withBatch(128, 0), 100, 30, 10);

        assertThat(run.end()).isCloseTo(140 + (unchanged - 130) / 2, within(1e-6));
        assertThat(run.samplesDone(130)).isCloseTo(13_000, within(1e-6));
        assertThat(run.samplesDone(140)).as("stalled").isCloseTo(13_000, within(1e-6));
        assertThat(run.samplesDone(150)).isCloseTo(15_000, within(1e-6));
    }

    @Test
    void aRunThatEndsBeforeTheNewRanksHaveStartedEndsOnTime() {
        JobRun run = new JobRun(
                new SpecGroundTruth(elastic().spec(), 0, 0),
                configuration(List.of(1)).withBatch(64, 0),
                0,
                0);
        double unchanged = run.end();

        run.change(configuration(List.of(1)).withBatch(128, 0), unchanged - 10, 30, 10);

        assertThat(run.end()).isCloseTo(unchanged, within(1e-6));
    }
}
