package dev.spur.benchmarks;

import dev.spur.benchmarks.http.ClosedLoopLoad;
import dev.spur.benchmarks.http.ProblemLoader;
import dev.spur.benchmarks.http.ServiceProcess;
import dev.spur.benchmarks.http.SpurClient;
import dev.spur.benchmarks.instance.InstanceGenerator;
import dev.spur.benchmarks.scaling.ConstraintSet;
import dev.spur.benchmarks.scaling.Size;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.simulator.report.ResultTable;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Benchmark of scheduling rounds in a running service. It registers a generated cluster and its jobs over HTTP. Each
 * round runs from the snapshot in PostgreSQL to the published plan while executors poll. Between two rounds, one job in
 * forty is canceled and replaced by a new submission.
 */
final class ServiceBenchmark implements Benchmark {
    private static final List<String> HEADER = List.of(
            "round",
            "jobs",
            "slots",
            "status",
            "seconds",
            "gap_percent",
            "running",
            "polls_per_s",
            "poll_p99_ms",
            "resident_mib",
            "steps_ms");
    private static final int POLLING_CLIENTS = 8;

    @Option(
            names = "--size",
            paramLabel = "JOBSxSLOTS",
            defaultValue = "4000x10000",
            description = "Jobs and slots (${DEFAULT-VALUE}).")
    private String size = "";

    @Option(
            names = "--features",
            paramLabel = "KINDS",
            defaultValue = "full",
            description =
                    "Constraint kinds: bare, full, or names joined by +, for example quotas+hosts (${DEFAULT-VALUE}).")
    private String features = "";

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of rounds; no job runs before the first (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--budget",
            paramLabel = "SECONDS",
            defaultValue = "3.5",
            description = "Time limit for the plan of each round, in seconds (${DEFAULT-VALUE}).")
    private double budget;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of cluster and jobs (${DEFAULT-VALUE}).")
    private long seed;

    @Override
    public String name() {
        return "service";
    }

    @Override
    public String summary() {
        return "rounds of a running service, from the snapshot in PostgreSQL to the published plan, while executors poll";
    }

    @Override
    public ResultTable measure() throws Exception {
        Size asked = Size.parse(size);
        RoundProblem problem = InstanceGenerator.waiting(
                seed,
                asked.jobs(),
                asked.slots(),
                ConstraintSet.parse(features).get(0).features(),
                RoundSettings.DEFAULT);
        List<List<String>> rows = new ArrayList<>();
        Path home = Files.createTempDirectory("spur-bench");
        try (ServiceProcess service = ServiceProcess.start(home, Map.of())) {
            SpurClient client = new SpurClient(service.address(), "bench");
            client.planOnDemand(budget);
            ProblemLoader filling = new ProblemLoader(client);
            filling.register(problem);
            Deque<String> ids = new ArrayDeque<>(filling.submit(problem.jobs(), "first"));
            for (int round = 1; round <= rounds; round++) {
                if (round > 1) {
                    replace(client, filling, problem.jobs(), ids, round);
                }
                rows.add(row(round, asked, service, client));
            }
        } finally {
            ServiceProcess.delete(home);
        }
        return new ResultTable(HEADER, rows);
    }

    /** Cancels the oldest jobs and submits the same number of new ones, with the specifications of other jobs. */
    private static void replace(SpurClient client, ProblemLoader filling, List<Job> jobs, Deque<String> ids, int round)
            throws Exception {
        int changed = Math.max(1, jobs.size() / 40);
        for (int i = 0; i < changed; i++) {
            client.cancel(ids.remove());
        }
        int from = (round - 2) * changed % (jobs.size() - changed + 1);
        ids.addAll(filling.submit(jobs.subList(from, from + changed), "round-" + round));
    }

    private List<String> row(int number, Size asked, ServiceProcess service, SpurClient client) throws Exception {
        @Nullable HttpRequest unchanged = number == 1 ? null : client.conditionalPoll();
        CompletableFuture<ClosedLoopLoad.Result> polls =
                CompletableFuture.completedFuture(new ClosedLoopLoad.Result(0, 0, 0));
        if (unchanged != null) {
            polls = CompletableFuture.supplyAsync(() -> poll(client, unchanged));
        }
        JsonNode round = client.plan();
        double seconds = 0;
        for (JsonNode step : round.path("steps")) {
            seconds += step.path("step").asString().equals("save")
                    ? 0
                    : step.path("milliseconds").asDouble() / 1000;
        }
        ClosedLoopLoad.Result polled = polls.get();
        return List.of(
                Integer.toString(number),
                Integer.toString(asked.jobs()),
                Integer.toString(asked.slots()),
                round.path("status").asString(),
                format("%.2f", seconds),
                format("%.3f", 100 * round.path("quality").path("gap").asDouble()),
                Integer.toString(client.awaitPlan(1).path("running").size()),
                format("%.0f", polled.perSecond()),
                format("%.0f", polled.p99Millis()),
                Long.toString(service.residentMiB()),
                steps(round.path("steps")));
    }

    /** Polls for as long as the plan of a round may take. Responses after the publication carry the new plan. */
    private ClosedLoopLoad.Result poll(SpurClient client, HttpRequest unchanged) {
        try {
            return ClosedLoopLoad.run(client.http(), POLLING_CLIENTS, budget, () -> unchanged, Set.of(304, 200));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The polling clients were interrupted", stop);
        }
    }

    private static String steps(JsonNode steps) {
        return StreamSupport.stream(steps.spliterator(), false)
                .map(step -> format(
                        "%s=%.0f",
                        step.path("step").asString(), step.path("milliseconds").asDouble()))
                .collect(Collectors.joining(" "));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
