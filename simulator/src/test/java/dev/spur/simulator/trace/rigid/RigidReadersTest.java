package dev.spur.simulator.trace.rigid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.NodeFixture;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.TimeLimit;
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
import org.jspecify.annotations.Nullable;
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
        void podsAskForTheirShareOfADeviceWhereNodesShareThem() throws IOException {
            List<Node> nodes = Openb.nodes(FILES.resolve("openb_nodes.csv"));
            List<Node> unshared =
                    nodes.stream().map(node -> node.withSharedDevices(false)).toList();

            Trace shared = read(new Openb(), "openb_pods.csv", nodes.toArray(Node[]::new));
            Trace whole = read(new Openb(), "openb_pods.csv", unshared.toArray(Node[]::new));

            assertThat(shared.jobs()).extracting(this::share).containsExactly(0.46, null);
            assertThat(whole.jobs()).extracting(this::share).containsOnlyNulls();
        }

        private @Nullable Double share(TraceJob job) {
            return job.viewModel().after(RunHistory.NONE).spec().elasticity().deviceShare();
        }

        @Test
        void sharesAreRoundedUpToHundredths(@TempDir Path folder) throws IOException {
            Path file = folder.resolve("pods.csv");
            Files.writeString(file, """
                    name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec
                    a,1000,1024,1,451,
                    b,1000,1024,1,995,
                    c,1000,1024,0,0,
                    d,1000,1024,2,1000,
                    """);

            assertThat(Openb.pods(file)).extracting(OpenbPod::share).containsExactly(0.46, null, null, null);
            assertThat(Openb.pods(file)).extracting(OpenbPod::slots).containsExactly(1, 1, 0, 2);
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

    @Nested
    class Tables {
        @TempDir
        private Path folder;

        @Test
        void accountingOfSlurmIsReadWithoutStepsByAllocatedAccelerators() throws IOException {
            Trace trace = read(new Sacct(), file("""
                    JobID|User|Account|Submit|Start|End|State|AllocTRES|ReqTRES
                    7|ann|vision|2026-11-29T08:00:00|2026-11-29T08:01:00|2026-11-29T09:01:00|COMPLETED|billing=8,cpu=8,gres/gpu=2,gres/gpu:x=2,node=1|
                    7.batch||vision|2026-11-29T08:00:00|2026-11-29T08:01:00|2026-11-29T09:01:00|COMPLETED|cpu=8,gres/gpu=2|
                    8|bob||2026-11-29T08:00:10|2026-11-29T08:00:20|2026-11-29T08:00:30|FAILED||gres/gpu:x=4
                    9|bob||2026-11-29T08:00:10|Unknown|Unknown|PENDING||gres/gpu=1
                    10|bob||2026-11-29T08:00:10|2026-11-29T08:00:20|2026-11-29T08:00:30|COMPLETED|cpu=4|
                    """), node("a", "X", 8));

            assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("7", "8");
            assertThat(trace.jobs()).extracting(TraceJob::tenant).containsExactly("vision", "bob");
            assertThat(trace.jobs()).extracting(TraceJob::arrival).containsExactly(0.0, 10.0);
            assertThat(trace.jobs()).extracting(TraceJob::aloneSeconds).containsExactly(3600.0, 10.0);
            assertThat(trace.jobs()).extracting(TraceJob::requestedSlots).containsExactly(2, 4);
            assertThat(trace.skipped())
                    .isEqualTo(Map.of("step of a job", 1, "no end or no start", 1, "no accelerator asked for", 1));
        }

        @Test
        void aChangeOfTheClockIsNotPartOfTheDuration() throws IOException {
            Trace trace = read(new Sacct(), file("""
                    JobID|Account|Submit|Start|End|ElapsedRaw|AllocTRES
                    1|a|2026-03-29T01:30:00|2026-03-29T01:45:00|2026-03-29T03:15:00|1800|gres/gpu=1
                    2|a|2026-03-29T01:30:00|2026-03-29T01:45:00|Unknown|900|gres/gpu=1
                    """));

            assertThat(trace.jobs()).extracting(TraceJob::aloneSeconds).containsExactly(1800.0);
            assertThat(trace.skipped()).isEqualTo(Map.of("no end or no start", 1));
        }

        @Test
        void timeLimitsOfSlurmEndEachStart() throws IOException {
            Trace sacct = read(new Sacct(), file("""
                    JobID|Account|Submit|Start|End|Timelimit|AllocTRES
                    1|a|2026-11-29T08:00:00|2026-11-29T08:01:00|2026-11-29T09:01:00|1-02:00:30|gres/gpu=1
                    2|a|2026-11-29T08:00:00|2026-11-29T08:01:00|2026-11-29T09:01:00|UNLIMITED|gres/gpu=1
                    3|a|2026-11-29T08:00:00|2026-11-29T08:01:00|2026-11-29T09:01:00|01:00:00|gres/gpu=1
                    """));
            Trace swf = read(new Swf(), file("1 100 5 60 4 -1 -1 8 90 -1 1 3 2 -1 -1 -1 -1 -1\n"));

            assertThat(sacct.jobs())
                    .extracting(RigidReadersTest::limit)
                    .containsExactly(TimeLimit.ofStart(93_630), null, TimeLimit.ofStart(3600));
            assertThat(swf.jobs()).extracting(RigidReadersTest::limit).containsExactly(TimeLimit.ofStart(90));
        }

        @Test
        void theStandardWorkloadFormatIsReadWithItsComments() throws IOException {
            Trace trace = read(new Swf(), file("""
                    ; Version: 2.2
                    1 100 5 60 4 -1 -1 8 -1 -1 1 3 2 -1 -1 -1 -1 -1
                      2 130 -1 30 -1 -1 -1 2 -1 -1 0 3 -1 -1 -1 -1 -1 -1
                    3 140 -1 -1 -1 -1 -1 2 -1 -1 5 3 -1 -1 -1 -1 -1 -1
                    """));

            assertThat(trace.jobs()).extracting(TraceJob::requestedSlots).containsExactly(4, 2);
            assertThat(trace.jobs()).extracting(TraceJob::tenant).containsExactly("group-2", "user-3");
            assertThat(trace.jobs()).extracting(TraceJob::arrival).containsExactly(0.0, 30.0);
            assertThat(trace.skipped()).isEqualTo(Map.of("no end or no start", 1));
        }

        @Test
        void aLineOfAnotherLengthIsAnErrorWithItsPlace() {
            assertThatThrownBy(() -> read(new Swf(), file("; a comment\n1 2 3\n")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("line 2 has 3 columns instead of 18");
        }

        @Test
        void aSpreadsheetWithSemicolonsAndAByteOrderMarkIsReadByItsColumns() throws IOException {
            Path file = file("""
                    \uFEFFname;Submitted;Devices;Started;Ended;team
                    a;2026-11-29 08:00:00;2;2026-11-29 08:00:00;2026-11-29 08:01:00;red
                    b;2026-11-29 08:00:05;1;;2026-11-29 08:01:00;
                    """);
            Map<String, String> columns = Map.of(
                    "id",
                    "name",
                    "submit",
                    "Submitted",
                    "gpus",
                    "Devices",
                    "start",
                    "Started",
                    "end",
                    "Ended",
                    "tenant",
                    "team");

            Trace trace =
                    new ColumnTrace().read(file, new ReadOptions(List.of(), InformationLevel.ORACLE, null, 1, columns));

            assertThat(trace.jobs()).singleElement().satisfies(job -> {
                assertThat(job.id()).isEqualTo("a");
                assertThat(job.tenant()).isEqualTo("red");
                assertThat(job.aloneSeconds()).isEqualTo(60);
            });
            assertThat(trace.skipped()).isEqualTo(Map.of("no end or no start", 1));
        }

        @Test
        void aTableNeedsOnlyThreeColumns() throws IOException {
            Trace trace = read(new ColumnTrace(), file("submit\tgpus\tduration\n5\t1\t10\n0\t2\t20\n"));

            assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("row-2", "row-1");
            assertThatThrownBy(() -> read(new ColumnTrace(), file("submitted,gpus,duration\n5,1,10\n")))
                    .hasMessageContaining("has no column submit");
        }

        @Test
        void instancesWithoutTimesOfRecommendationModelsAreCounted() throws IOException {
            Trace trace = read(new Dlrm(), file("""
                    instance_sn,role,app_name,cpu_request,gpu_request,memory_request,creation_time,scheduled_time,deletion_time
                    i1,HN,app_0,12,1,120.0,,,
                    i2,HN,app_1,12,1,120.0,10.0,11.0,71.0
                    i3,CN,app_1,64,0,320.0,10.0,11.0,71.0
                    """));

            assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("i2");
            assertThat(trace.jobs()).extracting(TraceJob::aloneSeconds).containsExactly(60.0);
            assertThat(trace.skipped()).isEqualTo(Map.of("no time of submission", 1, "no accelerator asked for", 1));
        }

        private Path file(String text) throws IOException {
            return Files.writeString(folder.resolve("trace"), text);
        }

        private Trace read(TraceReader reader, Path file, Node... nodes) throws IOException {
            return reader.read(file, new ReadOptions(List.of(nodes), InformationLevel.ORACLE, null, 1));
        }
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

    private static TimeLimit limit(TraceJob job) {
        return job.viewModel().after(RunHistory.NONE).spec().timeLimit();
    }
}
