package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two real agents, of which one lends memory to what the other runs, and suddenly needs it. */
@Tag("training")
class RevokedMemoryTest {
    /** Reads all its pages again and again, and writes what is missing, and whether they have moved and are intact. */
    private static final String BORROWER = """
            import random, sys, time
            from spur import memory
            pages = memory.Pages(32 << 20, 4 << 20, folder=sys.argv[1])
            content = random.Random(1).randbytes(32 << 20)
            pages.write(0, content)
            while True:
                intact = pages.read(0, len(content)) == content
                with open(sys.argv[2], "a") as file:
                    file.write(f"{pages.missing}, {pages.moves.from_lenders > 0}, {intact}\\n")
                time.sleep(0.1)
            """;

    @TempDir
    private Path folder;

    private TrainingSite site;

    @BeforeEach
    void twoNodesOfSixteenGiB() throws Exception {
        assumeTrue(isInstalled("nbdkit", "--version"), "nbdkit is missing: apt-get install nbdkit");
        site = new TrainingSite(folder);
        for (String node : List.of("left", "right")) {
            memory(node, 15);
            site.startAgent(node, "--memory-info=" + folder.resolve(node + ".meminfo"));
        }
        TrainingSite.await(
                "both reports",
                () -> site.get("/hosts")
                        .path("items")
                        .valueStream()
                        .allMatch(node -> node.path("usedGiB").asDouble() > 0));
    }

    @AfterEach
    void stop() throws Exception {
        site.end();
    }

    /** Has a node of 16 GiB say that so many are free. */
    private void memory(String node, int availableGiB) throws IOException {
        Path now = folder.resolve(node + ".new");
        Files.writeString(now, "MemTotal: %d kB%nMemAvailable: %d kB%n".formatted(16 << 20, (long) availableGiB << 20));
        Files.move(
                now,
                folder.resolve(node + ".meminfo"),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
    }

    /** Waits for something about a preparation; what is known of it is said if it does not come. */
    private void await(String what, String preparation, Callable<Boolean> condition) throws Exception {
        try {
            TrainingSite.await(what, condition);
        } catch (AssertionError late) {
            throw new AssertionError(
                    "%s%n%s%n%s"
                            .formatted(
                                    site.get("/jobs/" + preparation + "/explanation"),
                                    site.get("/jobs/" + preparation + "/events"),
                                    site.get("/hosts")),
                    late);
        }
    }

    private static String read(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private static boolean isInstalled(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    @Test
    void pagesMoveToTheLenderAndAreIntactAfterARevocation() throws Exception {
        assumeTrue(
                isInstalled("/usr/bin/python3", "-c", "import nbd"),
                "the module nbd is missing: apt-get install python3-libnbd");
        Path program = Files.writeString(folder.resolve("borrower.py"), BORROWER);
        Path seen = folder.resolve("seen");
        String script = "PYTHONPATH=%s exec /usr/bin/python3 -B %s %s %s"
                .formatted(Path.of("..", "python").toRealPath(), program, folder, seen);
        String data = site.prepare("data", script, 20, 0.5);
        await("pages that move", data, () -> read(seen).contains("None, True, True"));

        String lender = site.get("/jobs/" + data).at("/grant/loans/0/lender").asString();
        memory(lender, 0);
        await("the end of the loan", data, () -> read(seen).contains("the preparation has no loans, True"));

        assertThat(read(seen)).doesNotContain(", False\n");
        String exports = folder.resolve(lender).resolve("exports").toString();
        TrainingSite.await(
                "the end of nbdkit",
                () -> ProcessHandle.allProcesses()
                        .flatMap(process -> process.info().commandLine().stream())
                        .noneMatch(line -> line.contains(exports)));
        site.send("POST", "/jobs/%s/cancel".formatted(data), "");
    }

    @Test
    void theLenderRevokesItsMemoryDuringAnOutageAndTheBorrowerIsNotifiedAfterwards() throws Exception {
        Path heard = folder.resolve("heard");
        String script = "trap 'cat $SPUR_LOANS >> %1$s' URG; cat $SPUR_LOANS >> %1$s; while :; do sleep 0.1; done"
                .formatted(heard);
        String data = site.prepare("data", script, 20, 0.5);
        await("the loan", data, () -> read(heard).contains("\"gib\":5"));
        JsonNode grant = site.get("/jobs/" + data).path("grant");
        String lender = grant.at("/loans/0/lender").asString();
        Path lends = folder.resolve(lender).resolve("lends.json");
        await("the file of the lender", data, () -> read(lends).contains("\"gib\":5"));

        site.toService().cut();
        memory(lender, 4);
        TrainingSite.await("the lender", () -> read(lends).contains("\"gib\":2"));
        assertThat(read(heard)).doesNotContain("\"gib\":2");
        site.toService().mend();

        TrainingSite.await(
                "the borrower",
                () -> read(heard).contains("\"gib\":2") || read(heard).contains("[]"));
        TrainingSite.await(
                "the plan", () -> site.get("/jobs/" + data).at("/grant/loans").isEmpty());
        JsonNode now = site.get("/jobs/" + data);
        assertThat(now.path("generation").asInt()).isEqualTo(1);
        List<JsonNode> revoked = site.get("/jobs/" + data + "/events")
                .path("items")
                .valueStream()
                .filter(event -> event.path("kind").asString().equals("REVOKED"))
                .toList();
        assertThat(revoked).isNotEmpty();
        assertThat(revoked.get(0).at("/detail/lender").asString()).isEqualTo(lender);
        site.send("POST", "/jobs/%s/cancel".formatted(data), "");
    }
}
