package dev.spur.simulator.replay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.spurformat.SpurTrace;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that take shares of devices in replays of policies, each decision of which is validated. */
class DeviceSharesReplayTest {
    private static final String FILE = """
            {"models": {"m": {"initialBatch": 64, "restartSeconds": 30, "speeds": [
                {"type": "A100", "slots": 1, "nodes": 1, "batch": 64, "samplesPerSecond": 100}]}},
             "jobs": [%s]}""";

    private static Trace trace(ClusterFile cluster) throws IOException {
        String jobs = IntStream.range(0, 12)
                .mapToObj(i -> """
                        {"id": "j%d", "arrival": %d, "model": "m", "samples": %d, "requestedSlots": 1%s}""".formatted(
                                i, 100 * i, 60_000 + 20_000 * (i % 3), i % 4 == 3 ? "" : ", \"deviceShare\": 0.3"))
                .collect(Collectors.joining(",\n"));
        return SpurTrace.parse("shares", FILE.formatted(jobs), cluster.allNodes());
    }

    private static List<JobOutcome> outcomes(String policy) throws IOException {
        ClusterFile cluster =
                new ClusterFile(List.of(new NodeKind("A100", 1, 2, null, null, null, null, null, null, null, true)));
        return Replayer.replay(
                        trace(cluster),
                        cluster,
                        PolicyRegistry.policy(policy).orElseThrow(),
                        ReplaySettings.DEFAULT.withRounds(60, null),
                        ProgressListener.NONE)
                .jobs();
    }

    /** All jobs take 9,600 s of a device each for itself, so that two devices without shares need 4,800 s. */
    @ParameterizedTest
    @ValueSource(strings = {"spur", "fifo", "easy-backfill", "2d-las"})
    void jobsRunNextToOthersOnTheirDevices(String policy) throws IOException {
        assertThat(outcomes(policy)).hasSize(12).allMatch(outcome -> outcome.end() != null && outcome.end() < 4_700);
    }

    @ParameterizedTest
    @ValueSource(strings = {"srtf", "sia", "themis"})
    void otherPoliciesGiveEachJobAWholeDevice(String policy) throws IOException {
        assertThat(outcomes(policy)).hasSize(12).allMatch(outcome -> outcome.end() != null);
    }

    @Test
    void aShareCountsAsThatInSlotSeconds() throws IOException {
        assertThat(outcomes("fifo")).allSatisfy(outcome -> {
            double share = Integer.parseInt(outcome.id().substring(1)) % 4 == 3 ? 1 : 0.3;
            double seconds = requireNonNull(outcome.end()) - requireNonNull(outcome.firstStart());

            assertThat(outcome.slotSeconds()).isCloseTo(share * seconds, within(1e-6));
            assertThat(outcome.usefulSlotSeconds()).isBetween(0.0, outcome.slotSeconds() + 1e-6);
        });
    }
}
