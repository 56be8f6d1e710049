package dev.spur.benchmarks;

import dev.spur.benchmarks.fuzz.FuzzResults;
import dev.spur.benchmarks.fuzz.Fuzzer;
import dev.spur.benchmarks.fuzz.ServiceLog;
import dev.spur.benchmarks.http.ServiceProcess;
import dev.spur.simulator.report.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import picocli.CommandLine.Option;

/**
 * Contract fuzzing: sends random requests derived from the contract to a service with its own PostgreSQL on this
 * machine.
 */
final class FuzzBenchmark implements Benchmark {
    private static final int SHOWN = 20;

    @Option(names = "--requests", description = "Number of requests (default: ${DEFAULT-VALUE}).")
    private int requests = 20_000;

    @Option(names = "--seed", description = "Seed of the requests (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Override
    public String name() {
        return "fuzz";
    }

    @Override
    public String summary() {
        return "random requests derived from the contract, and responses that violate it";
    }

    @Override
    public ResultTable measure() throws Exception {
        Path home = Files.createTempDirectory("spur-fuzz");
        try (ServiceProcess service = ServiceProcess.start(home, Fuzzer.ENVIRONMENT)) {
            FuzzResults tally = new Fuzzer(service.address().getPort()).run(requests, seed);
            if (!tally.findings().isEmpty()) {
                report(tally, service.output());
            }
            return tally.table();
        } finally {
            ServiceProcess.delete(home);
        }
    }

    /** Prints the findings and the log entries of these requests, and keeps the complete service log. */
    private static void report(FuzzResults tally, Path output) throws IOException {
        Path kept = Files.copy(
                output,
                Files.createTempDirectory("spur-fuzz-log").resolve("service.log"),
                StandardCopyOption.REPLACE_EXISTING);
        String log = Files.readString(kept);
        tally.findings().stream().limit(SHOWN).forEach(finding -> {
            System.err.println(finding);
            ServiceLog.about(finding.id(), log).forEach(System.err::println);
        });
        System.err.printf(
                "%d responses violated the contract. Service log: %s%n",
                tally.findings().size(), kept);
    }
}
