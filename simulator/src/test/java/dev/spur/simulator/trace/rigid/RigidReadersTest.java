package dev.spur.simulator.trace.rigid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.NodeFixture;
import dev.spur.model.cluster.Node;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.TraceReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RigidReadersTest {
    private static final Path FILES = Path.of("src/test/resources/traces");

    @Nested
    class Philly {

        @Test
        void jobsComeInOrderFromTimeZero() throws IOException {
            Trace trace = read(new PhillyCsv(), "philly.csv");

            assertThat(trace.jobs()).extracting(TraceJob::id).startsWith("philly-2", "philly-1");
            assertThat(trace.jobs()).extracting(TraceJob::arrival).startsWith(0.0, 100.0);
            assertThat(trace.jobs()).extracting(TraceJob::tenant).startsWith("blue", "red");
            assertThat(trace.jobs().get(1).requestedSlots()).isEqualTo(4);
            assertThat(trace.jobs().get(1).aloneSeconds()).isEqualTo(600);
        }

        @Test
        void whatCannotBeReplayedIsCounted() throws IOException {
            assertThat(read(new PhillyCsv(), "philly.csv").skipped())
                    .isEqualTo(Map.of(
                            "no end or no start", 2,
                            "no accelerator asked for", 1,
                            "no time of submission", 1,
                            "no time between start and end", 1));
        }

        @Test
        void jobsLargerThanTheClusterAreCountedOnceItIsKnown() throws IOException {
            assertThat(read(new PhillyCsv(), "philly.csv").jobs()).hasSize(3);
            assertThat(read(new PhillyCsv(), "philly.csv", node("a", "X", 4)).skipped())
                    .containsEntry("more accelerators than the cluster has of the types allowed", 1);
        }

        @Test
        void attemptsOfTheOriginalAreAddedUp() throws IOException {
            Trace trace = read(new PhillyJson(), "cluster_job_log");

            assertThat(trace.jobs()).hasSize(1);
            TraceJob job = trace.jobs().get(0);
            assertThat(job.id()).isEqualTo("application_1");
            assertThat(job.aloneSeconds()).isEqualTo(60 + 120);
            assertThat(job.requestedSlots()).isEqualTo(4);
            assertThat(trace.skipped())
                    .isEqualTo(Map.of(
                            "no number of accelerators", 1,
                            "no end or no start", 1,
                            "no time of submission", 1,
                            "no accelerator asked for", 1));
        }

        @Test
        void anotherFileIsRefusedByItsColumns() {
            assertThatThrownBy(() -> read(new PhillyCsv(), "cluster_log.csv"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has no column timestamp");
            assertThatThrownBy(() -> read(new PhillyJson(), "philly.csv"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is not valid JSON");
        }
    }

    @Nested
    class JobLogs {

        @Test
        void heliosIsReadByVirtualCluster() throws IOException {
            Trace trace = read(SlurmCsv.helios(), "cluster_log.csv");

            assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("12", "15", "11");
            assertThat(trace.jobs()).extracting(TraceJob::tenant).containsExactly("vcB", "vcB", "vcA");
            assertThat(trace.jobs()).extracting(TraceJob::aloneSeconds).containsExactly(7.0, 45.0, 600.0);
            assertThat(trace.skipped())
                    .isEqualTo(Map.of("no accelerator asked for", 1, "no time between start and end", 1));
        }

        @Test
        void acmeIsReadAcrossTimeZones() throws IOException {
            Trace trace = read(SlurmCsv.acme(), "trace_kalos.csv");

            assertThat(trace.jobs()).extracting(TraceJob::arrival).containsExactly(0.0, 30.0);
            assertThat(trace.jobs()).extracting(TraceJob::aloneSeconds).containsExactly(60.0, 20.0);
            assertThat(trace.jobs()).extracting(TraceJob::tenant).containsOnly("u7");
        }
    }

    @Nested
    class Alibaba {

        @Test
        void theTasksOfAJobHoldTheirAcceleratorsTogether() throws IOException {
            Trace trace = read(new Pai(), "pai/pai_task_table.csv", node("a", "T4", 8), node("b", "V100", 8));

            TraceJob job = trace.jobs().get(0);
            assertThat(job.id()).isEqualTo("job-a");
            assertThat(job.requestedSlots()).isEqualTo(3);
            assertThat(job.aloneSeconds()).isEqualTo(100);
            assertThat(job.tenant()).isEqualTo("user1");
            assertThat(typesOf(job)).containsExactly("T4");
        }

        @Test
        void jobsWithoutAcceleratorOrEndAreCounted() throws IOException {
            Trace trace = read(new Pai(), "pai/pai_task_table.csv", node("a", "T4", 8));

            assertThat(trace.skipped()).isEqualTo(Map.of("no end or no start", 1, "no accelerator asked for", 1));
        }

        @Test
        void aTypeThatTheClusterLacksIsNotInsistedOn() throws IOException {
            Trace trace = read(new Pai(), "pai/pai_task_table.csv", node("a", "T4", 8));

            assertThat(trace.jobs().get(1).id()).isEqualTo("job-d");
            assertThat(typesOf(trace.jobs().get(1))).isEmpty();
        }

        @Test
        void podsRunFromSchedulingToDeletion() throws IOException {
            Trace trace = read(new Openb(), "openb_pods.csv");

            assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("pod-2", "pod-1");
            assertThat(trace.jobs()).extracting(TraceJob::aloneSeconds).containsExactly(20.0, 250.0);
            assertThat(trace.skipped()).isEqualTo(Map.of("no accelerator asked for", 1, "no end or no start", 1));
            assertThat(typesOf(trace.jobs().get(0))).containsExactly("P4", "T4");
        }

        @Test
        void podsAskTheirHostForTheirShare() throws IOException {
            List<Node> nodes = Openb.nodes(FILES.resolve("openb_nodes.csv"));
            Trace trace = read(new Openb(), "openb_pods.csv", nodes.toArray(Node[]::new));

            TraceJob pod = trace.jobs().get(1);
            assertThat(pod.viewModel().after(RunHistory.NONE).spec().host())
                    .satisfies(host -> assertThat(host.cpusPerSlot()).isEqualTo(4))
                    .satisfies(host -> assertThat(host.memoryGiBPerSlot()).isEqualTo(8));
        }

        @Test
        void nodesWithoutAcceleratorsAreLeftOut() throws IOException {
            List<Node> nodes = Openb.nodes(FILES.resolve("openb_nodes.csv"));

            assertThat(nodes).extracting(Node::id).containsExactly("n-1", "n-2");
            assertThat(nodes.get(1).slots()).isEqualTo(8);
            assertThat(nodes.get(1).acceleratorType()).isEqualTo("V9");
            assertThat(nodes.get(1).memoryGiB()).isEqualTo(384);
        }
    }

    @Nested
    class InArchives {
        @TempDir
        private Path folder;

        @Test
        void allClustersAreReadOrOne() throws IOException {
            Path archive = archive();

            Trace all = new Itp().read(archive, options());
            Trace one = new Itp().read(archive.resolve("cluster02.csv"), options());

            assertThat(all.jobs()).hasSize(4);
            assertThat(all.skipped()).isEqualTo(Map.of("id seen before", 2));
            assertThat(one.jobs()).extracting(TraceJob::id).containsExactly("cluster02/b", "cluster02/a");
            assertThat(one.jobs()).extracting(TraceJob::tenant).containsOnly("cluster02");
        }

        @Test
        void aClusterThatIsNotThereIsNamed() throws IOException {
            Path archive = archive();

            assertThatThrownBy(() -> new Itp().read(archive.resolve("cluster77.csv"), options()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("holds no file cluster77.csv");
        }

        @Test
        void anUnpackedClusterIsReadToo() throws IOException {
            assertThat(read(new Itp(), "itp-cluster.csv").jobs()).hasSize(2);
        }

        private Path archive() throws IOException {
            Path archive = folder.resolve("raw-traces.tar.gz");
            byte[] cluster = Files.readAllBytes(FILES.resolve("itp-cluster.csv"));
            try (OutputStream file = Files.newOutputStream(archive);
                    TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(file))) {
                for (String name : List.of("cluster01.csv", "LICENSE", "cluster02.csv")) {
                    TarArchiveEntry entry = new TarArchiveEntry(name);
                    entry.setSize(cluster.length);
                    tar.putArchiveEntry(entry);
                    tar.write(cluster);
                    tar.closeArchiveEntry();
                }
            }
            return archive;
        }
    }

    @Test
    void jobsOfTheTiresiasSimulatorRunOnTheFewestNodes() throws IOException {
        Trace trace = read(TiresiasTrace.consolidatedReader(), "tiresias.csv");

        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("deep-0", "wide-1");
        assertThat(trace.jobs()).allMatch(job -> job.truth().startSeconds(false) == 0);
        assertThat(trace.jobs())
                .allMatch(job -> job.viewModel()
                        .after(RunHistory.NONE)
                        .spec()
                        .elasticity()
                        .consolidate());
    }

    private static List<String> typesOf(TraceJob job) {
        return job.viewModel().after(RunHistory.NONE).spec().elasticity().acceleratorTypes();
    }

    private static Trace read(TraceReader reader, String file, Node... nodes) throws IOException {
        return reader.read(FILES.resolve(file), options(nodes));
    }

    private static ReadOptions options(Node... nodes) {
        return new ReadOptions(List.of(nodes), InformationLevel.ORACLE, null, 1);
    }

    private static Node node(String id, String type, int slots) {
        return NodeFixture.node(id, slots).type(type).build();
    }
}
