package dev.spur.simulator.replay;

import static dev.spur.model.JobFixture.configuration;
import static dev.spur.model.JobFixture.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.synthetic.ArrivalProcess;
import dev.spur.simulator.trace.synthetic.DurationDistribution;
import dev.spur.simulator.trace.synthetic.JobStyle;
import dev.spur.simulator.trace.synthetic.SlotDistribution;
import dev.spur.simulator.trace.synthetic.SyntheticSettings;
import dev.spur.simulator.trace.synthetic.SyntheticTrace;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Jobs are as fast as what they are granted of their hosts makes them. */
class GrantedHostsTest {
    private static final HostGrant TWICE = new HostGrant(6, 8);
    private static final HostGrant HALF = new HostGrant(1, 8);

    /** 1,000 s of work with what it states, 20 s to start. */
    private static JobSpec spec() {
        return job("a").speeds(1)
                .work(1000)
                .host(3, 8)
                .levels(new HostLevel(1, 8, 0.5), new HostLevel(3, 8, 1), new HostLevel(6, 8, 2))
                .spec();
    }

    /** What is granted from when on. */
    private static JobOutcome replayed(DoubleFunction<@Nullable HostGrant> granted) {
        TraceJob job = new TraceJob(
                "a", 0, "root", null, 1, 1000, new SpecGroundTruth(spec(), 20, 20), PolicyViewModel.complete(spec()));
        Policy policy = new Policy() {
            @Override
            public String name() {
                return "granting";
            }

            @Override
            public Decision decide(RoundProblem problem) {
                return Decision.of(
                        problem,
                        problem.jobs().isEmpty() ? Map.of() : Map.of("a", given(problem, granted.apply(problem.now()))),
                        RoundMemory.EMPTY);
            }
        };
        ReplaySettings settings = ReplaySettings.DEFAULT.withRounds(100, null);
        return Replayer.replay(Traces.trace(job), Traces.cluster(1, 1), policy, settings, ProgressListener.NONE)
                .jobs()
                .get(0);
    }

    private static Allocation given(RoundProblem problem, @Nullable HostGrant granted) {
        Node node = problem.nodes().get(0);
        Configuration alone = configuration(List.of(1)).withHost(granted);
        return new Allocation(alone, List.of(new NodeShare(node.id(), node.devices())), List.of(), problem.now());
    }

    @Nested
    class Speed {
        @Test
        void isThatOfWhatIsStatedWithoutAGrant() {
            assertThat(replayed(now -> null).end()).isCloseTo(1020, within(1e-6));
        }

        @Test
        void isTwiceAsFastWhereTwiceTheSpeedIsGranted() {
            assertThat(replayed(now -> TWICE).end()).isCloseTo(520, within(1e-6));
        }

        @Test
        void changesWithTheGrantWithoutARestart() {
            JobOutcome later = replayed(now -> now < 300 ? null : TWICE);
            JobOutcome back = replayed(now -> now < 300 ? TWICE : HALF);

            assertThat(later.end()).as("280 until 300").isCloseTo(300 + 720 / 2.0, within(1e-6));
            assertThat(back.end()).as("560 until 300").isCloseTo(300 + 440 / 0.5, within(1e-6));
            assertThat(later.restarts()).isZero();
            assertThat(back.restarts()).isZero();
        }

        @Test
        void thatWasSavedIsCountedAtTheSpeedOfItsTime() {
            JobRun run = new JobRun(new SpecGroundTruth(spec(), 0, 0), configuration(List.of(1)), 0, 0);

            assertThat(run.grant(TWICE, 100)).isTrue();
            assertThat(run.grant(TWICE, 110)).isFalse();

            assertThat(run.samplesDone(150)).isEqualTo(200);
            assertThat(run.savedBy(150, 40)).as("saved at 120").isEqualTo(140);
            assertThat(run.savedBy(115, 40)).as("saved at 80").isEqualTo(80);
        }
    }

    @Nested
    class WhereNobodyIsSensitive {
        private final ClusterFile cluster =
                new ClusterFile(List.of(new NodeKind("V100", 2, 8, null, 24.0, 500.0, null, null, null, null, null)));

        private Trace trace(Double hungry) {
            SyntheticSettings settings = new SyntheticSettings(
                    60,
                    1.5,
                    ArrivalProcess.POISSON,
                    SlotDistribution.GAVEL,
                    DurationDistribution.TIRESIAS,
                    JobStyle.RIGID,
                    hungry);
            return SyntheticTrace.generate(settings, cluster.allNodes(), 1);
        }

        private List<JobOutcome> outcomes(String policy, Double hungry) {
            ReplaySettings settings = ReplaySettings.DEFAULT.withRounds(300, null);
            return Replayer.replay(
                            trace(hungry),
                            cluster,
                            PolicyRegistry.policy(policy).orElseThrow(),
                            settings,
                            ProgressListener.NONE)
                    .jobs();
        }

        @Test
        void allSharesGiveTheSameTimes() {
            for (String order : List.of("fifo", "srtf")) {
                List<JobOutcome> inProportion = outcomes("proportional-" + order, 0.0);

                assertThat(outcomes("synergy-tune-" + order, 0.0)).isEqualTo(inProportion);
                assertThat(outcomes("synergy-opt-" + order, 0.0)).isEqualTo(inProportion);
            }
        }

        @Test
        void andWhereHalfAreTheirTimesAreShorter() {
            double inProportion = meanEnd(outcomes("proportional-fifo", 0.5));

            assertThat(meanEnd(outcomes("synergy-tune-fifo", 0.5))).isLessThan(0.95 * inProportion);
            assertThat(meanEnd(outcomes("synergy-opt-fifo", 0.5))).isLessThan(0.95 * inProportion);
        }

        private static double meanEnd(List<JobOutcome> jobs) {
            return jobs.stream()
                    .mapToDouble(job -> job.end() - job.arrival())
                    .average()
                    .orElseThrow();
        }
    }
}
