package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.agent.process.LeaseFile;
import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.StateDirectory;
import dev.spur.agent.protocol.Messages.LentMemory;
import dev.spur.agent.protocol.Messages.MemoryExport;
import dev.spur.agent.protocol.Messages.PreparationOrder.BorrowedMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a real nbdkit and real borrowers. */
class MemoryExportsTest {
    private static final ProcessRuns.LogBounds BOUNDS =
            new ProcessRuns.LogBounds(100_000, Long.MAX_VALUE, 100, Duration.ofDays(1));
    private static final LentMemory LENT = new LentMemory("5f0c9a52", 1, "n2", 2, null);
    /** Moves 32 MiB through 1 MiB, and prints what was read from the lender and whether all is intact. */
    private static final String BORROWER = """
            import random, sys
            from spur import memory
            pages = memory.Pages(32 << 20, 1 << 20, folder=sys.argv[1], loans=sys.argv[2])
            content = random.Random(1).randbytes(32 << 20)
            pages.write(0, content)
            intact = pages.read(0, len(content)) == content
            print(pages.missing, pages.moves.from_file, pages.moves.from_lenders > 0, intact)
            """;

    private static final String WITHOUT_TLS = """
            import nbd, sys
            nbd.NBD().connect_tcp("127.0.0.1", sys.argv[1])
            """;

    @TempDir
    private Path folder;

    private final List<String> log = new ArrayList<>();
    private final List<LentMemory> lent = new ArrayList<>();
    private StateDirectory state;
    private ProcessRuns runs;
    private MemoryLoans loans;
    private MemoryExports exports;
    private long revision;

    @BeforeEach
    void open() throws Exception {
        state = StateDirectory.open(folder.resolve("state"));
        new LeaseFile(state).renew(LeaseFile.uptime(), Duration.ofHours(1));
        start("nbdkit");
    }

    private void start(String program) throws Exception {
        MemoryServer server = MemoryServer.of(program, "n:1", Optional.of("127.0.0.1"));
        StateDirectory part = state.part("exports");
        runs = ProcessRuns.reattach(part, Optional.empty(), BOUNDS, log::add);
        loans = new MemoryLoans(folder.resolve("lends.json"), log::add);
        exports = new MemoryExports(loans, runs, part, server, log::add);
    }

    @AfterEach
    void end() throws Exception {
        lend();
        await("the end of all exports", () -> step() && runs.all().isEmpty());
        state.close();
    }

    private void lend(LentMemory... all) {
        lent.clear();
        lent.addAll(List.of(all));
        revision++;
        step();
    }

    private boolean step() {
        exports.update(lent, revision, true);
        return true;
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(20);
        }
    }

    /** Waits for the export of the only loan. */
    private MemoryExport served() throws InterruptedException {
        assumeTrue(exports.refusal().isEmpty(), () -> exports.refusal().orElseThrow());
        await("an export in " + log, () -> step() && exports.ready().size() == 1);
        return exports.ready().get(0);
    }

    private String python(String script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Interpreter.with("nbd"), "-B", "-c", script));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(Path.of("..", "python").toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.strip();
    }

    private String borrow(MemoryExport export) throws Exception {
        LoanFiles files = LoanFiles.of(List.of(new BorrowedMemory("n:1", "127.0.0.1", 2, export.port(), export.key())));
        Files.writeString(folder.resolve("loans"), files.list());
        Files.writeString(folder.resolve("loans.psk"), files.keys());
        return python(BORROWER, folder.toString(), folder.resolve("loans").toString());
    }

    @Test
    void theBorrowerMovesPagesToTheExportOfItsLoan() throws Exception {
        lend(LENT);

        assertThat(borrow(served())).isEqualTo("None 0 True True");
        assertThat(exports.usedGiB()).isBetween(31 / 1024.0, 0.5);
    }

    @Test
    void anExportIsUnreadableWithoutItsKey() throws Exception {
        lend(LENT);
        MemoryExport export = served();
        var guessed = new MemoryExport(LENT.preparationId(), 1, export.port(), "00".repeat(32));

        assertThat(borrow(guessed)).contains("the lender n:1 at 127.0.0.1").endsWith("False True");
        assertThat(python(WITHOUT_TLS, Integer.toString(export.port()))).contains("nbd.Error");
    }

    @Test
    void keysAreNeitherInLogsNorInArgumentsNorForOthers() throws Exception {
        lend(LENT);
        MemoryExport export = served();
        ProcessRun run = runs.all().iterator().next();

        assertThat(export.key()).hasSize(64);
        assertThat(log + run.spec().toString() + export).doesNotContain(export.key());
        for (Path file : allFiles()) {
            if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(export.key())) {
                assertThat(file).hasFileName("5f0c9a52.1.2.psk");
                assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
            }
        }
    }

    private List<Path> allFiles() throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void aRevokedLoanEndsWithItsExport() throws Exception {
        lend(LENT);
        served();
        loans.takeBack(2);
        step();

        assertThat(exports.ready()).isEmpty();
        await("the end", () -> step() && runs.all().isEmpty());
        assertThat(exports.usedGiB()).isZero();
    }

    @Test
    void aLoanOfAnotherSizeIsAnotherExportAfterTheFirstHasEnded() throws Exception {
        lend(LENT);
        MemoryExport first = served();
        loans.takeBack(1);
        step();
        assertThat(runs.all()).hasSize(1);

        MemoryExport second = served();
        assertThat(second.key()).isNotEqualTo(first.key());
        assertThat(borrow(second)).isEqualTo("None 0 True True");
        assertThat(runs.all()).hasSize(1);
    }

    @Test
    void anExportThatEndsByItselfStartsAgainWithAnotherKey() throws Exception {
        lend(LENT);
        MemoryExport first = served();
        runs.all()
                .forEach(run -> ProcessHandle.of(run.pid().orElseThrow())
                        .orElseThrow()
                        .descendants()
                        .forEach(ProcessHandle::destroyForcibly));
        await("the end", () -> step() && exports.ready().isEmpty());

        MemoryExport second = served();
        assertThat(second.key()).isNotEqualTo(first.key());
        assertThat(borrow(second)).isEqualTo("None 0 True True");
    }

    @Test
    void exportsContinueWithoutTheAgent() throws Exception {
        lend(LENT);
        MemoryExport first = served();
        start("nbdkit");

        assertThat(served()).isEqualTo(first);
    }

    @Test
    void aNodeWithoutNbdkitLendsNothing() throws Exception {
        start("nbdkit-that-is-missing");
        lend(LENT);

        assertThat(exports.refusal())
                .hasValue(
                        "nbdkit-that-is-missing cannot be started: apt-get install nbdkit, and start the agent again");
        assertThat(runs.all()).isEmpty();
    }
}
