package dev.spur.benchmarks;

import dev.spur.benchmarks.fuzz.Fuzzer;
import dev.spur.benchmarks.fuzz.Tally;
import dev.spur.benchmarks.http.ServiceProcess;
import dev.spur.simulator.report.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Requests at random from the contract against a service with its own PostgreSQL on the same machine. */
final class FuzzBenchmark implements Benchmark {
    private static final int SHOWN = 20;

    @Option(names = "--requests", description = "How many requests (default: ${DEFAULT-VALUE}).")
    private int requests = 20_000;

    @Option(names = "--seed", description = "Seed of the requests (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Override
    public String name() {
        return "fuzz";
    }

    @Override
    public String summary() {
        return "requests at random from the contract, and answers that it does not describe";
    }

    @Override
    public Table measure() throws Exception {
        Path home = Files.createTempDirectory("spur-fuzz");
        try (ServiceProcess service = ServiceProcess.start(home, Fuzzer.ENVIRONMENT)) {
            Tally tally = new Fuzzer(service.address().getPort()).run(requests, seed);
            tally.findings().stream().limit(SHOWN).forEach(finding -> System.err.println(finding));
            return tally.table();
        } finally {
            ServiceProcess.delete(home);
        }
    }
}
