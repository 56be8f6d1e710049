package dev.spur.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.agent.process.RunSpec.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With real processes. An agent that is killed is played by opening the same folder again. */
class ProcessRunsTest {
    private static final String SLEEP = "sleep 1000";
    /** Saves and ends when it is asked to, as a training does. */
    private static final String SAVES = "trap 'echo saved; exit 0' TERM; echo ready; while :; do sleep 0.1; done";
    /** Is not impressed by SIGTERM, nor are its children. */
    private static final String STUBBORN = "trap '' TERM; echo ready; while :; do sleep 0.1; done";

    @TempDir
    private Path folder;

    private static final int LOG_BYTES = 100_000;
    private static final ProcessRuns.LogBounds BOUNDS =
            new ProcessRuns.LogBounds(LOG_BYTES, Long.MAX_VALUE, 100, Duration.ofDays(1));

    private StateDirectory state;
    private ProcessRuns runs;

    @BeforeEach
    void open() throws IOException {
        state = StateDirectory.open(folder);
        new LeaseFile(state).renew(LeaseFile.uptime(), Duration.ofHours(1));
        runs = reattach();
    }

    @AfterEach
    void endEverything() throws Exception {
        runs.all().forEach(run -> run.stop("end of the test", 0));
        await(() -> {
            runs.observe();
            return runs.all().stream().allMatch(run -> run.phase() == ProcessRun.Phase.ENDED);
        });
        state.close();
    }

    @Nested
    class AProcess {
        @Test
        void hasWhatItIsGivenAndNothingOfTheAgents() throws Exception {
            ProcessRun run =
                    runs.start(spec("a.1", List.of("d/0"), "echo $GREETING; env | grep -c '^SPUR_TOKEN=' ; exit 0"));
            awaitPhase(run, ProcessRun.Phase.ENDED);

            assertThat(log("a", 1, 0)).isEqualTo("hello\n0\n");
            assertThat(run.exitCode()).hasValue(0);
            assertThat(run.wasRequested()).isFalse();
        }

        @Test
        void limitsItsLogWhileItWrites() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), "seq 200000; echo the end"));
            awaitPhase(run, ProcessRun.Phase.ENDED);

            ProcessOutput output = runs.outputs(run).get(0);
            assertThat(Files.size(output.log())).isBetween(1L, (long) LOG_BYTES);
            assertThat(Files.size(output.earlierLog())).isEqualTo(LOG_BYTES);
            assertThat(Files.readString(output.earlierLog()) + Files.readString(output.log()))
                    .contains("\n199998\n199999\n200000\nthe end\n");
            assertThat(run.exitCode()).hasValue(0);
        }

        @Test
        void logsEachLineAtOnce() throws Exception {
            runs.start(spec("a.1", List.of("d/0"), "printf begun; sleep 1000"));

            awaitLog("a", 1, 0, "begun");
        }

        @Test
        void thatFailsSaysHow() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), "exit 7"));
            awaitPhase(run, ProcessRun.Phase.ENDED);

            assertThat(run.exitCode()).hasValue(7);
            assertThat(run.wasRequested()).isFalse();
        }

        @Test
        void thatCannotBeFoundFails() throws Exception {
            var process = new ProcessSpec(0, List.of("/no/such/program"), Map.of(), "");
            ProcessRun run = runs.start(new RunSpec("a.1", "a", 1, List.of("d/0"), List.of(process), 5, true, 0, 0));
            awaitPhase(run, ProcessRun.Phase.ENDED);

            assertThat(run.exitCode()).hasValue(127);
            assertThat(run.wasRequested()).isFalse();
        }

        @Test
        void thatCannotStartLogsWhy() {
            var process = new ProcessSpec(0, List.of("true"), Map.of(), "/no/such/folder");
            RunSpec spec = new RunSpec("a.1", "a", 1, List.of("d/0"), List.of(process), 5, true, 0, 0);

            assertThatThrownBy(() -> runs.start(spec)).isInstanceOf(IOException.class);

            ProcessRun run = runs.find("a.1").orElseThrow();
            assertThat(run.exitCode()).hasValue(1);
            assertThat(runs.outputs(run).get(0).log()).content().contains("could not start", "/no/such/folder");
        }

        @Test
        void thatFailedFirstIsNotStopped() throws Exception {
            Path started = folder.resolve("started"); // a guard that is stopped before its trap would report 137
            String fail = "until [ -e %s ]; do sleep 0.01; done; exit 3".formatted(started);
            ProcessSpec fails = new ProcessSpec(0, List.of("sh", "-c", fail), Map.of(), "");
            String wait = "touch %s; exec sleep 1000".formatted(started);
            ProcessSpec waits = new ProcessSpec(1, List.of("sh", "-c", wait), Map.of(), "");
            ProcessRun run =
                    runs.start(new RunSpec("a.1", "a", 1, List.of("d/0"), List.of(fails, waits), 5, true, 0, 0));
            awaitPhase(run, ProcessRun.Phase.ENDED);

            List<ProcessOutput.ProcessEnd> ends = runs.outputs(run).stream()
                    .map(output -> output.end(true).orElseThrow())
                    .toList();
            assertThat(ends).extracting(ProcessOutput.ProcessEnd::exitCode).containsExactly(3, 143);
            assertThat(ends).extracting(ProcessOutput.ProcessEnd::stopped).containsExactly(false, true);
        }

        @Test
        void thatFailedIsNotStoppedWhereTheClockOfFilesShowsTheSameTime() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), "exit 3"));
            awaitPhase(run, ProcessRun.Phase.ENDED);
            run.folder().markFailed("");
            Path exit = run.folder().of(0).resolve(RunFolder.EXIT);
            Files.setLastModifiedTime(
                    run.folder().stopMarks().filter(Files::exists).findFirst().orElseThrow(),
                    Files.getLastModifiedTime(exit));

            assertThat(runs.outputs(run).get(0).end(true).orElseThrow().stopped())
                    .isFalse();
        }

        @Test
        void leavesNoChildBehind() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), "setsid sleep 1000 & exit 0"));
            awaitPhase(run, ProcessRun.Phase.ENDED);

            assertThat(ProcessTable.carrying(ProcessRun.MARK, run.mark())).isEmpty();
        }
    }

    @Test
    void anotherAgentsPartOfTheSameGangIsLeftAlone(@TempDir Path elsewhere) throws Exception {
        try (StateDirectory other = StateDirectory.open(elsewhere)) {
            new LeaseFile(other).renew(LeaseFile.uptime(), Duration.ofHours(1));
            ProcessRuns others = ProcessRuns.reattach(other, Optional.empty(), BOUNDS, line -> {});
            ProcessRun left = runs.start(spec("a.1", List.of("d/0"), "exit 0"));
            ProcessRun right = others.start(spec("a.1", List.of("d/0"), SLEEP));
            await(() -> right.pid().isPresent());
            awaitPhase(left, ProcessRun.Phase.ENDED);
            others.observe();

            assertThat(right.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
            others.stop("a.1", "end of the test", 0);
            await(() -> {
                others.observe();
                return right.phase() == ProcessRun.Phase.ENDED;
            });
        }
    }

    @Nested
    class TellingToEnd {
        @Test
        void leavesTimeToSave() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), SAVES));
            awaitLog("a", 1, 0, "ready");
            runs.stop("a.1", "RESIZED", 30);
            assertThat(run.phase()).isEqualTo(ProcessRun.Phase.STOPPING);
            awaitPhase(run, ProcessRun.Phase.ENDED);

            assertThat(log("a", 1, 0)).contains("saved");
            assertThat(run.exitCode()).hasValue(0);
            assertThat(run.wasRequested()).isTrue();
        }

        @Test
        void killsWhatDoesNotListenInTime() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), STUBBORN));
            awaitLog("a", 1, 0, "ready");
            runs.stop("a.1", "RESIZED", 0.2);
            awaitPhase(run, ProcessRun.Phase.ENDED);

            assertThat(ProcessTable.carrying(ProcessRun.MARK, run.mark())).isEmpty();
            assertThat(run.wasRequested()).isTrue();
            assertThat(run.exitCode()).hasValue(137);
        }

        @Test
        void isReported() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), SLEEP));
            runs.stop("a.1", "RESIZED", 30);

            assertThat(run.folder().control().resolve("stop")).hasContent("RESIZED");
        }

        @Test
        void anEndThatTheReporterRequestedCountsAsStopped() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), "touch ${SPUR_REPORT_URL#file://}asked"));
            awaitPhase(run, ProcessRun.Phase.ENDED);

            assertThat(run.exitCode()).hasValue(0);
            assertThat(run.wasRequested()).isTrue();
        }
    }

    @Test
    void aFailedProcessStopsTheOthersAndFailsTheRun() throws Exception {
        ProcessRun run = runs.start(spec("a.1", List.of("d/0", "d/1"), SAVES, "exit 3"));
        awaitPhase(run, ProcessRun.Phase.ENDED);

        assertThat(run.exitCode()).hasValue(3);
        assertThat(run.wasRequested()).isFalse();
    }

    @Nested
    class ADevice {
        @Test
        void isNeverHeldByTwoRuns() throws Exception {
            runs.start(spec("a.1", List.of("d/0", "d/1"), SLEEP));

            assertThat(runs.areFree(List.of("d/1"), null, "a.2")).isFalse();
            assertThatThrownBy(() -> runs.start(spec("a.2", List.of("d/2", "d/1"), SLEEP)))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(runs.areFree(List.of("d/2"), null, "b.1")).isTrue();
        }

        @Test
        void isFreeIfTheStartCannotBeRecorded() throws Exception {
            Files.writeString(state.run("a.1"), "a file where the folder belongs");

            assertThatThrownBy(() -> runs.start(spec("a.1", List.of("d/0"), SLEEP)))
                    .isInstanceOf(IOException.class);
            assertThat(runs.all()).isEmpty();
            assertThat(runs.areFree(List.of("d/0"), null, "b.1")).isTrue();
        }

        @Test
        void isHeldUntilTheLastProcessHasEnded() throws Exception {
            runs.start(spec("a.1", List.of("d/0"), STUBBORN));
            awaitLog("a", 1, 0, "ready");
            runs.stop("a.1", "RESIZED", 1000);
            runs.observe();

            assertThat(runs.areFree(List.of("d/0"), null, "a.2")).isFalse();
        }

        @Test
        void isHeldThroughARestartOfTheAgent() throws Exception {
            runs.start(spec("a.1", List.of("d/0"), SLEEP));
            runs = reattach();

            assertThat(runs.areFree(List.of("d/0"), null, "a.2")).isFalse();
        }

        @Test
        void hasRoomForRunsWhoseSharesFit() throws Exception {
            runs.start(share("a.1", 0.5));
            runs.start(share("b.1", 0.25));
            runs = reattach();

            assertThat(runs.areFree(List.of("d/0"), 0.25, "c.1")).isTrue();
            assertThat(runs.areFree(List.of("d/0"), 0.26, "c.1")).isFalse();
            assertThat(runs.areFree(List.of("d/0"), null, "c.1")).isFalse();
            assertThatThrownBy(() -> runs.start(share("c.1", 0.5))).isInstanceOf(IllegalStateException.class);
            runs.start(share("c.1", 0.25));
            assertThat(runs.all()).hasSize(3);
        }

        private RunSpec share(String id, double share) {
            return new RunSpec(
                    id,
                    id.substring(0, 1),
                    1,
                    List.of("d/0"),
                    share,
                    List.of(process(0, SLEEP)),
                    5,
                    true,
                    0,
                    0,
                    null,
                    null,
                    null);
        }

        @Test
        void isFreeIfTheAgentWasKilledBeforeItStartedAnything() throws Exception {
            Files.createDirectories(state.run("a.1").resolve("report"));
            runs = reattach();

            assertThat(runs.all()).isEmpty();
            assertThat(runs.areFree(List.of("d/0"), null, "a.2")).isTrue();
        }
    }

    @Nested
    class ARunWhoseRanksChange {
        private final RunSpec.Limits none = new RunSpec.Limits(0, 0);

        @Test
        void holdsAllDevicesUntilTheRanksThatLeaveHaveEnded() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0", "d/1"), SLEEP, STUBBORN));
            awaitLog("a", 1, 1, "ready");
            runs.rescale(run, 1, List.of("d/0", "d/2"), List.of(joining(2, SLEEP)), none);

            assertThat(run.spec().devices()).containsExactly("d/0", "d/1", "d/2");
            assertThat(runs.completeRescale(run, List.of("d/0", "d/2"), false)).isFalse();
            assertThat(runs.areFree(List.of("d/1"), null, "b.1")).isFalse();
            await(() -> runs.completeRescale(run, List.of("d/0", "d/2"), true));
            runs.observe();

            assertThat(run.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
            assertThat(runs.areFree(List.of("d/1"), null, "b.1")).isTrue();
            assertThat(runs.areFree(List.of("d/2"), null, "b.1")).isFalse();
            assertThat(run.spec().processes()).extracting(ProcessSpec::rank).containsExactly(0, 2);
        }

        @Test
        void takesNoDeviceOfAnotherRun() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), SLEEP));
            runs.start(spec("b.1", List.of("d/1"), SLEEP));

            assertThatThrownBy(() -> runs.rescale(run, 1, List.of("d/0", "d/1"), List.of(joining(1, SLEEP)), none))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(run.spec().devices()).containsExactly("d/0");
        }

        @Test
        void failsIfARankThatJoinsFails() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), SLEEP));
            runs.rescale(run, 1, List.of("d/0", "d/1"), List.of(joining(1, "exit 3")), none);
            awaitPhase(run, ProcessRun.Phase.ENDED);

            assertThat(run.exitCode()).isNotEqualTo(OptionalInt.of(0));
            assertThat(run.wasRequested()).isFalse();
            assertThat(runs.areFree(List.of("d/0", "d/1"), null, "b.1")).isTrue();
        }

        @Test
        void succeedsIfARankThatJoinsFailsBecauseTheTrainingHasEnded() throws Exception {
            Path end = folder.resolve("end");
            String awaitEnd = "until [ -e %s ]; do sleep 0.02; done;".formatted(end);
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), awaitEnd + "exit 0"));
            ProcessSpec joining = joining(1, awaitEnd + "sleep 0.2; exit 1");
            runs.rescale(run, 1, List.of("d/0", "d/1"), List.of(joining), none);
            Files.createFile(end);
            awaitPhase(run, ProcessRun.Phase.ENDED);

            assertThat(run.exitCode()).hasValue(0);
            assertThat(run.wasRequested()).isFalse();
        }

        @Test
        void endsWithTheTrainingWhileARankStillWaitsToJoin() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), "exit 0"));
            runs.rescale(run, 1, List.of("d/0", "d/1"), List.of(joining(1, SLEEP)), none);
            await(() -> {
                runs.observe();
                runs.endAbandonedRanks(run, false);
                return run.phase() == ProcessRun.Phase.ENDED;
            });

            assertThat(run.exitCode()).hasValue(0);
            assertThat(run.wasRequested()).isFalse();
        }

        @Test
        void waitsOnANodeWhereAllRanksJoin() throws Exception {
            ProcessSpec joining = joining(10_001, SLEEP);
            ProcessRun run = runs.start(
                    new RunSpec("a.1", "a", 1, List.of("d/0"), null, List.of(joining), 5, false, 0, 0, 1, null, null));
            await(() -> run.folder().guard(10_001).isPresent());
            runs.endAbandonedRanks(run, true);
            runs.observe();

            assertThat(run.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
            assertThat(runs.completeRescale(run, List.of("d/0"), false)).isTrue();
            assertThat(run.spec().isRescaling()).isFalse();
        }

        @Test
        void failsIfTheAgentWasKilledBeforeItStartedARank() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), SLEEP));
            runs.rescale(run, 1, List.of("d/0", "d/1"), List.of(joining(1, "exit 0")), none);
            await(() -> run.folder().exit(1).isPresent());
            Folders.delete(run.folder().of(1));
            runs = reattach();
            ProcessRun after = runs.all().iterator().next();

            assertThat(after.spec().isRescaling()).isTrue();
            runs.endAbandonedRanks(after, true);
            awaitPhase(after, ProcessRun.Phase.ENDED);
            assertThat(after.wasRequested()).isFalse();
            assertThat(runs.areFree(List.of("d/0", "d/1"), null, "b.1")).isTrue();
        }
    }

    @Nested
    class AfterARestartOfTheAgent {
        @Test
        void waitsForItsStartWithItsDevices() throws Exception {
            String waits =
                    "touch ${SPUR_REPORT_URL#file://}ready-${SPUR_PROCESS_DIR##*/}; until [ -e \"$SPUR_WARM_UP\" ]; do sleep 0.02; done;"
                            + " cat $SPUR_WARM_UP";
            ProcessRun run = runs.warmUp(spec("a.1", List.of("d/0", "d/1"), waits, waits));
            await(run::isReady);
            runs = reattach();
            ProcessRun after = runs.all().iterator().next();

            assertThat(after.isWarming()).isTrue();
            assertThat(runs.areFree(List.of("d/0"), null, "b.1")).isFalse();
            after.begin("{\"NAME\": \"value\"}");
            awaitPhase(after, ProcessRun.Phase.ENDED);

            assertThat(after.isWarming()).isFalse();
            assertThat(after.exitCode()).hasValue(0);
            assertThat(log("a", 1, 1)).contains("value");
        }

        @Test
        void runsGoOn() throws Exception {
            ProcessRun before = runs.start(spec("a.1", List.of("d/0"), SAVES));
            awaitLog("a", 1, 0, "ready");
            long pid = before.pid().orElseThrow();
            runs = reattach();
            runs.observe();
            ProcessRun after = runs.all().iterator().next();

            assertThat(after.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
            assertThat(after.pid()).hasValue(pid);
            assertThat(after.spec()).isEqualTo(before.spec());

            runs.stop("a.1", "RESIZED", 30);
            awaitPhase(after, ProcessRun.Phase.ENDED);
            assertThat(log("a", 1, 0)).contains("saved");
            assertThat(after.exitCode()).hasValue(0);
        }

        @Test
        void whatEndedMeanwhileSaysHow() throws Exception {
            ProcessRun before = runs.start(spec("a.1", List.of("d/0"), "exit 4"));
            await(() -> before.exitCode().isPresent());
            runs = reattach();
            ProcessRun after = runs.all().iterator().next();
            awaitPhase(after, ProcessRun.Phase.ENDED);

            assertThat(after.exitCode()).hasValue(4);
            assertThat(runs.areFree(List.of("d/0"), null, "a.2")).isTrue();
        }

        @Test
        void anotherProcessWithTheSameNumberIsNotTakenForTheRun() throws Exception {
            runs.start(spec("a.1", List.of("d/0"), "exit 0"));
            Path noted = state.run("a.1").resolve("0").resolve("pid");
            await(() -> Files.exists(noted.resolveSibling("exit")));
            SmallFile.write(noted, ProcessHandle.current().pid() + " 1");
            runs = reattach();
            ProcessRun after = runs.all().iterator().next();
            awaitPhase(after, ProcessRun.Phase.ENDED);

            assertThat(after.exitCode()).hasValue(0);
        }

        @Test
        void aStoppedRunStaysStopped() throws Exception {
            ProcessRun before = runs.start(
                    new RunSpec("a.1", "a", 1, List.of("d/0"), List.of(process(0, STUBBORN)), 1, true, 0, 0));
            awaitLog("a", 1, 0, "ready");
            before.stop("RESIZED", 1000);
            runs = reattach();
            ProcessRun after = runs.all().iterator().next();

            assertThat(after.phase()).isEqualTo(ProcessRun.Phase.STOPPING);
            assertThat(after.wasRequested()).isTrue();
            awaitPhase(after, ProcessRun.Phase.ENDED);
        }
    }

    @Nested
    class ALeaseThatHasLapsed {
        @Test
        void endsWhatRunsWithoutTheAgent() throws Exception {
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), SAVES));
            awaitLog("a", 1, 0, "ready");
            new LeaseFile(state).renew(LeaseFile.uptime(), Duration.ZERO);
            await(() -> run.exitCode().isPresent());

            assertThat(log("a", 1, 0)).contains("saved");
            assertThat(run.wasRequested()).isTrue();
        }

        @Test
        void killsWithoutTheAgentWhatDoesNotListen() throws Exception {
            ProcessRun run = runs.start(
                    new RunSpec("a.1", "a", 1, List.of("d/0"), List.of(process(0, STUBBORN)), 1, true, 0, 0));
            awaitLog("a", 1, 0, "ready");
            new LeaseFile(state).renew(LeaseFile.uptime(), Duration.ZERO);
            await(() -> ProcessTable.carrying(ProcessRun.MARK, run.mark()).isEmpty());

            assertThat(run.folder().isAlive(0)).isFalse();
            assertThat(run.wasRequested()).isTrue();
        }

        @Test
        void isAlsoOneOfWhichNothingIsLeftOnDisk() throws Exception {
            runs.start(spec("a.1", List.of("d/0"), SAVES));
            awaitLog("a", 1, 0, "ready");
            Path retained = folder.resolve("runs");
            long pid = new Scanner(Files.readString(retained.resolve("a.1/0/pid"))).nextLong();
            Folders.delete(retained);
            Files.createDirectories(retained);
            runs = reattach();

            await(() -> ProcessHandle.of(pid).isEmpty());
        }

        @Test
        void startsNothing() throws Exception {
            new LeaseFile(state).renew(LeaseFile.uptime(), Duration.ZERO);
            ProcessRun run = runs.start(spec("a.1", List.of("d/0"), "echo begun"));
            awaitPhase(run, ProcessRun.Phase.ENDED);

            assertThat(state.log("a", 1, 0)).doesNotExist();
            assertThat(run.wasRequested()).isTrue();
        }
    }

    @Test
    void twoAgentsDoNotShareAFolder() {
        assertThatThrownBy(() -> StateDirectory.open(folder)).hasMessageContaining("--state");
    }

    @Test
    void whatHasEndedIsForgottenOnDemand() throws Exception {
        ProcessRun run = runs.start(spec("a.1", List.of("d/0"), "exit 0"));
        awaitPhase(run, ProcessRun.Phase.ENDED);
        runs.forget("a.1");

        assertThat(runs.all()).isEmpty();
        assertThat(state.run("a.1")).doesNotExist();
        assertThat(reattach().all()).isEmpty();
    }

    @Test
    void limitsAreWrittenToTheControlGroup() throws Exception {
        Path parent = Files.createDirectories(folder.resolve("cgroup"));
        Path group = Files.createDirectories(parent.resolve("spur"));
        Files.writeString(parent.resolve("cgroup.controllers"), "cpuset cpu io memory pids\n");
        Files.writeString(group.resolve("cgroup.controllers"), "cpuset cpu io memory pids\n");
        var limits = ControlGroup.open(group);
        limits.create(new RunSpec("a.1", "a", 1, List.of("d/0"), List.of(process(0, SLEEP)), 1, true, 1.5, 2));

        assertThat(group.resolve("cgroup.subtree_control")).hasContent("+cpu +memory");
        assertThat(group.resolve("a.1/cpu.max")).hasContent("150000 100000");
        assertThat(group.resolve("a.1/memory.max")).hasContent("2147483648");
        assertThatThrownBy(() -> ControlGroup.open(folder.resolve("none")))
                .hasMessageContaining("not in a control group");
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void aChangedLimitSlowsARunDownAndDoesNotKillIt() throws Exception {
        Path parent = Files.createDirectories(folder.resolve("cgroup"));
        Path group = Files.createDirectories(parent.resolve("spur"));
        Files.writeString(parent.resolve("cgroup.controllers"), "cpu memory\n");
        Files.writeString(group.resolve("cgroup.controllers"), "cpu memory\n");
        var limits = ControlGroup.open(group);
        RunSpec started = new RunSpec("a.1", "a", 1, List.of("d/0"), List.of(process(0, SLEEP)), 1, true, 1.5, 2);
        limits.create(started);

        limits.change(started.withLimits(new RunSpec.Limits(0.5, 1)));
        assertThat(group.resolve("a.1/cpu.max")).hasContent("50000 100000");
        assertThat(group.resolve("a.1/memory.max")).hasContent("2147483648");
        assertThat(group.resolve("a.1/memory.high")).hasContent("1073741824");

        limits.change(started.withLimits(new RunSpec.Limits(2, 4)));
        assertThat(group.resolve("a.1/memory.max")).hasContent("4294967296");
        assertThat(group.resolve("a.1/memory.high")).hasContent("max");
    }

    private ProcessRuns reattach() throws IOException {
        return ProcessRuns.reattach(state, Optional.empty(), BOUNDS, line -> {});
    }

    private static RunSpec spec(String id, List<String> devices, String... scripts) {
        List<ProcessSpec> processes = new ArrayList<>();
        for (String script : scripts) {
            processes.add(process(processes.size(), script));
        }
        String[] parts = id.split("\\.", -1);
        return new RunSpec(id, parts[0], Long.parseLong(parts[1]), devices, processes, 5, true, 0, 0);
    }

    private static ProcessSpec process(int rank, String script) {
        return new ProcessSpec(rank, List.of("sh", "-c", script), Map.of("GREETING", "hello"), "");
    }

    private static ProcessSpec joining(int number, String script) {
        return new ProcessSpec(number, List.of("sh", "-c", script), Map.of("SPUR_RESCALE", "1"), "");
    }

    private String log(String job, long generation, int rank) throws IOException {
        return Files.readString(state.log(job, generation, rank));
    }

    private void awaitLog(String job, long generation, int rank, String text) throws Exception {
        await(() -> SmallFile.read(state.log(job, generation, rank))
                .filter(log -> log.contains(text))
                .isPresent());
    }

    private void awaitPhase(ProcessRun run, ProcessRun.Phase phase) throws Exception {
        await(() -> {
            runs.observe();
            return run.phase() == phase;
        });
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
