package dev.spur.benchmarks;

import dev.spur.benchmarks.health.HealthProbe;
import dev.spur.benchmarks.health.SlowNeighbors;
import dev.spur.benchmarks.load.ServiceProcess;
import dev.spur.simulator.report.ResultTable;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Benchmark of the health endpoints while callers and neighbors are slow on purpose. */
final class HealthBenchmark implements Benchmark {
    private static final List<String> ENDPOINTS = List.of("/health/live", "/health/ready");

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "Duration of each row (${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--bodies",
            paramLabel = "N",
            defaultValue = "200",
            description = "Requests whose bodies arrive at one byte per second (${DEFAULT-VALUE}).")
    private int bodies;

    @Option(
            names = "--tokens",
            paramLabel = "N",
            defaultValue = "200",
            description = "Callers at a time with tokens of unknown keys (${DEFAULT-VALUE}).")
    private int tokens;

    @Option(
            names = "--webhooks",
            paramLabel = "N",
            defaultValue = "16",
            description = "Webhooks whose receivers do not respond (${DEFAULT-VALUE}).")
    private int webhooks;

    @Override
    public String name() {
        return "health";
    }

    @Override
    public String summary() {
        return "response times of the health endpoints under slow bodies, invented tokens and silent webhooks";
    }

    @Override
    public ResultTable measure() throws Exception {
        Path home = Files.createTempDirectory("spur-bench");
        List<List<String>> rows = new ArrayList<>();
        try (SlowNeighbors neighbors = new SlowNeighbors();
                ServiceProcess service = ServiceProcess.start(home, neighbors.environment())) {
            URI address = service.address();
            add(rows, "none", address);
            neighbors.deliver(address, webhooks);
            add(rows, webhooks + " webhooks", address);
            neighbors.sendTokens(address, tokens);
            add(rows, "and " + tokens + " tokens", address);
            neighbors.sendBodies(address, bodies);
            add(rows, "and " + bodies + " bodies", address);
            System.err.println(neighbors.counts());
        } finally {
            ServiceProcess.delete(home);
        }
        return new ResultTable(List.of("neighbors", "endpoint", "count", "failed", "p50_ms", "p99_ms", "max_ms"), rows);
    }

    private void add(List<List<String>> rows, String neighbors, URI service) throws InterruptedException {
        for (String endpoint : ENDPOINTS) {
            rows.add(Stream.concat(
                            Stream.of(neighbors, endpoint),
                            new HealthProbe(service.resolve(endpoint)).probe(seconds).stream())
                    .toList());
        }
    }
}
