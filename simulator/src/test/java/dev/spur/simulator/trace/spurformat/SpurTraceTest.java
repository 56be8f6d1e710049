package dev.spur.simulator.trace.spurformat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpurTraceTest {
    private static final ClusterFile CLUSTER =
            new ClusterFile(List.of(NodeKind.of("A100", 1, 4), NodeKind.of("T4", 3, 4)));

    @TempDir
    private Path folder;

    @Test
    void aJobIsWhatItsModelSays() throws IOException {
        TraceJob job = read("""
                        {"id": "a", "arrival": 5, "model": "m", "samples": 1000, "requestedSlots": 2, "maxSlots": 4,
                         "deadline": 900}
                        """).jobs().get(0);

        JobSpec spec = job.viewModel().after(RunHistory.NONE).spec();
        assertThat(job.deadline()).isEqualTo(900);
        assertThat(spec.elasticity().minSlots()).isEqualTo(2);
        assertThat(spec.elasticity().maxSlots()).isEqualTo(4);
        assertThat(spec.batch().largest("A100", 4)).isEqualTo(64);
        assertThat(spec.restartPenaltySeconds()).isEqualTo(20);
        assertThat(job.truth().startSeconds(true)).isEqualTo(20);
    }

    @Test
    void policiesAssumeTheStallsOfTheModelUntilTheyHaveLearnedThem() throws IOException {
        TraceJob job = SpurTrace.parse("trace", """
                        {"models": {"m": {"initialBatch": 64, "restartSeconds": 20, "changeCosts": {"rescaleSeconds": 2},
                                          "assumedStalls": {"restartSeconds": 90},
                                          "speeds": [{"type": "A100", "slots": 1, "samplesPerSecond": 100}]}},
                         "jobs": [{"id": "a", "arrival": 5, "model": "m", "samples": 1000, "requestedSlots": 1}]}
                        """, CLUSTER.allNodes()).jobs().get(0);

        JobSpec spec = job.viewModel().after(RunHistory.NONE).spec();
        assertThat(spec.restartPenaltySeconds()).isEqualTo(90);
        assertThat(spec.stallSeconds(ChangeMechanism.RESCALE)).isEqualTo(2);
        assertThat(job.viewModel().learnsStalls()).isTrue();
        assertThat(job.viewModel().family()).isEqualTo("m");
        assertThat(job.truth().startSeconds(false)).isEqualTo(20);
    }

    @Test
    void policiesAssumeTheEstimateOfAJobThatStatesOne() throws IOException {
        TraceJob job = read("""
                {"id": "a", "arrival": 5, "model": "m", "samples": 1000, "requestedSlots": 1, "estimatedSamples": 300}
                """).jobs().get(0);

        assertThat(job.viewModel().after(RunHistory.NONE).remainingSamples()).isEqualTo(300);
        assertThat(job.truth())
                .isInstanceOfSatisfying(
                        SpecGroundTruth.class,
                        truth -> assertThat(truth.spec().totalSamples()).isEqualTo(1000));
    }

    @Test
    void theTimeAloneIsOnTheSlotsAskedForOfAnAverageType() throws IOException {
        Trace trace = read("""
                {"id": "a", "arrival": 5, "model": "m", "samples": 1000, "requestedSlots": 1}
                """);

        assertThat(trace.jobs().get(0).aloneSeconds()).isCloseTo(1000 / ((4 * 100 + 12 * 20) / 16.0), within(1e-9));
    }

    @Test
    void theTimeAloneDoesNotDependOnTypesWithoutAMeasurement() throws IOException {
        Trace trace = read("""
                {"id": "a", "arrival": 5, "model": "h200", "samples": 1000, "requestedSlots": 1}
                """);

        assertThat(trace.jobs().get(0).aloneSeconds()).isCloseTo(10, within(1e-9));
    }

    @Test
    void jobsThatCannotBeReplayedAreCounted() throws IOException {
        Trace trace = read("""
                {"id": "a", "arrival": 5, "model": "m", "samples": 1000, "requestedSlots": 1},
                {"id": "a", "arrival": 6, "model": "m", "samples": 1000, "requestedSlots": 1},
                {"id": "b", "arrival": 7, "model": "other", "samples": 1000, "requestedSlots": 1},
                {"id": "c", "arrival": 7, "model": "h100", "samples": 1000, "requestedSlots": 1}
                """);

        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("a");
        assertThat(trace.skipped())
                .containsEntry("with an id seen before", 1)
                .containsEntry("of an unknown model", 1)
                .containsEntry("that run on no type of the cluster", 1);
    }

    @Test
    void theLargestBatchDefaultsToThatOfFullDevices() throws IOException {
        JobSpec spec =
                read("""
                        {"id": "a", "arrival": 5, "model": "h200", "samples": 1000, "requestedSlots": 2, "maxSlots": 4}
                        """).jobs().get(0).viewModel().after(RunHistory.NONE).spec();

        assertThat(spec.batch().max()).isEqualTo(4 * 24);
        assertThat(spec.plannedBatch().max()).as("without a noise scale").isEqualTo(16);
    }

    @Test
    void aModelMaySayHowItsSpeedDependsOnItsHosts() throws IOException {
        JobSpec spec =
                read("""
                        {"id": "a", "arrival": 5, "model": "hungry", "samples": 1000, "requestedSlots": 2}
                        """).jobs().get(0).viewModel().after(RunHistory.NONE).spec();

        assertThat(spec.host()).isEqualTo(new HostDemand(3, 50));
        assertThat(spec.hostSensitivity())
                .isEqualTo(new HostSensitivity(List.of(new HostLevel(3, 50, 1), new HostLevel(9, 50, 2.4))));
    }

    @Test
    void aModelWhoseSpeedIsNotOneWithWhatItStatesIsRefused() {
        String wrong = """
                {"models": {"m": {"initialBatch": 16, "speeds": [{"type": "A100", "slots": 1, "samplesPerSecond": 1}],
                   "host": {"cpusPerSlot": 3, "memoryGiBPerSlot": 50},
                   "hostSensitivity": {"levels": [{"cpusPerSlot": 9, "memoryGiBPerSlot": 50, "speed": 2.4}]}}},
                 "jobs": []}
                """;

        assertThatThrownBy(() -> SpurTrace.parse("wrong", wrong, CLUSTER.allNodes()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("must have speed 1 at the stated 3.0 CPUs");
    }

    private Trace read(String jobs) throws IOException {
        Path file = folder.resolve("trace.json");
        Files.writeString(file, """
                {"models": {
                  "m": {"initialBatch": 16, "maxBatch": 64, "restartSeconds": 20, "speeds": [
                    {"type": "A100", "slots": 1, "samplesPerSecond": 100},
                    {"type": "A100", "slots": 4, "batch": 64, "samplesPerSecond": 300},
                    {"type": "T4", "slots": 1, "samplesPerSecond": 20}]},
                  "h100": {"initialBatch": 16, "speeds": [{"type": "H100", "slots": 1, "samplesPerSecond": 100}]},
                  "h200": {"initialBatch": 16, "maxBatchPerDevice": 24, "speeds": [
                    {"type": "A100", "slots": 1, "samplesPerSecond": 100},
                    {"type": "A100", "slots": 4, "samplesPerSecond": 300}]},
                  "hungry": {"initialBatch": 16, "speeds": [{"type": "A100", "slots": 2, "samplesPerSecond": 100}],
                    "host": {"cpusPerSlot": 3, "memoryGiBPerSlot": 50},
                    "hostSensitivity": {"levels": [
                      {"cpusPerSlot": 3, "memoryGiBPerSlot": 50, "speed": 1},
                      {"cpusPerSlot": 9, "memoryGiBPerSlot": 50, "speed": 2.4}]}}},
                 "jobs": [%s]}
                """.formatted(jobs));
        return new SpurTrace().read(file, new ReadOptions(CLUSTER.allNodes(), InformationLevel.ORACLE, null, 1));
    }
}
