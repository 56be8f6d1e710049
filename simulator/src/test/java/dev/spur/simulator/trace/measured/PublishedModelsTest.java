package dev.spur.simulator.trace.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.utility.Goodput;
import dev.spur.prediction.StepTimeFit;
import dev.spur.prediction.StepTimeLoss;
import dev.spur.prediction.StepTimeModel;
import dev.spur.prediction.StepTimeObservation;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DataFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that the authors of Pollux and Sia publish. */
class PublishedModelsTest {
    private static final List<Node> NODES = new ClusterFile(
                    List.of(NodeKind.of("T4", 6, 4), NodeKind.of("RTX2080Ti", 3, 8), NodeKind.of("A100", 2, 8)))
            .allNodes();

    @ParameterizedTest
    @ValueSource(strings = {"sia", "sia-fixed-batch", "sia-rigid"})
    void everyJobOfAWorkloadIsRead(String format) throws IOException {
        for (InformationLevel informationLevel : InformationLevel.values()) {
            Trace trace = read(format, "sia/philly/workload-1.csv", informationLevel);

            assertThat(trace.jobs()).hasSize(160);
            assertThat(trace.skipped()).isEmpty();
            assertThat(trace.jobs()).allMatch(job -> job.aloneSeconds() > 60 && job.aloneSeconds() < 40 * 3600);
        }
    }

    @Test
    void theRecommendationModelOfPolluxRunsOnOneSlot() throws IOException {
        Trace trace = read("pollux", "pollux/workload-2.csv", InformationLevel.ORACLE);

        TraceJob ncf = trace.jobs().stream()
                .filter(job -> job.id().startsWith("ncf"))
                .findFirst()
                .orElseThrow();
        assertThat(ncf.viewModel().after(RunHistory.NONE).spec().elasticity().maxSlots())
                .isEqualTo(1);
    }

    @Test
    void anOracleIsNearTheTruthOnWholeNodes() throws IOException {
        for (TraceJob job : read("sia", "sia/philly/workload-1.csv", InformationLevel.ORACLE)
                .jobs()) {
            JobSpec spec = job.viewModel().after(RunHistory.NONE).spec();
            for (Configuration configuration : wholeNodes(spec)) {
                double predicted = Goodput.of(spec, configuration);
                double real = job.truth().progressRate(configuration, 0).samplesPerSecond();

                assertThat(predicted / real)
                        .as("%s on %s", job.id(), configuration)
                        .isBetween(0.8, 1.05);
            }
        }
    }

    /**
     * Root mean squared error of the logarithm of step times over all measured placements: 0.14 is an error of about 14
     * %.
     */
    @ParameterizedTest
    @CsvSource({
        "bert,       T4, 0.14", "bert,        RTX2080Ti, 0.10", "bert,        A100, 0.05",
        "cifar10,    T4, 0.13", "cifar10,     RTX2080Ti, 0.10", "cifar10,     A100, 0.05",
        "imagenet,   T4, 0.13", "imagenet,    RTX2080Ti, 0.10", "imagenet,    A100, 0.11",
        "deepspeech2,T4, 0.13", "deepspeech2, RTX2080Ti, 0.11", "deepspeech2, A100, 0.10",
        "yolov3,     T4, 0.14", "yolov3,      RTX2080Ti, 0.13", "yolov3,      A100, 0.28",
        "ncf,        T4, 0.14", "ncf,         RTX2080Ti, 0.10", "ncf,         A100, 0.13"
    })
    void stepTimeModelsFitTheMeasuredPlacements(String name, String type, double error) throws IOException {
        MeasuredModel model = MeasuredModel.read(folder().resolve("profiles/placement-timings"), name)
                .orElseThrow();
        List<StepTimeObservation> observations = model.stepTimes(type).orElseThrow().points().stream()
                .map(point -> new StepTimeObservation(
                        point.nodes(),
                        point.slots(),
                        point.perDevice(),
                        point.timing().step() - point.timing().sync(),
                        point.timing().step()))
                .toList();

        StepTimeModel fitted = StepTimeFit.of(observations);

        assertThat(StepTimeLoss.stepError(fitted, observations)).isLessThan(error);
    }

    /** One slot, and whole nodes, at the batch size that looks best. */
    private static List<Configuration> wholeNodes(JobSpec spec) {
        List<Configuration> all = new ArrayList<>();
        for (String type : List.of("T4", "RTX2080Ti", "A100")) {
            int perNode = type.equals("T4") ? 4 : 8;
            for (Integer[] shape : new Integer[][] {{1}, {perNode}, {perNode, perNode}}) {
                int slots = List.of(shape).stream().mapToInt(Integer::intValue).sum();
                Goodput.bestBatch(spec, type, slots, shape.length, SyncStrategy.ALL_REDUCE, 0)
                        .ifPresent(batch -> all.add(Toy.on(type, batch, shape)));
            }
        }
        return all;
    }

    private static Trace read(String format, String file, InformationLevel informationLevel) throws IOException {
        TraceReader reader = MeasuredWorkload.all().stream()
                .filter(candidate -> candidate.format().equals(format))
                .findFirst()
                .orElseThrow();
        return reader.read(folder().resolve("traces").resolve(file), new ReadOptions(NODES, informationLevel, null, 1));
    }

    private static Path folder() {
        assumeTrue(DataFolder.find().isPresent(), "SPUR_DATA does not name the folder of published traces");
        return DataFolder.find().orElseThrow();
    }
}
