package dev.spur.benchmarks;

import dev.spur.benchmarks.load.ServiceProcess;
import dev.spur.benchmarks.load.SiteLoad;
import dev.spur.simulator.report.ResultTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** Load test of a service with its own PostgreSQL under a site workload of executors, submitters and dashboards. */
final class LoadBenchmark implements Benchmark {

    @Option(names = "--minutes", description = "Minutes of load (default: ${DEFAULT-VALUE}).")
    private double minutes = 30;

    @Option(
            names = "--warm-up",
            paramLabel = "MINUTES",
            description = "Minutes of warm-up load, excluded from the results (default: ${DEFAULT-VALUE}).")
    private double warmUpMinutes = 5;

    @Option(
            names = "--executors",
            description = "Number of executors with four slots each (default: ${DEFAULT-VALUE}).")
    private int executors = 1000;

    @Option(names = "--active", description = "Maximum number of waiting and running jobs (default: ${DEFAULT-VALUE}).")
    private int active = 5000;

    @Option(names = "--rate", description = "Maximum submissions per second (default: ${DEFAULT-VALUE}).")
    private double rate = 50;

    @Option(names = "--job", description = "Mean run time of a job in seconds (default: ${DEFAULT-VALUE}).")
    private double jobSeconds = 30;

    @Option(names = "--round", description = "Seconds between rounds (default: ${DEFAULT-VALUE}).")
    private double roundSeconds = 10;

    @Option(
            names = "--budget",
            description = "Time limit for the plan of a round in seconds (default: ${DEFAULT-VALUE}).")
    private double budgetSeconds = 3;

    @Option(names = "--seed", description = "Seed of the jobs (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Override
    public String name() {
        return "load";
    }

    @Override
    public String summary() {
        return "half an hour of polling executors, submissions and dashboards against a separate service";
    }

    @Override
    public ResultTable measure() throws Exception {
        Path home = Files.createTempDirectory("spur-load");
        SiteLoad.Size size = new SiteLoad.Size(executors, active, rate, jobSeconds, roundSeconds, budgetSeconds, seed);
        try (ServiceProcess service = ServiceProcess.start(home, Map.of());
                SiteLoad site = new SiteLoad(service, size)) {
            return site.run(60 * warmUpMinutes, 60 * minutes);
        } finally {
            ServiceProcess.delete(home);
        }
    }
}
