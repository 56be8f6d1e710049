package dev.spur.simulator.trace.rigid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.report.Summary;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where jobs of the Tiresias simulator may run, and what its authors' program gives on the published jobs. */
class TiresiasTraceTest {
    @TempDir
    Path folder;

    @Test
    void aConsolidatedJobWaitsForANodeAndACountedOneDoesNot() throws IOException {
        // Three single jobs leave one slot on each of two nodes of two when the first ends after 10 s; "pair" arrives
        // at 1 s.
        Path file = Files.writeString(folder.resolve("jobs.csv"), """
                job_id,num_gpu,submit_time,iterations,model_name,duration,interval
                0,1,0,1,single,10,1
                1,1,0,1,single,100,1
                2,1,0,1,single,100,1
                3,2,1,1,pair,50,1
                """);

        assertThat(secondsOfPair(TiresiasTrace.consolidatedReader(), file)).isEqualTo(149);
        assertThat(secondsOfPair(TiresiasTrace.anySlotsReader(), file)).isEqualTo(59);
    }

    @Test
    void thePublishedJobsTakeAsLongAsInTheAuthorsProgram() throws IOException {
        assumeTrue(DataFolder.find().isPresent(), "SPUR_DATA does not name the folder of published traces");
        Path file = DataFolder.find().orElseThrow().resolve("traces/tiresias/60_job.csv");

        // Their program: 190.7 s and 219.2 s. Of several nodes that fit, it takes the first one, Spur the fullest.
        assertThat(meanSeconds(replay(TiresiasTrace.anySlotsReader(), file, 4, "2d-las-short")))
                .isCloseTo(190.7, within(0.1));
        assertThat(meanSeconds(replay(TiresiasTrace.consolidatedReader(), file, 4, "fifo")))
                .isCloseTo(217.5, within(0.1));
    }

    private static double secondsOfPair(TraceReader reader, Path file) throws IOException {
        JobOutcome pair = replay(reader, file, 2, "fifo").jobs().stream()
                .filter(job -> job.id().equals("pair-3"))
                .findFirst()
                .orElseThrow();
        return pair.end() == null ? Double.NaN : pair.end() - pair.arrival();
    }

    private static double meanSeconds(Replay replay) {
        return Summary.of(replay).meanJctSeconds();
    }

    private static Replay replay(TraceReader reader, Path file, int nodes, String policy) throws IOException {
        ClusterFile cluster = new ClusterFile(List.of(NodeKind.of("GPU", nodes, nodes)));
        return Replayer.replay(
                reader.read(file, new ReadOptions(cluster.allNodes(), InformationLevel.ORACLE, null, 1)),
                cluster,
                PolicyRegistry.policy(policy).orElseThrow(),
                ReplaySettings.DEFAULT.withRounds(60, 0.0),
                ProgressListener.NONE);
    }
}
