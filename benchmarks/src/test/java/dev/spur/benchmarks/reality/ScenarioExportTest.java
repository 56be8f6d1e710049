package dev.spur.benchmarks.reality;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.format.TraceReaders;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioExportTest {
    @TempDir
    private Path folder;

    @Test
    void aReplayOfTheFilesHasTheSameOutcomes() throws Exception {
        Scenario scenario = new RealitySuite(
                        List.of("half-estimated"),
                        List.of(3L),
                        List.of("srtf"),
                        12,
                        new DecisionEffort(0.01, 0.01),
                        1)
                .scenario("half-estimated:3");
        ScenarioExport.write(scenario, folder.resolve("new"));

        ClusterFile cluster = ClusterFile.read(folder.resolve("new/cluster.json"));
        Trace trace = TraceReaders.of("spur")
                .orElseThrow()
                .read(
                        folder.resolve("new/trace.json"),
                        new ReadOptions(cluster.allNodes(), InformationLevel.ORACLE, null, 1));

        assertThat(Outcome.of(scenario, replay(scenario, trace, cluster), 0))
                .isEqualTo(Outcome.of(scenario, replay(scenario, scenario.trace(), scenario.nodes()), 0));
    }

    private static Replay replay(Scenario scenario, Trace trace, ClusterFile cluster) {
        return Replayer.replay(
                trace,
                cluster,
                PolicyRegistry.policy("srtf").orElseThrow(),
                scenario.settings(),
                ProgressListener.NONE);
    }
}
