package dev.spur.benchmarks;

import dev.spur.benchmarks.chaos.ChaosJob;
import dev.spur.benchmarks.chaos.ChaosRun;
import dev.spur.benchmarks.chaos.ChaosSite;
import dev.spur.benchmarks.chaos.Fault;
import dev.spur.benchmarks.chaos.FaultKind;
import dev.spur.benchmarks.load.ServiceProcess;
import dev.spur.model.Checks;
import dev.spur.simulator.report.ResultTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Benchmark of random faults while real trainings run: whether a job, a sample or a checkpoint is lost. */
final class ChaosBenchmark implements Benchmark {
    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "5",
            description = "Duration of the faults (${DEFAULT-VALUE}).")
    private double minutes;

    @Option(names = "--jobs", paramLabel = "N", defaultValue = "20", description = "Jobs to submit (${DEFAULT-VALUE}).")
    private int jobs;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the faults and of the jobs (the time).")
    private long seed = System.currentTimeMillis() % 1_000_000;

    @Option(
            names = "--gap",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Mean time between the starts of two faults (${DEFAULT-VALUE}).")
    private double gapSeconds;

    @Option(
            names = "--limit",
            paramLabel = "MINUTES",
            defaultValue = "15",
            description = "Time after the last fault by which all jobs must end (${DEFAULT-VALUE}).")
    private double limitMinutes;

    @Option(
            names = "--python",
            paramLabel = "PROGRAM",
            description = "Python with PyTorch (python3, or else /usr/bin/python3).")
    private String python = "";

    @Option(names = "--folder", paramLabel = "FOLDER", description = "Keep logs, records and checkpoints here.")
    private @Nullable Path folder;

    private final List<ResultTable> details = new ArrayList<>();
    private List<String> violations = List.of();
    private long begin = System.nanoTime();

    @Override
    public String name() {
        return "chaos";
    }

    @Override
    public String summary() {
        return "jobs, samples and checkpoints that random faults lose, with two replicas, three agents and real trainings";
    }

    @Override
    public List<ResultTable> details() {
        return details;
    }

    @Override
    public List<String> violations() {
        return violations;
    }

    @Override
    public ResultTable measure() throws Exception {
        Checks.positive("--minutes", minutes);
        Checks.positive("--jobs", jobs);
        Checks.positive("--gap", gapSeconds);
        Checks.positive("--limit", limitMinutes);
        begin = System.nanoTime();
        details.clear();
        Path home = folder == null ? Files.createTempDirectory("spur-bench") : Files.createDirectories(folder);
        say("seed " + seed);
        List<ChaosJob> submissions = submissions();
        try (ChaosSite site = ChaosSite.start(home.toAbsolutePath().normalize(), this::say)) {
            Runtime.getRuntime().addShutdownHook(new Thread(site::close, "chaos-close"));
            say("two replicas and three agents have started");
            Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
            Map<FaultKind, String> missing = site.missing();
            missing.forEach((kind, reason) -> say("skipped: %s, because %s".formatted(kind, reason)));
            kinds.removeAll(missing.keySet());
            List<Fault> faults = Fault.draw(seed, 60 * minutes, gapSeconds, kinds);
            ChaosRun run = new ChaosRun(
                    home.toAbsolutePath().normalize(), site, submissions, faults, 60 * limitMinutes, this::say);
            ResultTable table = run.run(60 * minutes);
            details.add(run.faultCounts());
            violations = run.violations();
            return table;
        } finally {
            if (folder == null) {
                ServiceProcess.delete(home);
            }
        }
    }

    /** One of 20 jobs is one of Lightning, and one of transformers, where a Python has them. */
    private List<ChaosJob> submissions() {
        Random random = new Random(seed);
        String plain = Pythons.withTorch(python);
        String frameworks = Pythons.first(
                        List.of(System.getenv().getOrDefault("SPUR_FRAMEWORKS_PYTHON", plain)),
                        "torch, lightning, transformers, accelerate")
                .orElse("");
        if (frameworks.isEmpty()) {
            say(
                    "skipped: jobs of Lightning and transformers, because SPUR_FRAMEWORKS_PYTHON names no Python with them");
        }
        List<ChaosJob> drawn = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            String framework = frameworks.isEmpty()
                    ? "torch"
                    : i % 20 == 3 ? "lightning" : i % 20 == 13 ? "transformers" : "torch";
            drawn.add(ChaosJob.draw(
                    String.format(Locale.ROOT, "job-%03d", i + 1),
                    framework,
                    framework.equals("torch") ? plain : frameworks,
                    random));
        }
        return drawn;
    }

    private synchronized void say(String line) {
        long seconds = (System.nanoTime() - begin) / 1_000_000_000;
        System.err.printf(Locale.ROOT, "%02d:%02d %s%n", seconds / 60, seconds % 60, line);
    }
}
