package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.agent.inventory.SharedGpus;
import dev.spur.agent.process.JobUsers;
import dev.spur.agent.process.LeaseFile;
import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.ProcessRun.Phase;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.process.StateDirectory;
import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.reconcile.CheckpointStore;
import dev.spur.agent.reconcile.Environment;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Real processes of roles beside a real process of a rank. */
class RoleReplicasTest {
    private static final int LIMIT_SECONDS = 30;
    private static final String WAITS = "echo $SPUR_ROLE $SPUR_ROLE_INDEX of $SPUR_ROLE_COUNT; exec sleep 1000";

    @TempDir
    private Path folder;

    private StateDirectory state;
    private ProcessRuns gangs;
    private ProcessRuns runs;
    private ProcessRun gang;
    private RoleReplicas replicas;

    @BeforeEach
    void open() throws IOException {
        state = StateDirectory.open(folder);
        new LeaseFile(state).renew(LeaseFile.uptime(), Duration.ofHours(1));
        var bounds = new ProcessRuns.LogBounds(1 << 20, 1 << 20, 100, Duration.ofDays(1));
        gangs = ProcessRuns.reattach(state, Optional.empty(), bounds, line -> {});
        runs = ProcessRuns.reattach(state.part("roles"), Optional.empty(), bounds, line -> {});
        var node = new Environment.Node(
                device -> device,
                CheckpointStore.of(folder.resolve("checkpoints")),
                URI.create("http://10.0.0.9:8080"),
                new SharedGpus(0, Path.of("/nowhere")));
        JobUsers self =
                JobUsers.parse(System.getProperty("user.name").equals("root") ? List.of("root") : List.of(), true);
        replicas = new RoleReplicas(runs, gangs, node, new TenantUsers(self, state, folder), line -> {});
        var process = new RunSpec.ProcessSpec(0, List.of("sh", "-c", "sleep 1000"), Map.of(), "");
        gang = gangs.start(new RunSpec("job.1", "job", 1, List.of("GPU-0"), List.of(process), 5, true, 0, 0));
    }

    @AfterEach
    void close() throws Exception {
        gangs.stop("job.1", "end of the test", 0);
        await(this::isOver);
        state.close();
    }

    private static Assignment assignment(String onFailure, String script, String indices) {
        return JsonMapper.builder().build().readValue("""
                {"assignmentId": "job.1", "jobId": "job", "generation": 1, "desired": "RUN", "mayStart": true,
                 "state": "RUNNING", "seq": 1, "devices": ["GPU-0"], "rankOffset": 0, "worldSize": 1, "nodeRank": 0,
                 "nodes": ["n1"], "master": {"node": "n1", "address": "10.0.0.1", "port": 20007},
                 "batch": {"perDevice": 1, "accumulation": 0, "global": 1},
                 "command": {"program": "python3", "args": ["train.py"], "env": {"SHARED": "yes"}, "roles":
                   {"eval": {"program": "sh", "args": ["-c", "%s"], "env": {}, "onFailure": "%s"}}},
                 "checkpoint": {"writeAs": "gen-1"}, "waitFor": [], "graceSeconds": 2, "followLog": false, "warmUp": false,
                 "roles": [{"name": "eval", "count": 3, "indices": [%s], "cpus": 2, "memoryGiB": 4}], "aggregators": []}
                """.formatted(script, onFailure, indices), Assignment.class);
    }

    private void step(Assignment assignment) {
        gangs.observe();
        replicas.observe();
        replicas.reconcile(List.of(assignment), true, 10);
    }

    private boolean isOver() {
        gangs.observe();
        replicas.observe();
        return gang.phase() == Phase.ENDED && runs.all().isEmpty();
    }

    private void stepUntil(Assignment assignment, BooleanSupplier condition) throws Exception {
        await(() -> {
            step(assignment);
            return condition.getAsBoolean();
        });
    }

    private static void await(BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private Optional<ProcessRun> replica(int index) {
        return runs.find("job.1.eval-" + index);
    }

    private boolean isRunning(int index) {
        return replica(index)
                .filter(run -> run.phase() == Phase.RUNNING && run.pid().isPresent())
                .isPresent();
    }

    private String output(int index) {
        try {
            Path log = runs.outputs(replica(index).orElseThrow()).get(0).log();
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void eachReplicaKnowsItsRoleAndSeesNoDevice() throws Exception {
        Assignment two = assignment(
                "FAIL_JOB",
                "echo $SPUR_ROLE $SPUR_ROLE_INDEX of $SPUR_ROLE_COUNT, [$CUDA_VISIBLE_DEVICES$RANK] $MASTER_ADDR $SHARED; exec sleep 1000",
                "0, 2");

        stepUntil(two, () -> isRunning(2) && output(2).contains("\n"));

        assertThat(output(2)).isEqualTo("eval 2 of 3, [] 10.0.0.1 yes\n");
        assertThat(isRunning(0)).isTrue();
        assertThat(replica(1)).isEmpty();
    }

    @Test
    void replicasStopWithTheRanks() throws Exception {
        stepUntil(assignment("FAIL_JOB", WAITS, "0"), () -> isRunning(0));

        gangs.stop("job.1", "preempted", 5);
        await(this::isOver);

        assertThat(gang.wasRequested()).isTrue();
        assertThat(replicas.haveEnded("job.1")).isTrue();
    }

    @Test
    void theRanksHaveNotEndedWhileAReplicaIsLeft() throws Exception {
        stepUntil(
                assignment("FAIL_JOB", "trap : TERM; echo ready; while :; do sleep 0.05; done", "0"),
                () -> isRunning(0) && output(0).contains("ready"));

        gangs.stop("job.1", "preempted", 0);
        await(() -> {
            gangs.observe();
            return gang.phase() == Phase.ENDED;
        });

        assertThat(replicas.haveEnded("job.1")).isFalse();
        await(this::isOver);
        assertThat(replicas.haveEnded("job.1")).isTrue();
    }

    @Test
    void aFailureFailsTheRanks() throws Exception {
        Assignment failing = assignment("FAIL_JOB", "exit 3", "0");

        stepUntil(failing, () -> gang.phase() != Phase.RUNNING);
        await(this::isOver);

        assertThat(gang.wasRequested()).isFalse();
        assertThat(gang.exitCode()).hasValue(3);
        assertThat(gang.foreignFailure().orElseThrow().cause())
                .startsWith("replica 0 of role eval failed with exit code 3; its output is in ");
    }

    @Test
    void aFailedReplicaStartsAgainBesideTheSameRanks() throws Exception {
        Path failed = folder.resolve("failed-once");
        Assignment flaky =
                assignment("RESTART", "[ -e %1$s ] && exec sleep 1000; touch %1$s; exit 3".formatted(failed), "0");

        stepUntil(flaky, () -> Files.exists(failed));
        stepUntil(flaky, () -> replica(0).isEmpty());
        stepUntil(flaky, () -> isRunning(0));

        assertThat(gang.phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aFailureMayBeIgnoredAndCodeZeroIsNoFailure() throws Exception {
        Assignment ignored = assignment("IGNORE", "exit $((3 * SPUR_ROLE_INDEX))", "0, 1");

        stepUntil(
                ignored,
                () -> List.of(0, 1).stream()
                        .allMatch(i -> replica(i)
                                .filter(run -> run.phase() == Phase.ENDED)
                                .isPresent()));
        step(ignored);

        assertThat(replica(0).orElseThrow().exitCode()).hasValue(0);
        assertThat(replica(1).orElseThrow().exitCode()).hasValue(3);
        assertThat(gang.phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aReplicaThatMovesStopsAndTheOthersContinue() throws Exception {
        stepUntil(assignment("FAIL_JOB", WAITS, "0, 1"), () -> isRunning(0) && isRunning(1));
        long pid = replica(0).orElseThrow().pid().orElseThrow();

        stepUntil(assignment("FAIL_JOB", WAITS, "0"), () -> replica(1).isEmpty());

        assertThat(replica(0).orElseThrow().pid()).hasValue(pid);
        assertThat(gang.phase()).isEqualTo(Phase.RUNNING);
    }
}
