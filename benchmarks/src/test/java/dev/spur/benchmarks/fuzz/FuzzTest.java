package dev.spur.benchmarks.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.benchmarks.http.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FuzzTest {
    private static final int REQUESTS = 1_500;
    private static final long SEED = 20_261_122;

    @Test
    void everyAnswerIsAsTheContractSaysAndNoneIsAFailure() throws Exception {
        Path home = Files.createTempDirectory("spur-fuzz");
        Tally tally;
        try (ServiceProcess service = ServiceProcess.start(home, Fuzzer.ENVIRONMENT)) {
            tally = new Fuzzer(service.address().getPort()).run(REQUESTS, SEED);
        } finally {
            ServiceProcess.delete(home);
        }

        System.out.println(tally.table().asText());
        assertThat(tally.findings()).as("seed " + SEED).isEmpty();
        assertThat(tally.answered(2)).as("requests that were valid").isGreaterThan(REQUESTS / 10);
        assertThat(tally.answered(4)).as("requests that were refused").isGreaterThan(REQUESTS / 4);
    }
}
