package dev.spur.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.agent.inventory.SharedGpus;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.AssignmentPhase;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentTest {
    private static final Assignment TWO_DEVICES =
            TestAssignments.order(5, Assignment.Desired.RUN, true, AssignmentPhase.ACCEPTED, "GPU-a", "GPU-b");

    private static final SharedGpus NO_MPS = new SharedGpus(0, Path.of("/nowhere"));

    @Nested
    class AShareOfAGpu {
        @TempDir
        private Path pipes;

        private Map<String, String> environment(Assignment assignment) {
            var node = new Environment.Node(
                    device -> "visible-" + device,
                    CheckpointStore.of(Path.of("/shared")),
                    URI.create("http://10.0.0.9:8080"),
                    new SharedGpus(80, pipes));
            return Environment.of(assignment, node, 10).processes().get(0).environment();
        }

        private Assignment quarter() {
            return TestAssignments.withShare(
                    TestAssignments.order(5, Assignment.Desired.RUN, true, AssignmentPhase.ACCEPTED, "GPU-a"), 0.25);
        }

        @Test
        void isKnownToItsProcess() {
            assertThat(environment(quarter()))
                    .containsEntry("CUDA_VISIBLE_DEVICES", "visible-GPU-a")
                    .containsEntry("SPUR_GPU_FRACTION", "0.25")
                    .doesNotContainKey("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE");
        }

        @Test
        void isLimitedByMpsWhereItRuns() throws IOException {
            Files.createFile(pipes.resolve("control"));

            assertThat(environment(quarter()))
                    .containsEntry("CUDA_MPS_PIPE_DIRECTORY", pipes.toString())
                    .containsEntry("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "25")
                    .containsEntry("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=20480M");
        }

        @Test
        void isNotThatOfAJobOnWholeDevices() throws IOException {
            Files.createFile(pipes.resolve("control"));

            assertThat(environment(TWO_DEVICES))
                    .doesNotContainKeys("SPUR_GPU_FRACTION", "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE");
        }
    }

    @Nested
    class ARankThatJoins {
        private final RunSpec run = spec(TestAssignments.joining(AssignmentPhase.ACCEPTED, 3));

        @Test
        void waitsAtTheRendezvousOfTheChange() {
            assertThat(run.processes()).hasSize(2);
            assertThat(run.processes().get(1).environment())
                    .containsEntry("RANK", "3")
                    .containsEntry("LOCAL_RANK", "1")
                    .containsEntry("MASTER_PORT", "20019")
                    .containsEntry("SPUR_RESCALE", "3")
                    .containsEntry("SPUR_RESCALE_RANKS", "[0, 1, null, null]");
        }

        @Test
        void hasANumberThatNoOtherProcessOfTheGenerationHas() {
            assertThat(run.processes()).extracting(RunSpec.ProcessSpec::rank).containsExactly(30_002, 30_003);
        }

        @Test
        void isNoMemberOfTheTrainingYet() {
            assertThat(run.isRescaling()).isTrue();
            assertThat(run.changesStarted()).isEqualTo(3);
        }
    }

    @Nested
    class OneProcessForEachDevice {
        @Test
        void eachHasItsRankAndItsDevice() {
            RunSpec run = spec(TWO_DEVICES);

            assertThat(run.processes()).extracting(RunSpec.ProcessSpec::rank).containsExactly(2, 3);
            assertThat(run.processes().get(1).environment())
                    .containsEntry("RANK", "3")
                    .containsEntry("LOCAL_RANK", "1")
                    .containsEntry("CUDA_VISIBLE_DEVICES", "visible-GPU-b");
        }

        @Test
        void allKnowTheGang() {
            assertThat(first(TWO_DEVICES))
                    .containsEntry("WORLD_SIZE", "4")
                    .containsEntry("LOCAL_WORLD_SIZE", "2")
                    .containsEntry("NODE_RANK", "1")
                    .containsEntry("NNODES", "2")
                    .containsEntry("MASTER_ADDR", "10.0.0.1")
                    .containsEntry("MASTER_PORT", "20007");
        }

        @Test
        void allKnowWhatThePlanSaysOfTheJob() {
            assertThat(first(TWO_DEVICES))
                    .containsEntry("SPUR_ENVIRONMENT_VERSION", "1")
                    .containsEntry("SPUR_JOB", TestAssignments.JOB)
                    .containsEntry("SPUR_GENERATION", "5")
                    .containsEntry("SPUR_LOCAL_BATCH", "16")
                    .containsEntry("SPUR_ACCUM_STEPS", "2")
                    .containsEntry("SPUR_GLOBAL_BATCH", "128")
                    .containsEntry("SPUR_LOADER_WORKERS", "2")
                    .containsEntry("SPUR_CHECKPOINT_DIR", "/shared/" + TestAssignments.JOB)
                    .containsEntry("SPUR_CHECKPOINT_WRITE_DIR", "/shared/" + TestAssignments.JOB + "/gen-00000005");
        }
    }

    @Nested
    class TheCheckpointToResumeFrom {
        @TempDir
        private Path checkpoints;

        @Test
        void isAPathOfTheSameFormAsTheOneToWrite() throws IOException {
            Files.createDirectories(of("gen-00000004"))
                    .resolve("state.json")
                    .toFile()
                    .createNewFile();

            assertThat(variables())
                    .containsEntry(
                            "SPUR_CHECKPOINT_WRITE_DIR", of("gen-00000005").toString());
            assertThat(variables())
                    .containsEntry(
                            "SPUR_CHECKPOINT_RESUME_DIR", of("gen-00000004").toString());
        }

        @Test
        void isTheNewestOfAnEarlierGenerationThatHoldsSomething() throws IOException {
            Files.createDirectories(of("gen-00000002"))
                    .resolve("state.json")
                    .toFile()
                    .createNewFile();
            Files.createDirectories(of("gen-00000004"));
            Files.createDirectories(of("gen-00000009"))
                    .resolve("state.json")
                    .toFile()
                    .createNewFile();

            assertThat(variables())
                    .containsEntry(
                            "SPUR_CHECKPOINT_RESUME_DIR", of("gen-00000002").toString());
        }

        @Test
        void isEmptyWhereNoneHasSaved() {
            assertThat(variables()).containsEntry("SPUR_CHECKPOINT_RESUME_DIR", "");
        }

        private Path of(String generation) {
            return checkpoints.resolve(TestAssignments.JOB).resolve(generation);
        }

        private Map<String, String> variables() {
            var node = new Environment.Node(
                    device -> device, CheckpointStore.of(checkpoints), URI.create("http://10.0.0.9:8080"), NO_MPS);
            return Environment.of(TWO_DEVICES, node, 10).processes().get(0).environment();
        }
    }

    @Test
    void oneProcessForTheNodeSeesAllDevices() {
        Assignment.Command command = TWO_DEVICES.command();
        var perNode = new Assignment.Command(
                "torchrun", command.args(), command.env(), "/work", Assignment.Launch.PER_NODE, Map.of());
        RunSpec run = spec(TestAssignments.with(TWO_DEVICES, perNode, null));

        assertThat(run.processes()).hasSize(1);
        assertThat(run.processes().get(0).workdir()).isEqualTo("/work");
        assertThat(run.processes().get(0).environment())
                .containsEntry("CUDA_VISIBLE_DEVICES", "visible-GPU-a,visible-GPU-b")
                .containsEntry("LOCAL_WORLD_SIZE", "2");
    }

    @Test
    void trainingCodeForAdaptDlFindsWhatItLooksForOnlyIfItAsks() {
        Map<String, String> env = Map.of("ADAPTDL_SUPERVISOR_URL", "spur");
        var asking = new Assignment.Command("python3", List.of(), env, null, Assignment.Launch.PER_DEVICE, Map.of());

        assertThat(first(TestAssignments.with(TWO_DEVICES, asking, null)))
                .containsEntry("ADAPTDL_SUPERVISOR_URL", "http://10.0.0.9:8080/compat/adaptdl")
                .containsEntry("ADAPTDL_JOB_ID", "5b1f6f0e-8c1e-4c55-9a5b-0e6f3a1d7c42/" + TestAssignments.JOB)
                .containsEntry("ADAPTDL_REPLICA_RANK", "2")
                .containsEntry("ADAPTDL_NUM_REPLICAS", "4")
                .containsEntry("ADAPTDL_NUM_NODES", "2")
                .containsEntry("ADAPTDL_NUM_RESTARTS", "5")
                .containsEntry("ADAPTDL_MASTER_PORT", "20007")
                .containsEntry("ADAPTDL_SCHED_VERSION", "0.0.0")
                .containsEntry("ADAPTDL_CHECKPOINT_PATH", "/shared/" + TestAssignments.JOB);
        assertThat(first(TWO_DEVICES).keySet()).noneMatch(name -> name.startsWith("ADAPTDL_"));
    }

    @Test
    void namesInBracesAreReplacedByWhatIsSetAndNothingElseIs() {
        RunSpec.ProcessSpec process = spec(TWO_DEVICES).processes().get(0);

        assertThat(process.command()).containsExactly("python3", "train.py", "--port=20007", "${HOME}", "$RANK");
        assertThat(process.environment()).containsEntry("OUT", "/shared/" + TestAssignments.JOB + "/out");
    }

    @Test
    void noProcessTakesLongerToEndThanTheLeaseAllows() {
        assertThat(spec(TWO_DEVICES).graceSeconds()).isEqualTo(10);
    }

    @Test
    void progressComesFromTheNodeWithRankZeroOnly() {
        assertThat(spec(TWO_DEVICES).reports()).isFalse();
    }

    @Test
    void theShareOfTheHostIsALimit() {
        assertThat(spec(TWO_DEVICES).cpus()).isEqualTo(4);
        assertThat(spec(TWO_DEVICES).memoryGiB()).isEqualTo(16);
    }

    private static RunSpec spec(Assignment assignment) {
        var node = new Environment.Node(
                device -> "visible-" + device,
                CheckpointStore.of(Path.of("/shared")),
                URI.create("http://10.0.0.9:8080"),
                NO_MPS);
        return Environment.of(assignment, node, 10);
    }

    private static Map<String, String> first(Assignment assignment) {
        return spec(assignment).processes().get(0).environment();
    }
}
