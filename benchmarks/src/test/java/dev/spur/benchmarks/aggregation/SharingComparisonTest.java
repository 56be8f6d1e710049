package dev.spur.benchmarks.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.benchmarks.models.StepMeasurements;
import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.trace.GroundTruth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharingComparisonTest {
    private static final double BATCH = 60;
    private static final AggregationSettings SHARED = AggregationSettings.DEFAULT;
    private static final AggregationSettings DEDICATED = new AggregationSettings(false, 0.9, 0.1, 0.05, 5e8);

    /** Steps of 1 s on one worker, of 0.5 s on two. With 5e7 bytes a server is busy for 0.1 and 0.4 of its time. */
    private static SharingComparison comparison(double bytes) {
        List<StepObservation> steps = new ArrayList<>();
        for (int workers = 1; workers <= 2; workers++) {
            steps.add(StepObservation.of(new StepShape(workers, 1, BATCH / workers, 0, 1), 1.0 / workers));
        }
        StepMeasurements model =
                new StepMeasurements(StepMeasurements.Source.PARAMETER_SERVER, "small-net", "GPU", steps);
        RoundSettings planning = RoundSettings.DEFAULT.withEffort(0.001, new SolveBudget(0.1, 600, 1, 1));
        return new SharingComparison(
                List.of(model),
                Map.of("small-net", bytes),
                ServerWorkload.ofMeasuredBatches(8, 60, 1200, 2400),
                4,
                2,
                1,
                ReplaySettings.DEFAULT.withPlanning(planning).withRounds(60, null));
    }

    private static double rate(double bytes, AggregationSettings settings) {
        SharingComparison comparison = comparison(bytes);
        GroundTruth truth = comparison
                .withGradients(comparison.workload().trace(comparison.models(), 1), settings)
                .jobs()
                .get(0)
                .truth();
        Configuration configuration =
                new Configuration("main", "GPU", List.of(1), SyncStrategy.PARAMETER_SERVER, 1, (int) BATCH, 0);
        return truth.progressRate(configuration, 0).samplesPerSecond();
    }

    @Test
    void aJobStallsWhereItMayShare() {
        assertThat(rate(5e7, DEDICATED)).isEqualTo(BATCH);
        assertThat(rate(5e7, SHARED)).isEqualTo(BATCH / 1.05);
        assertThat(rate(5e8, SHARED)).isEqualTo(BATCH);
    }

    /** Two CPUs hold the servers of two jobs, or of all eight. */
    @Test
    void jobsThatShareAreSooner() {
        List<List<String>> rows = comparison(5e7).table(List.of(0.5)).rows();

        assertThat(rows)
                .extracting(row -> row.get(1))
                .containsExactly("dedicated", "shared", "dedicated-batches", "shared-batches");
        assertThat(Double.parseDouble(rows.get(1).get(4))).isLessThan(-10);
        assertThat(rows.get(0)).element(7).isEqualTo("0.0");
        assertThat(Double.parseDouble(rows.get(1).get(7))).isGreaterThan(90);
        assertThat(Double.parseDouble(rows.get(1).get(6))).isLessThanOrEqualTo(2);
    }

    @Test
    void busyServersShareNothing() {
        List<List<String>> rows = comparison(5e8).table(List.of(0.5)).rows();

        assertThat(rows.get(1).get(4)).isEqualTo("+0.0");
        assertThat(rows.get(1)).element(7).isEqualTo("0.0");
    }
}
