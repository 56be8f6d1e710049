package dev.spur.simulator.trace.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.NodeFixture;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ProgressRate;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** All values are computed by hand from the files of the made-up model. */
class MeasuredWorkloadTest {
    @Test
    void rowsThatCannotBeReplayedAreCounted() throws IOException {
        Trace trace = read("sia", InformationLevel.ORACLE, Toy.T4);

        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("toy-0", "toy-1");
        assertThat(trace.jobs()).extracting(TraceJob::arrival).containsExactly(10.0, 70.5);
        assertThat(trace.skipped())
                .isEqualTo(Map.of("no measured model odd", 1, "no slots or no batch size", 1, "no name or no time", 1));
    }

    @Test
    void aClusterWithoutAMeasuredTypeRunsNothing() throws IOException {
        Node other = NodeFixture.node("x", 8).type("H100").build();

        assertThat(read("sia", InformationLevel.ORACLE, List.of(other)).skipped())
                .containsEntry("runs on no type of the cluster", 2);
    }

    @Test
    void aFolderOfModelsThatIsNotThereIsNamed() {
        ReadOptions nowhere = new ReadOptions(Toy.T4, InformationLevel.ORACLE, Path.of("no/such/folder"), 1);

        assertThatThrownBy(() -> reader("sia").read(Toy.FOLDER.resolve("workload.csv"), nowhere))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no folder no/such/folder");
    }

    @Nested
    class AdaptiveJobs {

        @Test
        void runAtTheBestBatchSizeOfEachEpoch() throws IOException {
            TraceJob job = first("pollux", InformationLevel.ORACLE, Toy.T4);

            // One pass of 10 samples takes 2 s, and any larger batch gains less than it costs.
            assertThat(job.truth().progressRate(Toy.on("T4", 40, 1), 0)).isEqualTo(new ProgressRate(5, 1000, false));
            // Two slots take 1.2 s for 5 samples each.
            assertThat(job.truth().progressRate(Toy.on("T4", 40, 2), 999).samplesPerSecond())
                    .isEqualTo(10 / 1.2, within(1e-9));
            assertThat(job.truth().tunesBatch()).isTrue();
        }

        @Test
        void areDoneAfterTheirLastEpoch() throws IOException {
            TraceJob job = first("pollux", InformationLevel.ORACLE, Toy.T4);

            assertThat(job.truth().progressRate(Toy.on("T4", 10, 1), 1000)).isEqualTo(new ProgressRate(5, 2000, true));
            assertThat(job.aloneSeconds()).isEqualTo(400, within(1e-9));
        }

        @Test
        void growTheirBatchWhereThatGainsMore() throws IOException {
            TraceJob job = first("pollux", InformationLevel.ORACLE, List.of(Toy.A100));

            // 20 samples in 1 s gain 1.8 iterations in the second epoch, but one slot needs two passes of 10: 0.5 s
            // each.
            double speed = job.truth().progressRate(Toy.on("A100", 10, 1), 1000).samplesPerSecond();
            assertThat(speed).isGreaterThanOrEqualTo(10 / 0.5);
        }

        @Test
        void standStillOnATypeThatWasNotMeasured() throws IOException {
            TraceJob job = first("pollux", InformationLevel.ORACLE, Toy.T4);

            assertThat(job.truth().progressRate(Toy.on("H100", 10, 1), 0).samplesPerSecond())
                    .isZero();
        }

        @Test
        void areSlowerThanMeasuredAndLongerToStartByTheConventionsOfSia() throws IOException {
            TraceJob job = first("sia", InformationLevel.ORACLE, Toy.T4);

            assertThat(job.truth().progressRate(Toy.on("T4", 10, 1), 0).samplesPerSecond())
                    .isEqualTo(5 / 1.2, within(1e-9));
            assertThat(job.truth().startSeconds(true)).isEqualTo(30);
            assertThat(SimulatorConventions.SIA.startSeconds("imagenet")).isEqualTo(250);
            assertThat(SimulatorConventions.SIA.assumedStartSeconds("yolov3")).isEqualTo(45);
            assertThat(SimulatorConventions.SIA.slowdown("cifar10")).isEqualTo(1.8);
        }
    }

    @Nested
    class AnOracle {

        @Test
        void knowsTheSpeedOfMeasuredShapes() throws IOException {
            JobSpec spec = spec(first("pollux", InformationLevel.ORACLE, Toy.T4), RunHistory.NONE);

            assertThat(speed(spec, "T4", 1, 1, 10)).isEqualTo(5, within(1e-9));
            assertThat(speed(spec, "T4", 2, 1, 10)).isEqualTo(10 / 1.2, within(1e-9));
            assertThat(speed(spec, "T4", 2, 2, 10)).isEqualTo(10 / 1.6, within(1e-9));
            // Four passes of 10 samples on one slot, 2 s each.
            assertThat(speed(spec, "T4", 1, 1, 40)).isEqualTo(5, within(1e-9));
        }

        @Test
        void knowsTheEfficiencyOfEachEpoch() throws IOException {
            TraceJob job = first("pollux", InformationLevel.ORACLE, Toy.T4);

            assertThat(spec(job, RunHistory.NONE).efficiency().at(40, 10)).isEqualTo(8 / 3.5 / 4, within(1e-9));
            assertThat(spec(job, done(1000)).efficiency().at(40, 10)).isEqualTo(3.0 / 4, within(1e-9));
        }

        @Test
        void knowsWhatIsLeft() throws IOException {
            TraceJob job = first("pollux", InformationLevel.ORACLE, Toy.T4);

            assertThat(job.viewModel().after(done(300)).remainingSamples()).isEqualTo(1700);
            assertThat(job.viewModel().after(done(2100)).remainingSamples()).isZero();
        }

        @Test
        void returnsTheSameObjectThroughoutAnEpoch() throws IOException {
            TraceJob job = first("pollux", InformationLevel.ORACLE, Toy.T4);

            assertThat(spec(job, done(10))).isSameAs(spec(job, done(999)));
            assertThat(spec(job, done(10))).isNotSameAs(spec(job, done(1000)));
        }

        @Test
        void allowsAsManySlotsAsTheLargestBatchKeepsBusy() throws IOException {
            // 40 samples in passes of at least 5, but the cluster has 4.
            assertThat(spec(first("sia", InformationLevel.ORACLE, Toy.T4), RunHistory.NONE)
                            .elasticity()
                            .maxSlots())
                    .isEqualTo(4);
        }
    }

    @Nested
    class ABootstrap {
        private final List<Node> both = new ArrayList<>(Toy.T4);

        ABootstrap() {
            both.add(Toy.A100);
        }

        @Test
        void runsAtTheInitialBatchSizeOnATypeThatItDoesNotKnow() throws IOException {
            GroundTruth truth = first("sia", InformationLevel.BOOTSTRAP, both).truth();

            assertThat(truth.running(Toy.on("T4", 40, 2), 0).batchSize()).isEqualTo(10);
        }

        @Test
        void tunesByItsFittedModelAndIsAsFastAsWasMeasured() throws IOException {
            Configuration pastConfiguration = Toy.on("T4", 10, 2);
            GroundTruth learnedTruth =
                    first("sia", InformationLevel.BOOTSTRAP, both).truth().after(List.of(pastConfiguration), List.of());
            GroundTruth oracle = first("sia", InformationLevel.ORACLE, both).truth();

            // By one observation half of a pass is constant, so that twice the batch seems to take half as long again.
            assertThat(learnedTruth.running(pastConfiguration, 0).batchSize()).isGreaterThan(10);
            assertThat(learnedTruth.progressRate(pastConfiguration, 0).samplesPerSecond())
                    .isLessThan(oracle.progressRate(pastConfiguration, 0).samplesPerSecond());
            assertThat(learnedTruth.running(Toy.on("A100", 40, 1), 0).batchSize())
                    .isEqualTo(10);
        }

        @Test
        void knowsNothingButOneSlotBeforeTheFirstRun() throws IOException {
            JobSpec spec = spec(first("sia", InformationLevel.BOOTSTRAP, both), RunHistory.NONE);

            assertThat(spec.elasticity().maxSlots()).isEqualTo(1);
            assertThat(speed(spec, "T4", 1, 1, 10)).isEqualTo(speed(spec, "A100", 1, 1, 10));
        }

        @Test
        void mayDoubleTheSlotsItHasRunWith() throws IOException {
            TraceJob job = first("sia", InformationLevel.BOOTSTRAP, both);

            assertThat(spec(job, ran(Toy.on("T4", 10, 1))).elasticity().maxSlots())
                    .isEqualTo(2);
            assertThat(spec(job, ran(Toy.on("T4", 10, 1), Toy.on("T4", 10, 2)))
                            .elasticity()
                            .maxSlots())
                    .isEqualTo(4);
            assertThat(spec(job, ran(Toy.on("T4", 20, 2, 1))).elasticity().maxSlots())
                    .isEqualTo(4);
        }

        @Test
        void takesSynchronisationForFreeUntilItHasSeenSome() throws IOException {
            JobSpec spec = spec(first("sia", InformationLevel.BOOTSTRAP, both), ran(Toy.on("T4", 10, 1)));

            // One pass of 10 samples took 2 s: by the prior 1 s whatever the batch, and 0.1 s for each sample.
            assertThat(speed(spec, "T4", 1, 1, 10)).isEqualTo(10 / 2.0 / 1.2, within(1e-4));
            assertThat(speed(spec, "T4", 2, 1, 10)).isEqualTo(10 / 1.5 / 1.2, within(1e-4));
            assertThat(speed(spec, "T4", 2, 2, 10)).isEqualTo(10 / 1.5 / 1.2, within(1e-4));
        }

        @Test
        void takesATypeItHasNotRunOnForAsMuchFasterAsItsSingleSlot() throws IOException {
            JobSpec spec = spec(first("sia", InformationLevel.BOOTSTRAP, both), ran(Toy.on("T4", 10, 1)));

            // 20 samples in 1 s against 10 samples in 2 s.
            assertThat(speed(spec, "A100", 1, 1, 10)).isEqualTo(4 * speed(spec, "T4", 1, 1, 10), within(1e-9));
        }

        @Test
        void learnsTheSynchronisationThatItSees() throws IOException {
            TraceJob job = first("pollux", InformationLevel.BOOTSTRAP, Toy.T4);
            JobSpec spec = spec(job, ran(Toy.on("T4", 10, 1), Toy.on("T4", 20, 1, 1), Toy.on("T4", 10, 1, 1)));

            assertThat(speed(spec, "T4", 2, 2, 20)).isEqualTo(20 / 2.6, within(0.1));
        }

        @Test
        void knowsTheNoiseOfTheEpochItIsIn() throws IOException {
            TraceJob job = first("sia", InformationLevel.BOOTSTRAP, both);

            assertThat(spec(job, new RunHistory(0, List.of(Toy.on("T4", 10, 1))))
                            .efficiency()
                            .noiseScale())
                    .isEqualTo(30, within(1e-9));
            assertThat(spec(job, new RunHistory(1500, List.of(Toy.on("T4", 10, 1))))
                            .efficiency()
                            .noiseScale())
                    .isEqualTo(80, within(1e-9));
            assertThat(spec(job, new RunHistory(0, List.of(Toy.on("T4", 40, 2, 2))))
                            .efficiency()
                            .noiseScale())
                    .isEqualTo(30, within(1e-9));
        }

        @Test
        void plansWithTheStatedBatchSizeAtMostByTheConventionsOfSia() throws IOException {
            RunHistory ran = ran(Toy.on("T4", 10, 1));

            assertThat(spec(second("sia", InformationLevel.BOOTSTRAP), ran)
                            .batch()
                            .max())
                    .isEqualTo(20);
            assertThat(spec(second("pollux", InformationLevel.BOOTSTRAP), ran)
                            .batch()
                            .max())
                    .isEqualTo(40);
            assertThat(spec(second("sia", InformationLevel.ORACLE), ran).batch().max())
                    .isEqualTo(40);
        }

        @Test
        void returnsTheSameObjectUntilANewMeasurement() throws IOException {
            TraceJob job = first("sia", InformationLevel.BOOTSTRAP, both);

            assertThat(spec(job, new RunHistory(5, List.of(Toy.on("T4", 10, 1)))))
                    .isSameAs(spec(job, new RunHistory(7, List.of(Toy.on("T4", 10, 1)))));
        }
    }

    @Nested
    class StatedBatchSizes {

        @Test
        void countSamplesAtThatBatchSize() throws IOException {
            TraceJob job = second("pollux-rigid");

            // An iteration at 20 gains 1.6 and then 1.8 of those at 10.
            double work = 20 * (100 / 1.6 + 100 / 1.8);
            assertThat(job.truth().progressRate(Toy.on("T4", 20, 2), 0).untilSamples())
                    .isEqualTo(work, within(1e-9));
            assertThat(job.truth().progressRate(Toy.on("T4", 20, 2), 0).samplesPerSecond())
                    .isEqualTo(20 / 2.2, within(1e-9));
            assertThat(job.aloneSeconds()).isEqualTo(work * 2.2 / 20, within(1e-9));
            assertThat(job.viewModel().after(RunHistory.NONE).remainingSamples())
                    .isEqualTo(work, within(1e-9));
        }

        @Test
        void leaveTheSlotsToThePolicyOrNot() throws IOException {
            JobSpec rigid = spec(second("pollux-rigid"), RunHistory.NONE);
            JobSpec free = spec(second("pollux-fixed-batch"), RunHistory.NONE);

            assertThat(rigid.elasticity().minSlots()).isEqualTo(2);
            assertThat(rigid.elasticity().maxSlots()).isEqualTo(2);
            assertThat(free.elasticity().minSlots()).isEqualTo(1);
            assertThat(free.elasticity().maxSlots()).isEqualTo(4);
            assertThat(speed(free, "T4", 2, 2, 20)).isEqualTo(20 / 2.6, within(1e-9));
        }

        @Test
        void areSplitIntoPassesWhereASlotCannotHoldThem() throws IOException {
            // 20 samples on one slot: two passes of 10, 2 s each.
            assertThat(second("pollux-fixed-batch")
                            .truth()
                            .progressRate(Toy.on("T4", 20, 1), 0)
                            .samplesPerSecond())
                    .isEqualTo(5, within(1e-9));
        }
    }

    private static TraceJob first(String format, InformationLevel informationLevel, List<Node> nodes)
            throws IOException {
        return read(format, informationLevel, nodes).jobs().get(0);
    }

    private static TraceJob second(String format) throws IOException {
        return second(format, InformationLevel.ORACLE);
    }

    private static TraceJob second(String format, InformationLevel informationLevel) throws IOException {
        return read(format, informationLevel, Toy.T4).jobs().get(1);
    }

    private static Trace read(String format, InformationLevel informationLevel, List<Node> nodes) throws IOException {
        return reader(format)
                .read(Toy.FOLDER.resolve("workload.csv"), new ReadOptions(nodes, informationLevel, null, 1));
    }

    private static TraceReader reader(String format) {
        return MeasuredWorkload.all().stream()
                .filter(reader -> reader.format().equals(format))
                .findFirst()
                .orElseThrow();
    }

    private static JobSpec spec(TraceJob job, RunHistory history) {
        return job.viewModel().after(history).spec();
    }

    private static RunHistory done(double samples) {
        return new RunHistory(samples, List.of());
    }

    private static RunHistory ran(Configuration... configurations) {
        return new RunHistory(1, List.of(configurations));
    }

    private static double speed(JobSpec spec, String type, int slots, int nodes, int batch) {
        return spec.profile().throughput(type, SyncStrategy.ALL_REDUCE, slots, nodes, 0, batch);
    }
}
