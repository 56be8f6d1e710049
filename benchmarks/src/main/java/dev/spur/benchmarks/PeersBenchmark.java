package dev.spur.benchmarks;

import dev.spur.benchmarks.load.PeerScenarios;
import dev.spur.benchmarks.load.ServiceProcess;
import dev.spur.benchmarks.load.SpurClient;
import dev.spur.simulator.report.ResultTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * Benchmark of the scenarios for which KAI-Scheduler publishes times, on a cluster of the same size: a service with its
 * default settings, over REST. KAI's times include an API server and the binding of pods, those of Spur do not.
 */
final class PeersBenchmark implements Benchmark {
    @Option(
            names = "--gangs",
            paramLabel = "N",
            defaultValue = "41",
            description = "Number of gangs that need whole nodes (${DEFAULT-VALUE}).")
    private int gangs;

    private final List<Map<String, String>> rows = new ArrayList<>();

    /** Scenario of a running service; its result is in seconds. */
    private interface Scenario {
        double run() throws Exception;
    }

    @Override
    public String name() {
        return "peers";
    }

    @Override
    public String summary() {
        return "published scenarios of other schedulers: seconds from the first submission to the published plan";
    }

    @Override
    public ResultTable measure() throws Exception {
        rows.clear();
        Path home = Files.createTempDirectory("spur-bench");
        try (ServiceProcess service = ServiceProcess.start(home, Map.of())) {
            SpurClient client = new SpurClient(service.address(), "bench");
            PeerScenarios scenarios = new PeerScenarios(client);
            measure("gang of 512 slots within a block", 48.7, 1, scenarios::startGang);
            client.cancelAll(1);
            measure("4,000 jobs of one slot", 398, 10, scenarios::fill);
            measure("reason why a gang of 80 slots waits", 249.5, 1, scenarios::explainWaiting);
            measure("reclaim of 2,000 slots", 102, 5, scenarios::reclaim);
            measure("%d gangs that need whole nodes".formatted(gangs), 456, 20, () -> scenarios.consolidate(gangs));
        } finally {
            ServiceProcess.delete(home);
        }
        return ResultTable.of(rows);
    }

    private void measure(String name, double published, double aim, Scenario scenario) throws Exception {
        double seconds = scenario.run();
        Map<String, String> row = new LinkedHashMap<>();
        row.put("scenario", name);
        row.put("kai_published_s", String.format(Locale.ROOT, "%.1f", published));
        row.put("aim_s", String.format(Locale.ROOT, "%.0f", aim));
        row.put("seconds", Double.isFinite(seconds) ? String.format(Locale.ROOT, "%.2f", seconds) : "not reached");
        rows.add(row);
        System.err.println(row);
    }
}
