package dev.spur.benchmarks.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.benchmarks.models.StepMeasurements;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.report.Summary;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ServerWorkloadTest {
    private static final ServerWorkload WORKLOAD = ServerWorkload.ofMeasuredBatches(12, 60, 600, 6000);
    /** Batch size that 1 to 4 workers can share equally. */
    private static final double BATCH = 60;

    private static final ClusterFile CLUSTER = new ClusterFile(
            List.of(new NodeKind(ServerWorkload.TYPE, 4, 2, null, null, null, 1.0, null, null, null, null)));

    /** Additional workers help only with the same number of servers; with fewer servers they slow the job down. */
    private static StepMeasurements model() {
        List<StepObservation> steps = new ArrayList<>();
        for (int workers = 1; workers <= 4; workers++) {
            for (int servers = 1; servers <= 4; servers++) {
                double seconds = 1.0 / workers + 0.5 * Math.max(0, workers - servers);
                steps.add(StepObservation.of(new StepShape(workers, 1, BATCH / workers, 0, servers), seconds));
            }
        }
        return new StepMeasurements(StepMeasurements.Source.PARAMETER_SERVER, "net", "GPU", steps);
    }

    private static Replay replay(ServerWorkload workload, Policy policy, long seed) {
        RoundSettings planning = RoundSettings.DEFAULT.withEffort(0.001, new SolveBudget(0.1, 600, 1, 1));
        ReplaySettings settings = ReplaySettings.DEFAULT.withPlanning(planning).withRounds(60, null);
        return Replayer.replay(
                workload.trace(List.of(model()), seed), CLUSTER, policy, settings, ProgressListener.NONE);
    }

    @Test
    void isTheSameForASeedAndKeepsLengths() {
        Trace trace = WORKLOAD.trace(List.of(model()), 7);

        assertThat(trace.fingerprint())
                .isEqualTo(WORKLOAD.trace(List.of(model()), 7).fingerprint())
                .isNotEqualTo(WORKLOAD.trace(List.of(model()), 8).fingerprint());
        assertThat(trace.jobs())
                .hasSize(12)
                .extracting(TraceJob::aloneSeconds)
                .allSatisfy(seconds -> assertThat(seconds).isBetween(600.0, 6000.0));
    }

    /** With several batch sizes the policy decides on all three, and each restriction costs time. */
    @Test
    void whoMayChooseTheBatchSizeIsSooner() {
        ServerWorkload workload = new ServerWorkload(12, 60, 600, 6000, List.of(1.0, 2.0, 4.0), 1);

        Replay joint = replay(workload, Policies.spur(), 1);
        Replay initial = replay(workload, new InitialBatchPolicy(Policies.spur()), 1);
        Replay separate = replay(workload, new SequentialPolicy(Policies.spur()), 1);

        assertThat(batches(joint)).contains(60).hasSizeGreaterThan(1);
        assertThat(batches(separate)).hasSizeGreaterThan(1);
        assertThat(batches(initial)).containsExactly(60);
        assertThat(separate.validated()).isEqualTo(separate.rounds().size()).isPositive();
        assertThat(meanJct(joint)).isLessThan(meanJct(initial)).isLessThan(meanJct(separate));
    }

    private static Set<Integer> batches(Replay replay) {
        return replay.allocationIntervals().stream()
                .map(stay -> stay.allocation().configuration().batchSize())
                .collect(Collectors.toSet());
    }

    private static double meanJct(Replay replay) {
        return Summary.of(replay).meanJctSeconds();
    }

    /** One trace alone can favor either policy, so the test compares the means over four of them. */
    @Test
    void decidingOneAfterTheOtherPassesTheJudgeAndIsNoBetter() {
        double joint = 0;
        double separate = 0;
        for (long seed = 1; seed <= 4; seed++) {
            joint += meanJct(replay(WORKLOAD, Policies.spur(), seed));
            Replay replay = replay(WORKLOAD, new SequentialPolicy(Policies.spur()), seed);
            assertThat(replay.validated()).isEqualTo(replay.rounds().size()).isPositive();
            separate += meanJct(replay);
        }

        assertThat(separate).isGreaterThan(1.05 * joint);
    }
}
