package dev.spur.benchmarks;

import dev.spur.benchmarks.instance.InstanceGenerator;
import dev.spur.benchmarks.load.ClosedLoopLoad;
import dev.spur.benchmarks.load.ProblemLoader;
import dev.spur.benchmarks.load.ServiceProcess;
import dev.spur.benchmarks.load.SpurClient;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Benchmark of scheduling rounds in a running service. It registers a generated cluster and its jobs over HTTP. The
 * service then plans periodically, each round from the snapshot in PostgreSQL to the published plan. Between two
 * rounds, one job in forty is canceled and replaced by a new submission. The first round runs on a cold JVM.
 */
final class ServiceBenchmark implements Benchmark {
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
            defaultValue = "10",
            description = "Number of rounds; no job runs before the first (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--period",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Time from the start of a round to the start of the next, in seconds (${DEFAULT-VALUE}).")
    private double period;

    @Option(
            names = "--pollers",
            paramLabel = "N",
            defaultValue = "0",
            description = "Clients that poll the plan without a pause, from the second round (${DEFAULT-VALUE}).")
    private int pollers;

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
        return "rounds of a running service, from the snapshot in PostgreSQL to the published plan";
    }

    @Override
    public ResultTable measure() throws Exception {
        Size parsed = Size.parse(size);
        RoundProblem problem = InstanceGenerator.waiting(
                seed,
                parsed.jobs(),
                parsed.slots(),
                ConstraintSet.parse(features).get(0).features(),
                RoundSettings.DEFAULT);
        List<Map<String, String>> rows = new ArrayList<>();
        Path home = Files.createTempDirectory("spur-bench");
        try (ServiceProcess service = ServiceProcess.start(home, Map.of())) {
            SpurClient client = new SpurClient(service.address(), "bench");
            client.planOnDemand(budget);
            ProblemLoader loader = new ProblemLoader(client);
            loader.register(problem);
            Deque<String> ids = new ArrayDeque<>(loader.submit(problem.jobs(), "first"));
            client.planEvery(period, budget, problem.settings().maxRestarts());
            JsonNode round = client.plan();
            rows.add(row(parsed, round, service, client));
            for (int number = 2; number <= rounds; number++) {
                replace(client, loader, problem.jobs(), ids, number);
                @Nullable CompletableFuture<ClosedLoopLoad.Result> polls = pollers == 0 ? null : startPolling(client);
                round = client.awaitRound(round.path("number").asLong() + 1);
                Map<String, String> row = row(parsed, round, service, client);
                if (polls != null) {
                    row.put("polls_per_s", format("%.0f", polls.get().perSecond()));
                    row.put("poll_p99_ms", format("%.0f", polls.get().p99Millis()));
                }
                rows.add(row);
            }
        } finally {
            ServiceProcess.delete(home);
        }
        return ResultTable.of(rows);
    }

    /** Cancels the oldest jobs and submits the same number of new ones, with the specifications of other jobs. */
    private static void replace(SpurClient client, ProblemLoader loader, List<Job> jobs, Deque<String> ids, int round)
            throws Exception {
        int changed = Math.max(1, jobs.size() / 40);
        for (int i = 0; i < changed; i++) {
            client.cancel(ids.remove());
        }
        int from = (round - 2) * changed % (jobs.size() - changed + 1);
        ids.addAll(loader.submit(jobs.subList(from, from + changed), "round-" + round));
    }

    private static Map<String, String> row(Size size, JsonNode round, ServiceProcess service, SpurClient client)
            throws Exception {
        Map<String, Double> steps = times(round.path("steps"));
        double seconds = steps.entrySet().stream()
                .filter(step -> !step.getKey().equals("save"))
                .mapToDouble(step -> step.getValue() / 1000)
                .sum();
        Map<String, String> row = new LinkedHashMap<>();
        row.put("round", round.path("number").asString());
        row.put("jobs", Integer.toString(size.jobs()));
        row.put("slots", Integer.toString(size.slots()));
        row.put("seconds", format("%.2f", seconds));
        row.put(
                "gap_percent",
                format("%.4f", 100 * round.path("quality").path("gap").asDouble()));
        row.put("status", round.path("status").asString());
        row.put("solve", round.path("quality").path("status").asString());
        row.put("running", Integer.toString(client.awaitPlan(1).path("running").size()));
        row.put("resident_mib", Long.toString(service.residentMiB()));
        steps.putAll(times(round.path("stats").path("steps")));
        steps.forEach((step, milliseconds) -> row.put(step + "_ms", format("%.0f", milliseconds)));
        return row;
    }

    /** Returns the milliseconds of each step. */
    private static Map<String, Double> times(JsonNode steps) {
        Map<String, Double> times = new LinkedHashMap<>();
        steps.forEach(step -> times.put(
                step.path("step").asString(), step.path("milliseconds").asDouble()));
        return times;
    }

    /** Polls the current plan for one period. Responses after the publication carry the new plan. */
    private CompletableFuture<ClosedLoopLoad.Result> startPolling(SpurClient client) throws Exception {
        HttpRequest unchanged = client.conditionalPoll();
        return CompletableFuture.supplyAsync(() -> {
            try {
                return ClosedLoopLoad.run(pollers, period, () -> unchanged, Set.of(304, 200));
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("The polling clients were interrupted", stop);
            }
        });
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
