package dev.spur.simulator.trace.elasticflow;

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
import dev.spur.simulator.trace.parsing.DataFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ElasticFlowTraceTest {
    private static final Path FILE = Path.of("src/test/resources/traces/elasticflow/jobs.csv");
    private static final List<Node> T4 = List.of(
            NodeFixture.node("a", 4).type("T4").build(),
            NodeFixture.node("b", 4).type("T4").build());

    @Test
    void deadlinesAreOnTheClockOfTheTrace() throws IOException {
        Trace trace = read(T4);

        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("net-8", "net-7");
        assertThat(trace.jobs()).extracting(TraceJob::arrival).containsExactly(0.0, 100.0);
        assertThat(trace.jobs().get(1).deadline()).isEqualTo(400);
    }

    @Test
    void aDeadlineBeforeTheArrivalIsNone() throws IOException {
        assertThat(read(T4).jobs().get(0).deadline()).isNull();
    }

    @Test
    void jobsRunOnTheCountsThatWereMeasuredAndFit() throws IOException {
        JobSpec spec = spec(read(T4).jobs().get(1));

        assertThat(spec.elasticity().allowedCounts()).containsExactly(1, 2);
        assertThat(read(T4).jobs().get(1).truth().progressRate(on("T4", 2), 0))
                .isEqualTo(new ProgressRate(1.8 * 64, 6400, true));
    }

    @Test
    void timeAloneIsThatOfTheNearestMeasuredCount() throws IOException {
        Trace trace = read(T4);

        assertThat(trace.jobs().get(1).aloneSeconds()).isEqualTo(100 / 1.8, within(1e-9));
        assertThat(trace.jobs().get(0).aloneSeconds()).isEqualTo(100 / 1.8, within(1e-9));
    }

    @Test
    void everyTypeOfTheClusterHasItsOwnTable() throws IOException {
        Trace trace = read(List.of(
                NodeFixture.node("a", 4).type("T4").build(),
                NodeFixture.node("b", 2).type("A100").build()));

        assertThat(trace.jobs().get(1).truth().progressRate(on("A100", 2), 0).samplesPerSecond())
                .isEqualTo(7.0 * 64);
    }

    @Test
    void whatCannotBeReplayedIsCounted() throws IOException {
        assertThat(read(T4).skipped())
                .isEqualTo(Map.of(
                        "no speed at its batch size on any type of the cluster", 2,
                        "a number is missing or not above 0", 1));
    }

    @Test
    void thePublishedTraceIsReadWhole() throws IOException {
        assumeTrue(DataFolder.find().isPresent(), "SPUR_DATA does not name the folder of published traces");
        Path file = DataFolder.find().orElseThrow().resolve("traces/elasticflow/elasticVpollux_e.csv");

        Trace trace = new ElasticFlowTrace().read(file, new ReadOptions(List.of(), InformationLevel.ORACLE, null, 1));

        assertThat(trace.jobs()).hasSize(195).allMatch(job -> job.deadline() != null);
    }

    private static Trace read(List<Node> nodes) throws IOException {
        return new ElasticFlowTrace().read(FILE, new ReadOptions(nodes, InformationLevel.ORACLE, null, 1));
    }

    private static JobSpec spec(TraceJob job) {
        return job.viewModel().after(RunHistory.NONE).spec();
    }

    private static Configuration on(String type, int slots) {
        return new Configuration("main", type, List.of(slots), SyncStrategy.ALL_REDUCE, 0, 64, 0);
    }
}
