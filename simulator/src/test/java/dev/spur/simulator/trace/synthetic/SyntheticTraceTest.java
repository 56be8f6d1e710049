package dev.spur.simulator.trace.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.NodeFixture;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.Shapes;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.utility.Goodput;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SyntheticTraceTest {
    private static final SyntheticSettings SETTINGS = new SyntheticSettings(
            400, 1, ArrivalProcess.POISSON, SlotDistribution.GAVEL, DurationDistribution.HELIOS, JobStyle.RIGID);
    private static final List<Node> NODES = IntStream.range(0, 4)
            .mapToObj(i -> NodeFixture.node("n" + i, 4).type("V100").build())
            .toList();

    @Test
    void theSameSeedGivesTheSameTrace() {
        assertThat(arrivals(SyntheticTrace.generate(SETTINGS, NODES, 7)))
                .isEqualTo(arrivals(SyntheticTrace.generate(SETTINGS, NODES, 7)))
                .isNotEqualTo(arrivals(SyntheticTrace.generate(SETTINGS, NODES, 8)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void theLoadIsWhatArrivesOverWhatTheClusterCanDo(double load) {
        Trace trace = SyntheticTrace.generate(SETTINGS.withLoad(load), NODES, 3);

        double slotSeconds = trace.jobs().stream()
                .mapToDouble(job -> job.requestedSlots() * job.aloneSeconds())
                .sum();
        double last = trace.jobs().get(399).arrival();
        // The gap after the last job is not observable; it is one of 400.
        assertThat(slotSeconds / (16 * last)).isEqualTo(load, within(0.03 * load));
    }

    @Test
    void anotherLoadBringsTheSameJobsAtOtherDistances() {
        Trace low = SyntheticTrace.generate(SETTINGS.withLoad(0.5), NODES, 3);
        Trace high = SyntheticTrace.generate(SETTINGS.withLoad(2), NODES, 3);

        assertThat(high.jobs().get(200).aloneSeconds())
                .isEqualTo(low.jobs().get(200).aloneSeconds());
        assertThat(high.jobs().get(200).arrival()).isEqualTo(low.jobs().get(200).arrival() / 4, within(1e-6));
    }

    @Test
    void noJobAsksForMoreThanTheClusterHas() {
        Trace trace = SyntheticTrace.generate(SETTINGS, List.of(NODES.get(0)), 3);

        assertThat(trace.jobs())
                .extracting(TraceJob::requestedSlots)
                .contains(4)
                .doesNotContain(8);
    }

    @Test
    void aClusterWithoutSlotsIsRefused() {
        assertThatThrownBy(() -> SyntheticTrace.generate(SETTINGS, List.of(), 3))
                .hasMessageContaining("requires a cluster with slots");
    }

    @Nested
    class Distributions {

        @Test
        void poissonGapsVaryAsMuchAsTheirMeanAndBurstsFourTimes() {
            assertThat(variation(ArrivalProcess.POISSON)).isEqualTo(1, within(0.03));
            assertThat(variation(ArrivalProcess.BURSTY)).isEqualTo(4, within(0.15));
        }

        @ParameterizedTest
        @EnumSource(ArrivalProcess.class)
        void gapsHaveMeanOne(ArrivalProcess arrivals) {
            assertThat(mean(gaps(arrivals))).isEqualTo(1, within(0.02));
        }

        @Test
        void sizesOfGavelAreThoseOfItsPaper() {
            SplittableRandom random = new SplittableRandom(5);
            int[] sizes = IntStream.range(0, 100_000)
                    .map(i -> SlotDistribution.GAVEL.draw(random))
                    .toArray();

            assertThat(part(sizes, 1)).isEqualTo(0.70, within(0.01));
            assertThat(part(sizes, 2)).isEqualTo(0.10, within(0.01));
            assertThat(part(sizes, 4)).isEqualTo(0.15, within(0.01));
            assertThat(part(sizes, 8)).isEqualTo(0.05, within(0.01));
        }

        @Test
        void lengthsOfHeliosHaveItsMedianAndMean() {
            double[] seconds = lengths(DurationDistribution.HELIOS, 1, 1_000_000);

            Arrays.sort(seconds);
            assertThat(seconds[500_000]).isEqualTo(206, within(5.0));
            assertThat(mean(seconds)).isEqualTo(6_652, within(700.0));
        }

        @Test
        void lengthsOfGavelAreLongInOneOfFive() {
            double[] seconds = lengths(DurationDistribution.GAVEL, 1, 100_000);

            assertThat(DoubleStream.of(seconds)).allMatch(s -> s >= 60 * Math.pow(10, 1.5) && s <= 600_000);
            assertThat(DoubleStream.of(seconds).filter(s -> s > 60_000).count() / 1e5)
                    .isEqualTo(0.2, within(0.01));
        }

        @Test
        void lengthsOfPolluxAreShorterOnMoreSlots() {
            double[] seconds = lengths(DurationDistribution.POLLUX, 4, 100_000);

            assertThat(DoubleStream.of(seconds).filter(s -> s * 4 < 3600).count() / 1e5)
                    .isEqualTo(0.72, within(0.01));
            assertThat(DoubleStream.of(seconds).filter(s -> s * 4 > 360_000).count() / 1e5)
                    .isEqualTo(0.02, within(0.005));
        }

        private double variation(ArrivalProcess arrivals) {
            double[] gaps = gaps(arrivals);
            double mean = mean(gaps);
            return Math.sqrt(DoubleStream.of(gaps)
                            .map(gap -> (gap - mean) * (gap - mean))
                            .average()
                            .orElseThrow())
                    / mean;
        }

        private double[] gaps(ArrivalProcess arrivals) {
            SplittableRandom random = new SplittableRandom(5);
            return DoubleStream.generate(() -> arrivals.gap(random))
                    .limit(200_000)
                    .toArray();
        }

        private double[] lengths(DurationDistribution duration, int slots, int count) {
            SplittableRandom random = new SplittableRandom(5);
            return DoubleStream.generate(() -> duration.seconds(slots, random))
                    .limit(count)
                    .toArray();
        }

        private double mean(double[] values) {
            return DoubleStream.of(values).average().orElseThrow();
        }

        private double part(int[] values, int desired) {
            return IntStream.of(values).filter(value -> value == desired).count() / (double) values.length;
        }
    }

    @Nested
    class ElasticJobs {
        private final Trace trace = SyntheticTrace.generate(
                new SyntheticSettings(
                        60,
                        1,
                        ArrivalProcess.BURSTY,
                        SlotDistribution.GAVEL,
                        DurationDistribution.HELIOS,
                        JobStyle.ELASTIC),
                NODES,
                3);

        @Test
        void takeTheirLengthOnTheSlotsAskedFor() {
            for (TraceJob job : trace.jobs()) {
                JobSpec spec = spec(job);
                List<Integer> shape = Shapes.consolidate(job.requestedSlots(), 4);
                int batch = Goodput.bestBatch(
                                spec, "V100", job.requestedSlots(), shape.size(), SyncStrategy.ALL_REDUCE, 0)
                        .orElseThrow();
                Configuration requested =
                        new Configuration("main", "V100", shape, SyncStrategy.ALL_REDUCE, 0, batch, 0);

                assertThat(spec.totalSamples()
                                / job.truth().progressRate(requested, 0).samplesPerSecond())
                        .isEqualTo(job.aloneSeconds(), within(1e-6 * job.aloneSeconds()));
            }
        }

        @Test
        void gainFromMoreSlotsLessAndLess() {
            for (TraceJob job : trace.jobs()) {
                double one = best(spec(job), 1, 1);
                double four = best(spec(job), 4, 1);
                double eight = best(spec(job), 8, 2);

                assertThat(four).as(job.id()).isBetween(one, 4.0001 * one);
                assertThat(eight / 8).as(job.id()).isLessThan(four / 4);
            }
        }

        @Test
        void mayUseAnyNumberOfSlotsUpToSixteen() {
            assertThat(spec(trace.jobs().get(0)).elasticity().minSlots()).isEqualTo(1);
            assertThat(spec(trace.jobs().get(0)).elasticity().maxSlots()).isEqualTo(16);
        }

        private double best(JobSpec spec, int slots, int nodes) {
            int batch = Goodput.bestBatch(spec, "V100", slots, nodes, SyncStrategy.ALL_REDUCE, 0)
                    .orElseThrow();
            return Goodput.of(spec, "V100", slots, nodes, SyncStrategy.ALL_REDUCE, 0, batch);
        }

        private JobSpec spec(TraceJob job) {
            return job.viewModel().after(RunHistory.NONE).spec();
        }
    }

    @Nested
    class Settings {
        @TempDir
        private Path folder;

        @Test
        void areReadFromJson() throws IOException {
            Path file = folder.resolve("settings.json");
            Files.writeString(file, """
                    {"jobs": 5, "load": 1.5, "arrivals": "BURSTY", "sizes": "SINGLE", "lengths": "POLLUX", "style": "RIGID"}
                    """);

            Trace trace = new SyntheticTrace().read(file, new ReadOptions(NODES, InformationLevel.ORACLE, null, 9));

            assertThat(trace.jobs()).hasSize(5).allMatch(job -> job.requestedSlots() == 1);
        }

        @Test
        void thatMakeNoSenseAreRefusedWithTheReason() throws IOException {
            Path file = folder.resolve("settings.json");
            Files.writeString(file, """
                    {"jobs": 5, "load": 0, "arrivals": "BURSTY", "sizes": "SINGLE", "lengths": "POLLUX", "style": "RIGID"}
                    """);

            assertThatThrownBy(() ->
                            new SyntheticTrace().read(file, new ReadOptions(NODES, InformationLevel.ORACLE, null, 9)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("load (0.0)");
        }
    }

    private static double[] arrivals(Trace trace) {
        return trace.jobs().stream().mapToDouble(TraceJob::arrival).toArray();
    }

    @Nested
    class ARangedJob {
        @Test
        void takesTheSecondsDrawnOnTheSlotsAskedForAndUpToFourTimesAsMany() {
            for (TraceJob job : jobs(JobStyle.RANGED)) {
                JobSpec spec = spec(job);

                assertThat(spec.elasticity().minSlots()).isEqualTo(job.requestedSlots());
                assertThat(spec.elasticity().maxSlots()).isEqualTo(Math.min(16, 4 * job.requestedSlots()));
                assertThat(spec.batch().max() - spec.batch().min())
                        .as("room for equal shares alone")
                        .isLessThan(spec.elasticity().maxSlots());
                assertThat(seconds(job)).isEqualTo(job.aloneSeconds(), within(1e-6 * job.aloneSeconds()));
            }
        }
    }

    @Nested
    class AJobWithARangeOfBatchSizes {
        @ParameterizedTest
        @EnumSource(names = {"BATCH_RANGE", "SMALLEST_BATCH"})
        void asksForTheFewestSlotsThatHoldTheUsersBatch(JobStyle style) {
            for (TraceJob job : jobs(style)) {
                BatchLimits batches = spec(job).batch();

                assertThat(batches.largest("V100", job.requestedSlots())).isGreaterThanOrEqualTo(batches.initial());
                assertThat(job.requestedSlots() > 1
                                && batches.largest("V100", job.requestedSlots() - 1) >= batches.initial())
                        .isFalse();
                assertThat(seconds(job)).isEqualTo(job.aloneSeconds(), within(1e-6 * job.aloneSeconds()));
            }
        }

        @Test
        void mayBeAskedForWithTheSmallestBatch() {
            assertThat(jobs(JobStyle.SMALLEST_BATCH))
                    .allMatch(job ->
                            spec(job).batch().initial() == spec(job).batch().min());
            assertThat(jobs(JobStyle.BATCH_RANGE)).anyMatch(job -> job.requestedSlots() == 4);
        }
    }

    @Test
    void theJobsOfTiresiasFallIntoItsBins() {
        SyntheticSettings settings = new SyntheticSettings(
                20_000,
                1,
                ArrivalProcess.POISSON,
                SlotDistribution.TIRESIAS,
                DurationDistribution.TIRESIAS,
                JobStyle.RIGID);
        List<TraceJob> jobs = SyntheticTrace.generate(settings, NODES, 1).jobs();

        assertThat(jobs).allMatch(job -> job.aloneSeconds() >= 120 && job.aloneSeconds() <= 7200);
        assertThat(share(jobs, true, true)).isEqualTo(0.635, within(0.015));
        assertThat(share(jobs, true, false)).isEqualTo(0.125, within(0.015));
        assertThat(share(jobs, false, true)).isEqualTo(0.165, within(0.015));
        assertThat(share(jobs, false, false)).isEqualTo(0.075, within(0.015));
    }

    private static double share(List<TraceJob> jobs, boolean isSmall, boolean isShort) {
        return jobs.stream()
                        .filter(job -> job.requestedSlots() <= 4 == isSmall && job.aloneSeconds() <= 800 == isShort)
                        .count()
                / (double) jobs.size();
    }

    private static List<TraceJob> jobs(JobStyle style) {
        SyntheticSettings settings = new SyntheticSettings(
                60, 1, ArrivalProcess.POISSON, SlotDistribution.GAVEL, DurationDistribution.TIRESIAS, style);
        return SyntheticTrace.generate(settings, NODES, 1).jobs();
    }

    private static JobSpec spec(TraceJob job) {
        return job.viewModel().after(RunHistory.NONE).spec();
    }

    /** Returns the seconds of all work at the user's batch size on the requested slots. */
    private static double seconds(TraceJob job) {
        JobSpec spec = spec(job);
        int nodes = Shapes.consolidate(job.requestedSlots(), 4).size();
        double speed = Goodput.of(
                spec,
                "V100",
                job.requestedSlots(),
                nodes,
                SyncStrategy.ALL_REDUCE,
                0,
                spec.batch().initial());
        return spec.totalSamples() / speed;
    }
}
