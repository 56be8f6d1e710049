package dev.spur.benchmarks;

import dev.spur.benchmarks.http.ServiceProcess;
import dev.spur.benchmarks.load.SiteLoad;
import dev.spur.simulator.report.ResultTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** A service and its own PostgreSQL under the load of a whole site: executors, people that submit, dashboards. */
final class LoadBenchmark implements Benchmark {

    @Option(names = "--minutes", description = "Minutes of load (default: ${DEFAULT-VALUE}).")
    private double minutes = 30;

    @Option(
            names = "--warm-up",
            paramLabel = "MINUTES",
            description =
                    "Minutes of load before, that are not counted: until then its code is compiled (default: ${DEFAULT-VALUE}).")
    private double warmUpMinutes = 5;

    @Option(names = "--executors", description = "Executors, of four slots each (default: ${DEFAULT-VALUE}).")
    private int executors = 1000;

    @Option(names = "--active", description = "Jobs that wait or run at a time, at most (default: ${DEFAULT-VALUE}).")
    private int active = 5000;

    @Option(names = "--rate", description = "Submissions per second, at most (default: ${DEFAULT-VALUE}).")
    private double rate = 50;

    @Option(names = "--job", description = "Seconds that a job runs, on average (default: ${DEFAULT-VALUE}).")
    private double jobSeconds = 30;

    @Option(names = "--round", description = "Seconds between rounds (default: ${DEFAULT-VALUE}).")
    private double roundSeconds = 10;

    @Option(names = "--budget", description = "Seconds for the plan of a round (default: ${DEFAULT-VALUE}).")
    private double budgetSeconds = 3;

    @Option(names = "--seed", description = "Of the jobs (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Override
    public String name() {
        return "load";
    }

    @Override
    public String summary() {
        return "half an hour of executors that poll, submissions and dashboards against a service of its own";
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
