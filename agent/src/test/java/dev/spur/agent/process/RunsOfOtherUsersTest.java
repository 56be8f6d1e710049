package dev.spur.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.agent.process.RunSpec.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With real users and processes; the agent is the test itself, which runs as root. */
@Tag("process")
class RunsOfOtherUsersTest {
    private static final String SECRET = "only root reads this";
    private static final ProcessRuns.LogBounds BOUNDS =
            new ProcessRuns.LogBounds(100_000, Long.MAX_VALUE, 100, Duration.ofDays(1));

    @TempDir
    private Path folder;

    private TestUsers users;
    private StateDirectory state;
    private UserFolders folders;
    private ProcessRuns runs;
    private RunSpec.Owner vision;
    private RunSpec.Owner speech;
    private Path secret;

    @BeforeEach
    void open() throws IOException {
        users = new TestUsers();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        secret = folder.resolve("secret");
        SmallFile.write(secret, SECRET);
        state = StateDirectory.open(folder.resolve("state"));
        state.admitJobUsers();
        folders = new UserFolders(state);
        new LeaseFile(state).renew(LeaseFile.uptime(), Duration.ofHours(1));
        vision = owner("vision");
        speech = owner("speech");
        runs = reattach();
    }

    private RunSpec.Owner owner(String tenant) throws IOException {
        JobUser user = TestUsers.find(users.add());
        return new RunSpec.Owner(user, folders.prepare(user, tenant).toString());
    }

    @AfterEach
    void endEverything() throws Exception {
        if (runs != null) {
            runs.all().forEach(run -> run.stop("end of the test", 0));
            await(() -> {
                runs.observe();
                return runs.all().stream().allMatch(run -> run.phase() == ProcessRun.Phase.ENDED);
            });
            state.close();
        }
        if (users != null) { // null where the tests are skipped
            users.close();
        }
    }

    @Nested
    class AProcess {
        @Test
        void hasTheUserAndGroupsAndNoPrivileges() throws Exception {
            run(
                    "a",
                    vision,
                    "id -u; id -g; id -G; echo $HOME $USER $LOGNAME $GREETING; grep NoNewPrivs /proc/self/status");

            JobUser user = vision.user();
            assertThat(log("a").lines())
                    .containsExactly(
                            Long.toString(user.uid()),
                            Long.toString(user.gid()),
                            Long.toString(user.gid()),
                            "%s %s %s it's \"quoted\"".formatted(user.home(), user.name(), user.name()),
                            "NoNewPrivs:\t1");
        }

        @Test
        void startsInAFolderOfItsOwn() throws Exception {
            run("a", vision, "pwd; echo text > file; stat -c %a:%u . ; echo error > /dev/stderr");

            assertThat(log("a").lines())
                    .containsExactly(
                            vision.work() + "/a", "700:" + vision.user().uid(), "error");
            assertThat(Path.of(vision.work(), "a/file")).hasContent("text");
        }

        @Test
        void cannotStartInAFolderThatItsUserCannotEnter() throws Exception {
            Path inner = Files.createDirectories(folder.resolve("closed/inner"));
            Files.setPosixFilePermissions(inner.getParent(), PosixFilePermissions.fromString("rwx------"));
            ProcessSpec process = new ProcessSpec(0, List.of("pwd"), Map.of(), inner.toString());
            ProcessRun run = runs.start(spec("a", process).ownedBy(vision));
            awaitEnd(run);

            assertThat(log("a")).contains("cannot enter the working directory " + inner);
            assertThat(run.exitCode()).hasValue(1);
        }

        @Test
        void hasVariablesThatDoNotReachTheGuard() throws Exception {
            Path marker = folder.resolve("marker");
            Path program = folder.resolve("mkfifo");
            Files.writeString(program, "#!/bin/sh\necho $(id -u) >> " + marker + "\n");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
            ProcessSpec process = new ProcessSpec(
                    0,
                    List.of("sh", "-c", "echo $PATH; exec /bin/sleep 2"),
                    Map.of("PATH", folder + ":/usr/bin:/bin", "LD_PRELOAD", "/none.so", "BASH_ENV", program.toString()),
                    "");
            awaitEnd(runs.start(spec("a", process).ownedBy(vision)));

            assertThat(log("a")).contains(folder + ":/usr/bin:/bin");
            assertThat(marker).doesNotExist();
        }

        @Test
        void cannotReadTheEnvironmentOfTheAgentNorOfItsGuard() throws Exception {
            long agent = ProcessHandle.current().pid();
            run(
                    "a",
                    vision,
                    "cat /proc/%d/environ || echo no agent; cat /proc/$PPID/environ || echo no guard; env | grep -c '^SPUR_TOKEN'"
                            .formatted(agent));

            assertThat(log("a")).contains("no agent").contains("no guard").endsWith("\n0\n");
        }

        @Test
        void cannotReadWhatAnotherTenantHas() throws Exception {
            ProcessRun other =
                    start("b", speech, "echo mine > file; touch ${SPUR_REPORT_URL#file://}/ready-0; sleep 1000");
            await(other::isReady);
            String files =
                    "for f in %s %s/b %s/b/file %s %s/report %s/control %s/0 %s/0/environment %s %s; do cat $f; ls $f/; done; echo done"
                            .formatted(
                                    speech.work(),
                                    speech.work(),
                                    speech.work(),
                                    state.run("b.1"),
                                    state.run("b.1"),
                                    state.run("b.1"),
                                    state.run("b.1"),
                                    state.run("b.1"),
                                    state.log("b", 1, 0),
                                    secret);
            run(
                    "a",
                    vision,
                    files + "; cat /proc/%d/environ".formatted(other.pid().orElseThrow()));

            assertThat(log("a").lines()
                            .filter(line -> !line.contains("Permission denied") && !line.contains("Not a directory")))
                    .containsExactly("done");
            assertThat(other.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
        }

        @Test
        void cannotChangeWhatTheAgentWrites() throws Exception {
            String own = state.run("a.1").toString();
            run(
                    "a",
                    vision,
                    ("for f in %1$s/run.json %1$s/0/pid %1$s/0/exit.new %1$s/control/stop %2$s %3$s %4$s; do "
                                    + "echo x > $f; rm -rf $f; ln -sf %5$s $f; done; mv %1$s/report %1$s/other; mv %1$s/control %1$s/other; cat %1$s/0/pid | wc -w; cat %3$s | wc -w")
                            .formatted(own, state.log("a", 1, 0), state.lease(), state.guard(), secret));

            assertThat(log("a")).endsWith("2\n2\n");
            assertThat(Files.isSymbolicLink(state.lease())).isFalse();
            assertThat(runs.find("a.1").orElseThrow().exitCode()).hasValue(0);
            assertThat(state.run("a.1").resolve("other")).doesNotExist();
            assertThat(state.run("a.1").resolve("run.json")).content().contains("\"jobId\":\"a\"");
        }
    }

    @Nested
    class AReport {
        private static final String REPORT = "${SPUR_REPORT_URL#file://}/progress.json";

        @Test
        void isReadIfItIsAFile() throws Exception {
            ProcessRun run = run("a", vision, "echo '{\"samples\": 5}' > " + REPORT);

            assertThat(run.report()).hasValue("{\"samples\": 5}");
        }

        @Test
        void isEmptyIfItIsALinkToAFileOfRoot() throws Exception {
            ProcessRun run = run(
                    "a",
                    vision,
                    "ln -s %s %s; ln -s %s ${SPUR_REPORT_URL#file://}/asked".formatted(secret, REPORT, secret));

            assertThat(run.report()).hasValue("");
            runs.forget("a.1");
            assertThat(state.run("a.1")).doesNotExist();
            assertThat(secret).hasContent(SECRET);
        }

        @Test
        @Timeout(60)
        void isEmptyIfItIsAPipe() throws Exception {
            ProcessRun run = start(
                    "a", vision, "mkfifo %s; touch ${SPUR_REPORT_URL#file://}/ready-0; sleep 1000".formatted(REPORT));
            await(run::isReady);

            assertThat(run.report()).hasValue("");
        }

        @Test
        void isEmptyIfItIsTooLargeOrAFolder() throws Exception {
            ProcessRun large = run("a", vision, "head -c 100000 /dev/zero > " + REPORT);
            ProcessRun nested = run("b", vision, "mkdir " + REPORT);

            assertThat(large.report()).hasValue("");
            assertThat(nested.report()).hasValue("");
        }
    }

    @Nested
    class TheFolderOfARun {
        @Test
        void isDeletedWithoutFollowingLinks() throws Exception {
            Path outside = Files.createDirectories(folder.resolve("outside"));
            SmallFile.write(outside.resolve("file"), SECRET);
            run(
                    "a",
                    vision,
                    ("cd ${SPUR_REPORT_URL#file://} && ln -s %1$s link && mkdir -p d && ln -s %1$s d/link "
                                    + "&& i=0; while [ $i -lt 500 ]; do mkdir deep && cd deep && ln -s %1$s link; i=$((i + 1)); done; mkdir -m 0 closed")
                            .formatted(outside));
            runs.forget("a.1");

            assertThat(state.run("a.1")).doesNotExist();
            assertThat(outside.resolve("file")).hasContent(SECRET);
        }

        @Test
        void isDeletedWhileAnotherRunOfTheUserStillWritesToIt() throws Exception {
            ProcessRun other = start(
                    "b",
                    vision,
                    "until cd %s/report/open; do sleep 0.01; done; touch ${SPUR_REPORT_URL#file://}/ready-0;"
                                    .formatted(state.run("a.1"))
                            + " i=0; while :; do true > f$i; i=$((i + 1)); done 2>/dev/null");
            start(
                    "a",
                    vision,
                    "mkdir ${SPUR_REPORT_URL#file://}/open; until [ -e %s/report/ready-0 ]; do sleep 0.01; done"
                            .formatted(state.run("b.1")));
            awaitEnd(runs.find("a.1").orElseThrow());
            runs.forget("a.1");

            assertThat(state.run("a.1")).doesNotExist();
            assertThat(other.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
            assertThat(secret).hasContent(SECRET);
        }
    }

    @Nested
    class AFolderOfATenant {
        @Test
        void isNotGivenToAnotherUser() {
            assertThatThrownBy(() -> folders.prepare(speech.user(), "vision"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("chown -R " + speech.user().name());
        }

        @Test
        void isCreatedForCheckpointsWhereOnlyRootCanReplaceIt() throws Exception {
            Path checkpoints = folder.resolve("checkpoints/vision");
            folders.prepareCheckpoints(vision.user(), checkpoints);

            run(
                    "a",
                    vision,
                    "mkdir -p %1$s/a/gen-00000001 && echo saved > %1$s/a/gen-00000001/model".formatted(checkpoints));
            run("a2", vision, "cat %s/a/gen-00000001/model".formatted(checkpoints));
            run("b", speech, "cat %1$s/a/gen-00000001/model; ls %1$s".formatted(checkpoints));

            assertThat(UserFolders.generations(vision.user(), checkpoints.resolve("a")))
                    .containsExactly("gen-00000001");
            assertThat(log("a2")).isEqualTo("saved\n");
            assertThat(log("b").lines()).hasSize(2).allMatch(line -> line.contains("Permission denied"));
        }

        @Test
        void isNotChangedByRootWhereAJobCanReplaceIt() throws Exception {
            Path shared = Files.createDirectories(folder.resolve("shared"));
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
            Path planted = Files.createSymbolicLink(shared.resolve("speech"), folder.resolve("state"));
            folders.prepareCheckpoints(vision.user(), shared.resolve("vision"));

            assertThat(Files.getAttribute(shared.resolve("vision"), "unix:uid"))
                    .isEqualTo((int) vision.user().uid());
            assertThatThrownBy(() -> folders.prepareCheckpoints(speech.user(), planted))
                    .hasMessageContaining("not a folder of the user");
            assertThat(Files.getAttribute(folder.resolve("state"), "unix:uid")).isEqualTo(0);
        }

        @Test
        void isNotListedThroughALink() throws Exception {
            Path hidden = Files.createDirectories(folder.resolve("hidden/gen-00000007/content"));
            Files.setPosixFilePermissions(folder.resolve("hidden"), PosixFilePermissions.fromString("rwx------"));
            run("a", vision, "ln -s %s gen-00000007".formatted(hidden.getParent()));

            assertThat(UserFolders.generations(vision.user(), Path.of(vision.work(), "a")))
                    .isEmpty();
            assertThatThrownBy(() -> UserFolders.generations(vision.user(), folder.resolve("state")))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aStateDirectoryThatOthersCanChangeIsRejected() throws Exception {
        Path open = Files.createDirectories(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (StateDirectory other = StateDirectory.open(open.resolve("state"))) {
            assertThatThrownBy(other::admitJobUsers).hasMessageContaining("users other than root can change " + open);
        }
    }

    @Test
    void aUserThatCannotReachTheStateDirectoryIsRejected() throws Exception {
        Path closed = Files.createDirectories(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        try (StateDirectory other = StateDirectory.open(closed.resolve("state"))) {
            other.admitJobUsers();
            assertThatThrownBy(() -> new UserFolders(other).prepare(vision.user(), "vision"))
                    .hasMessageContaining("--state");
        }
    }

    @Test
    void aRunContinuesWithoutTheAgentAndSavesOnAStop() throws Exception {
        String training =
                "trap 'echo saved; exit 0' TERM; touch ${SPUR_REPORT_URL#file://}/ready-0; while :; do sleep 0.1; done";
        ProcessRun before = start("a", vision, training);
        await(before::isReady);
        long pid = before.pid().orElseThrow();
        runs = reattach();
        runs.observe();
        ProcessRun after = runs.find("a.1").orElseThrow();

        assertThat(after.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
        assertThat(after.pid()).hasValue(pid);
        assertThat(after.spec().owner()).isEqualTo(vision);
        runs.stop("a.1", "RESIZED", 30);
        awaitEnd(after);
        assertThat(log("a")).endsWith("saved\n");
        assertThat(after.exitCode()).hasValue(0);
        assertThat(after.wasRequested()).isTrue();
    }

    @Test
    void whatIsLeftOfARunIsKilled() throws Exception {
        ProcessRun run = run("a", vision, "trap '' TERM; setsid sleep 1000 & sleep 0.5; exit 0");

        assertThat(ProcessTable.carrying(ProcessRun.MARK, run.mark())).isEmpty();
    }

    @Test
    void aRunEndsWithTheLeaseWithoutTheAgent() throws Exception {
        ProcessRun run = start(
                "a",
                vision,
                "trap 'echo saved; exit 0' TERM; touch ${SPUR_REPORT_URL#file://}/ready-0; while :; do sleep 0.1; done");
        await(run::isReady);
        new LeaseFile(state).renew(LeaseFile.uptime(), Duration.ZERO);
        await(() -> run.exitCode().isPresent());

        assertThat(log("a")).endsWith("saved\n");
        assertThat(run.wasRequested()).isTrue();
    }

    @Test
    void aRunThatWaitsReadsItsStart() throws Exception {
        String waits = "touch ${SPUR_REPORT_URL#file://}/ready-0; until [ -e \"$SPUR_WARM_UP\" ]; do sleep 0.02; done;"
                + " cat $SPUR_WARM_UP; rm -f $SPUR_WARM_UP";
        ProcessSpec process = new ProcessSpec(0, List.of("sh", "-c", waits), Map.of(), "");
        ProcessRun run = runs.warmUp(spec("a", process).ownedBy(vision));
        await(run::isReady);

        assertThat(run.isWarming()).isTrue();
        run.begin("{\"NAME\": \"value\"}");
        awaitEnd(run);
        assertThat(log("a")).contains("\"value\"").contains("Permission denied");
        assertThat(run.isWarming()).isFalse();
    }

    @Test
    void ranksThatJoinHaveTheSameUser() throws Exception {
        ProcessRun run = start("a", vision, "sleep 1000");
        ProcessSpec joining =
                new ProcessSpec(1, List.of("sh", "-c", "id -u; sleep 1000"), Map.of("SPUR_RESCALE", "1"), "");
        runs.rescale(run, 1, List.of("d/a", "d/1"), List.of(joining), new RunSpec.Limits(0, 0));
        await(() -> SmallFile.read(state.log("a", 1, 1))
                .orElse("")
                .equals(Long.toString(vision.user().uid())));

        assertThat(run.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
    }

    @Test
    void aPreparationReadsItsLoansAndCannotChangeThem() throws Exception {
        ProcessRun run = runs.start(
                spec(
                                "a",
                                new ProcessSpec(
                                        0,
                                        List.of("sh", "-c", "cat $SPUR_LOANS; echo x > $SPUR_LOANS; sleep 1000"),
                                        Map.of(),
                                        ""))
                        .ownedBy(vision),
                new ProcessRuns.InitialFiles(null, "[1]", "key"));
        await(() -> SmallFile.read(state.log("a", 1, 0)).orElse("").contains("denied"));

        assertThat(log("a")).startsWith("[1]\n");
        assertThat(run.writeLoans("[1]", "key")).isFalse();
        assertThat(run.writeLoans("[2]", "key")).isTrue();
    }

    private ProcessRun start(String job, RunSpec.Owner owner, String script) throws IOException {
        ProcessSpec process =
                new ProcessSpec(0, List.of("sh", "-c", script), Map.of("GREETING", "it's \"quoted\""), "");
        return runs.start(spec(job, process).ownedBy(owner));
    }

    private ProcessRun run(String job, RunSpec.Owner owner, String script) throws Exception {
        ProcessRun run = start(job, owner, script);
        awaitEnd(run);
        return run;
    }

    private static RunSpec spec(String job, ProcessSpec... processes) {
        List<String> devices = new ArrayList<>(List.of("d/" + job));
        return new RunSpec(job + ".1", job, 1, devices, List.of(processes), 5, true, 0, 0);
    }

    private ProcessRuns reattach() throws IOException {
        return ProcessRuns.reattach(state, Optional.empty(), BOUNDS, line -> {});
    }

    private String log(String job) throws IOException {
        return Files.readString(state.log(job, 1, 0));
    }

    private void awaitEnd(ProcessRun run) throws InterruptedException {
        await(() -> {
            runs.observe();
            return run.phase() == ProcessRun.Phase.ENDED;
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
