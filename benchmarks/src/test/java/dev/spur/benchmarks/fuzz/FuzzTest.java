package dev.spur.benchmarks.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.benchmarks.http.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FuzzTest {
    private static final int REQUESTS = 1_500;
    private static final long SEED = 20_261_122;

    @Test
    @Tag("process")
    void everyAnswerIsAsTheContractSaysAndNoneIsAFailure() throws Exception {
        Path home = Files.createTempDirectory("spur-fuzz");
        FuzzResults tally;
        try (ServiceProcess service = ServiceProcess.start(home, Fuzzer.ENVIRONMENT)) {
            tally = new Fuzzer(service.address().getPort()).run(REQUESTS, SEED);
        } finally {
            ServiceProcess.delete(home);
        }

        System.out.println(tally.table().asText());
        assertThat(tally.findings())
                .map(FuzzResults.Finding::words)
                .as("seed " + SEED)
                .isEmpty();
        assertThat(tally.answered(2)).as("accepted requests").isGreaterThan(REQUESTS / 10);
        assertThat(tally.answered(4)).as("rejected requests").isGreaterThan(REQUESTS / 4);
    }

    @Test
    void whatAServiceWroteOfARequestIsFoundByItsId() {
        String log = """
                The page is at http://127.0.0.1:1
                10:00:00.001 WARN  PUT /api/v1/a (request 1b): the database cannot be used: ERROR: deadlock detected
                  Detail: Process 1 waits
                10:00:00.002 ERROR POST /api/v1/b (request 1) failed
                java.lang.IllegalStateException: no
                \tat dev.spur.A
                10:00:00.003 INFO  round 1
                """;

        assertThat(ServiceLog.about("1", log)).containsExactly("""
                        10:00:00.002 ERROR POST /api/v1/b (request 1) failed
                        java.lang.IllegalStateException: no
                        \tat dev.spur.A""");
        assertThat(ServiceLog.about("1b", log)).singleElement().asString().endsWith("Process 1 waits");
        assertThat(ServiceLog.about("2", log)).isEmpty();
        assertThat(ServiceLog.about("", log)).isEmpty();
    }
}
