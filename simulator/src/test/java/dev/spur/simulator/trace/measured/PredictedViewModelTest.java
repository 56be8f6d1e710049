package dev.spur.simulator.trace.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.TraceReader;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Speeds of the made-up model are in its files: 2 s for 10 samples on a T4, 2.2 s on each of two, and a fifth more as
 * Sia has it.
 */
class PredictedViewModelTest {
    private static final List<Configuration> NOTHING = List.of();
    private final List<Node> nodes =
            Stream.concat(Toy.T4.stream(), Stream.of(Toy.A100)).toList();
    private final TraceJob job = jobs("sia").get(0);

    PredictedViewModelTest() throws IOException {}

    private List<TraceJob> jobs(String format) throws IOException {
        TraceReader reader = MeasuredWorkload.all().stream()
                .filter(one -> one.format().equals(format))
                .findFirst()
                .orElseThrow();
        return reader.read(
                        Toy.FOLDER.resolve("workload.csv"), new ReadOptions(nodes, InformationLevel.PREDICTED, null, 1))
                .jobs();
    }

    private JobSpec spec(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {
        return job.viewModel()
                .after(new RunHistory(1, pastConfigurations, familyConfigurations))
                .spec();
    }

    private static double speed(JobSpec spec, String type, int slots, int nodes, int batch) {
        return spec.profile().throughput(type, SyncStrategy.ALL_REDUCE, slots, nodes, 0, batch);
    }

    @Test
    void nothingButOneSlotIsKnownBeforeTheFirstRunOfTheFamily() {
        JobSpec spec = spec(NOTHING, NOTHING);

        assertThat(spec.elasticity().maxSlots()).isEqualTo(1);
        assertThat(speed(spec, "T4", 1, 1, 10)).isEqualTo(speed(spec, "A100", 1, 1, 10));
    }

    @Test
    void aJobKnowsWhatItHasSeen() {
        JobSpec spec = spec(List.of(Toy.on("T4", 20, 2)), NOTHING);

        assertThat(speed(spec, "T4", 2, 1, 20) * 1.2 * 2.2 / 20).isEqualTo(1, within(0.05));
    }

    @Test
    void aJobThatNeverRanKnowsWhatItsFamilyHasSeen() {
        JobSpec spec = spec(NOTHING, List.of(Toy.on("T4", 20, 2)));

        assertThat(speed(spec, "T4", 2, 1, 20) * 1.2 * 2.2 / 20).isEqualTo(1, within(0.1));
    }

    @Test
    void measurementsOfTheFamilyFillGapsOfAJob() {
        List<Configuration> pastConfigurations = List.of(Toy.on("T4", 10, 1));
        // Two nodes cost 0.6 s of synchronisation: 2.6 s for 10 samples on each.
        double alone = speed(spec(pastConfigurations, NOTHING), "T4", 2, 2, 20) * 1.2 * 2.6 / 20;
        double told = speed(spec(pastConfigurations, List.of(Toy.on("T4", 20, 1, 1))), "T4", 2, 2, 20) * 1.2 * 2.6 / 20;

        assertThat(told).isEqualTo(1, within(0.1));
        assertThat(Math.abs(alone - 1)).isGreaterThan(Math.abs(told - 1));
    }

    @Test
    void oneStepOnASingleSlotOfEveryTypeIsKnownOnceTheFamilyHasRun() {
        JobSpec spec = spec(List.of(Toy.on("T4", 10, 1)), NOTHING);

        // 20 samples in 1 s, twice.
        assertThat(speed(spec, "A100", 1, 1, 40) * 1.2 * 2 / 40).isEqualTo(1, within(0.05));
    }

    @Test
    void aJobMayGetTwiceTheSlotsThatItOrItsFamilyHasRunWith() {
        Configuration one = Toy.on("T4", 10, 1);

        assertThat(spec(List.of(one), NOTHING).elasticity().maxSlots()).isEqualTo(2);
        assertThat(spec(List.of(one), List.of(Toy.on("T4", 10, 2))).elasticity().maxSlots())
                .isEqualTo(4);
        assertThat(spec(List.of(one), List.of(Toy.on("T4", 40, 2, 2)))
                        .elasticity()
                        .maxSlots())
                .isEqualTo(4);
    }

    @Test
    void whatAJobHasSeenItselfDoesNotCountAgainAsSeenByItsFamily() {
        List<Configuration> pastConfigurations = List.of(Toy.on("T4", 10, 1));

        assertThat(spec(pastConfigurations, pastConfigurations)).isSameAs(spec(pastConfigurations, NOTHING));
    }

    @Test
    void aBatchOfNearlyTheSameSizeNeedsNoFit() {
        List<Configuration> pastConfigurations = List.of(Toy.on("T4", 8, 1));
        List<Configuration> more = List.of(Toy.on("T4", 8, 1), Toy.on("T4", 10, 1));

        assertThat(spec(more, NOTHING).profile())
                .isSameAs(spec(pastConfigurations, NOTHING).profile());
        assertThat(spec(List.of(Toy.on("T4", 8, 1), Toy.on("T4", 20, 1)), NOTHING)
                        .profile())
                .isNotSameAs(spec(pastConfigurations, NOTHING).profile());
    }

    @Test
    void itIsPlannedWithTheLargestBatchOfTheModelWhateverTheWorkloadStates() throws IOException {
        RunHistory ran = new RunHistory(1, List.of(Toy.on("T4", 10, 1)));

        assertThat(jobs("sia").get(1).viewModel().after(ran).spec().batch().max())
                .isEqualTo(40);
    }

    @Test
    void aJobTunesItsBatchByWhatItsFamilyHasSeen() {
        GroundTruth truth = job.truth();
        Configuration heldConfiguration = Toy.on("T4", 40, 1, 1);

        assertThat(truth.running(heldConfiguration, 1500).batchSize()).isEqualTo(10);
        assertThat(truth.after(NOTHING, List.of(Toy.on("T4", 10, 1, 1)))
                        .running(heldConfiguration, 1500)
                        .batchSize())
                .isGreaterThan(10);
    }
}
