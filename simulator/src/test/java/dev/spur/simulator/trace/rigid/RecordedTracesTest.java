package dev.spur.simulator.trace.rigid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DataFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The readers on the files that the authors published. */
class RecordedTracesTest {
    @Test
    void phillyHasAllItsJobs() throws IOException {
        Trace trace = read(new PhillyCsv(), "philly.csv");

        assertThat(trace.jobs()).hasSize(82_247);
        assertThat(trace.skipped()).isEmpty();
        assertThat(trace.jobs().get(0).arrival()).isZero();
        assertThat(trace.jobs().stream().map(job -> job.tenant()).distinct()).hasSize(15);
    }

    @Test
    void itpHasAllItsJobsInTenClusters() throws IOException {
        Trace trace = read(new Itp(), "itp/raw-traces.tar.gz");

        assertThat(trace.jobs().size() + skipped(trace)).isEqualTo(69_351);
        assertThat(trace.jobs().stream().map(job -> job.tenant()).distinct()).hasSize(10);
    }

    @Test
    void openbPodsAreAllReadOrCounted() throws IOException {
        Trace trace = read(new Openb(), "openb/openb_pod_list_default.csv");

        assertThat(trace.jobs().size() + skipped(trace)).isEqualTo(8_152);
        assertThat(trace.skipped()).containsKeys("no accelerator asked for", "no end or no start");
    }

    @Test
    void openbHasItsNodes() throws IOException {
        assertThat(Openb.nodes(folder().resolve("openb/openb_node_list_gpu_node.csv")))
                .hasSize(1_213);
    }

    @Test
    void openbPodsAskForShares() throws IOException {
        assertThat(Openb.pods(folder().resolve("openb/openb_pod_list_default.csv")))
                .filteredOn(pod -> pod.share() != null)
                .hasSize(3_078);
    }

    @Test
    void tiresiasHasSixtyJobs() throws IOException {
        assertThat(read(TiresiasTrace.anySlotsReader(), "tiresias/60_job.csv").jobs())
                .hasSize(60);
    }

    private static int skipped(Trace trace) {
        return trace.skipped().values().stream().mapToInt(Integer::intValue).sum();
    }

    private static Trace read(TraceReader reader, String file) throws IOException {
        return reader.read(folder().resolve(file), new ReadOptions(List.of(), InformationLevel.ORACLE, null, 1));
    }

    private static Path folder() {
        assumeTrue(DataFolder.find().isPresent(), "SPUR_DATA does not name the folder of published traces");
        return DataFolder.find().orElseThrow().resolve("traces");
    }
}
