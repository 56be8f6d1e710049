package dev.spur.simulator.trace.gavel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.model.NodeFixture;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ProgressRate;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DataFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class GavelTraceTest {
    private static final Path FOLDER = Path.of("src/test/resources/traces/gavel");

    @Nested
    class RigidJobs {

        @Test
        void runAtTheSpeedOfTheTable() throws IOException {
            TraceJob job = job(read(GavelTrace.gavel(), "made-up.trace"), "job-1");

            // 1000 steps of 20 samples; 10 steps a second on V100, 2 on K80.
            assertThat(job.truth().progressRate(on("V100", 1), 0)).isEqualTo(new ProgressRate(200, 20_000, true));
            assertThat(job.truth().progressRate(on("K80", 1), 0).samplesPerSecond())
                    .isEqualTo(40);
            assertThat(job.aloneSeconds()).isEqualTo(100);
            assertThat(spec(job, 0).weight()).isEqualTo(2);
            assertThat(job.viewModel().after(RunHistory.NONE).remainingSamples())
                    .isEqualTo(20_000);
        }

        @Test
        void doNotRunWhereTheTableSaysZero() throws IOException {
            TraceJob job = job(read(GavelTrace.gavel(), "made-up.trace"), "job-2");

            assertThat(spec(job, 0).profile().acceleratorTypes()).containsExactly("V100");
            assertThat(job.truth().progressRate(on("K80", 2), 0).samplesPerSecond())
                    .isZero();
        }

        @Test
        void haveADeadlineWhereTheirObjectiveIsAMultipleOfTheirLength() throws IOException {
            Trace trace = read(GavelTrace.gavel(), "made-up.trace");

            assertThat(job(trace, "job-2").deadline()).isEqualTo(1.5 * 200, within(1e-9));
            assertThat(job(trace, "job-1").deadline()).isNull();
        }

        @Test
        void withoutABatchSizeInTheirNameCountSteps() throws IOException {
            TraceJob job = job(read(GavelTrace.gavel(), "made-up.trace"), "job-6");

            assertThat(job.truth().progressRate(on("V100", 1), 0)).isEqualTo(new ProgressRate(1, 50, true));
        }

        @Test
        void thatCannotBeReplayedAreCounted() throws IOException {
            assertThat(read(GavelTrace.gavel(), "made-up.trace").skipped())
                    .isEqualTo(Map.of(
                            "no steps to do", 1,
                            "no accelerator asked for", 1,
                            "no speed on any type of the cluster", 1));
        }
    }

    @Nested
    class JobsThatChangeTheirBatchSize {

        @Test
        void runFasterFromTheEpochOfTheChangeOn() throws IOException {
            TraceJob job = job(read(GavelTrace.shockwave(), "made-up-shockwave.trace"), "job-1");

            // 20 epochs of 5968 steps: batch 10, from epoch 11 on batch 20.
            assertThat(job.truth().progressRate(on("V100", 1), 0)).isEqualTo(new ProgressRate(160, 11 * 59_675, false));
            assertThat(job.truth().progressRate(on("V100", 1), 11 * 59_675))
                    .isEqualTo(new ProgressRate(200, 1_193_600, true));
            assertThat(job.aloneSeconds())
                    .isEqualTo(11 * 59_675 / 160.0 + (1_193_600 - 11 * 59_675) / 200.0, within(1e-6));
        }

        @Test
        void tellThePresentSpeedAndWhatIsLeft() throws IOException {
            TraceJob job = job(read(GavelTrace.shockwave(), "made-up-shockwave.trace"), "job-1");

            assertThat(spec(job, 0).batch().initial()).isEqualTo(10);
            assertThat(spec(job, 700_000).batch().initial()).isEqualTo(20);
            assertThat(job.viewModel()
                            .after(new RunHistory(1_000_000, List.of()))
                            .remainingSamples())
                    .isEqualTo(193_600);
            assertThat(job.truth().tunesBatch()).isTrue();
        }

        @Test
        void loseTwentySecondsWithEachStart() throws IOException {
            TraceJob shockwave = job(read(GavelTrace.shockwave(), "made-up-shockwave.trace"), "job-1");
            TraceJob gavel = job(read(GavelTrace.gavel(), "made-up.trace"), "job-1");

            assertThat(shockwave.truth().startSeconds(true)).isEqualTo(20);
            assertThat(shockwave.truth().startSeconds(false)).isEqualTo(20);
            assertThat(spec(shockwave, 0).restartPenaltySeconds()).isEqualTo(20);
            assertThat(gavel.truth().startSeconds(false)).isZero();
        }

        @Test
        void keepItIfTheyAreStatic() throws IOException {
            TraceJob job = job(read(GavelTrace.shockwave(), "made-up-shockwave.trace"), "job-2");

            assertThat(job.truth().progressRate(on("V100", 1), 0)).isEqualTo(new ProgressRate(160, 1_193_600, true));
            assertThat(job.truth().tunesBatch()).isFalse();
        }
    }

    @Nested
    class Schedules {

        @Test
        void byNoiseGrowUpToTheLargestBatchOfTheModel() {
            assertThat(BatchSchedule.of("gns", JobType.of("LM (batch size 10)"), 1, 100))
                    .containsExactly(new Regime(0, 10), new Regime(11, 20), new Regime(21, 40), new Regime(41, 80));
            assertThat(BatchSchedule.of("gns", JobType.of("ResNet-50 (batch size 64)"), 1, 200))
                    .containsExactly(new Regime(0, 64), new Regime(101, 128));
            assertThat(BatchSchedule.of("gns", JobType.of("Transformer (batch size 64)"), 1, 100))
                    .containsExactly(new Regime(0, 64));
        }

        @Test
        void ofAccordionTakeTheLargestBatchOutsideCriticalEpochs() {
            assertThat(BatchSchedule.of("accordion", JobType.of("LM (batch size 20)"), 1, 60))
                    .containsExactly(new Regime(0, 20), new Regime(19, 80));
            assertThat(BatchSchedule.of("accordion", JobType.of("ResNet-50 (batch size 64)"), 1, 70))
                    .containsExactly(
                            new Regime(0, 64),
                            new Regime(22, 128),
                            new Regime(30, 64),
                            new Regime(40, 128),
                            new Regime(60, 64));
            assertThat(BatchSchedule.of("accordion", JobType.of("CycleGAN"), 1, 70))
                    .containsExactly(new Regime(0, 1));
        }
    }

    @Nested
    class Published {

        @Test
        void tracesAreReadWhole() throws IOException {
            assertThat(published(GavelTrace.gavel(), "gavel/max_min_fairness.trace")
                            .jobs())
                    .hasSize(96);
            assertThat(published(GavelTrace.gavel(), "gavel/minimize_makespan.trace")
                            .jobs())
                    .hasSize(100);
            assertThat(published(GavelTrace.gavel(), "gavel/artifact_evaluation.trace")
                            .jobs())
                    .hasSize(15);
            assertThat(published(GavelTrace.shockwave(), "shockwave/120_jobs.trace")
                            .jobs())
                    .hasSize(120);
        }

        @Test
        void durationsOfShockwaveAreMet() throws IOException {
            Trace trace = published(GavelTrace.shockwave(), "shockwave/120_jobs.trace");

            // The fourth job is a Transformer, which keeps its batch size: 2,815 s by the trace.
            assertThat(job(trace, "job-4").aloneSeconds()).isBetween(2_500.0, 3_100.0);
        }

        private Trace published(TraceReader reader, String file) throws IOException {
            assumeTrue(DataFolder.find().isPresent(), "SPUR_DATA does not name the folder of published traces");
            Path path = DataFolder.find().orElseThrow().resolve("traces").resolve(file);
            return reader.read(path, new ReadOptions(nodes(), InformationLevel.ORACLE, null, 1));
        }
    }

    private static TraceJob job(Trace trace, String id) {
        return trace.jobs().stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static JobSpec spec(TraceJob job, double done) {
        return job.viewModel().after(new RunHistory(done, List.of())).spec();
    }

    private static Configuration on(String type, int slots) {
        return new Configuration("main", type, List.of(slots), SyncStrategy.ALL_REDUCE, 0, 1000, 0);
    }

    private static List<Node> nodes() {
        return List.of(
                NodeFixture.node("a", 8).type("V100").build(),
                NodeFixture.node("b", 8).type("K80").build());
    }

    private static Trace read(TraceReader reader, String file) throws IOException {
        ReadOptions options = new ReadOptions(nodes(), InformationLevel.ORACLE, FOLDER.resolve("throughputs.json"), 1);
        return reader.read(FOLDER.resolve(file), options);
    }
}
