package dev.spur.benchmarks;

import dev.spur.benchmarks.load.ClosedLoopLoad;
import dev.spur.benchmarks.load.PollingExecutors;
import dev.spur.benchmarks.load.ServiceProcess;
import dev.spur.benchmarks.load.SpurClient;
import dev.spur.benchmarks.load.StatementCounts;
import dev.spur.benchmarks.load.WaitingConnections;
import dev.spur.benchmarks.load.WaitingConnections.Response;
import dev.spur.model.json.RoundJson;
import dev.spur.postgres.StatementCounter.DatabaseWork;
import dev.spur.simulator.report.ResultTable;
import java.lang.management.ManagementFactory;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Benchmark of HTTP throughput and latency: submissions, reports, polls and waiting executors against a service with
 * its own PostgreSQL on this machine, and the SQL statements behind them.
 */
final class HttpBenchmark implements Benchmark {
    private static final int NODES = 8;
    private static final int JOBS_AT_FIRST = 20;
    private static final int WAITERS = 1000;
    private static final int CLIENTS = 8;
    private static final int WARM_UP_CLIENTS = 16;
    /** Longer than the wait of a long poll, after which the service responds without news. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    @Option(names = "--warm-up", description = "Seconds of warm-up per kind of request (default: ${DEFAULT-VALUE}).")
    private double warmUpSeconds = 60;

    @Option(names = "--seconds", description = "Seconds per measurement (default: ${DEFAULT-VALUE}).")
    private double measuredSeconds = 8;

    @Option(names = "--clients", description = "Waiting clients and executors (default: ${DEFAULT-VALUE}).")
    private int waiters = WAITERS;

    private final List<List<String>> rows = new ArrayList<>();

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String summary() {
        return "submissions, reports, polls and 1,000 waiting executors against a separate service, with SQL statements";
    }

    @Override
    public ResultTable measure() throws Exception {
        rows.clear();
        row("cores", Runtime.getRuntime().availableProcessors(), "");
        row("load average before", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(), "");
        Path home = Files.createTempDirectory("spur-bench");
        try {
            statements(StatementCounts.measure(Files.createDirectory(home.resolve("counted"))));
            try (ServiceProcess service =
                    ServiceProcess.start(Files.createDirectory(home.resolve("rounds")), Map.of())) {
                SpurClient client = new SpurClient(service.address(), "first");
                client.register(NODES);
                polls(service, client);
                submissions("while rounds run", service, client, CLIENTS);
                row("resident memory with these jobs", service.residentMiB(), "MiB");
            }
            try (ServiceProcess service =
                    ServiceProcess.start(Files.createDirectory(home.resolve("fleet")), Map.of())) {
                fleet(service, new SpurClient(service.address(), "fleet"));
            }
            try (ServiceProcess service = ServiceProcess.start(
                    Files.createDirectory(home.resolve("standby")), Map.of("SPUR_ROUNDS_ENABLED", "false"))) {
                SpurClient client = new SpurClient(service.address(), "second");
                client.register(NODES);
                warmUp(warmUpSeconds, client::submission, Set.of(201));
                submissions("without rounds", service, client, CLIENTS);
                submissions("without rounds", service, client, 4 * CLIENTS);
            }
        } finally {
            ServiceProcess.delete(home);
        }
        return new ResultTable(List.of("measure", "value", "unit"), rows);
    }

    private void statements(Map<String, DatabaseWork> counts) {
        counts.forEach((operation, work) -> {
            row(operation + ", statements", work.statements().size(), "");
            row(operation + ", round trips to the database", work.roundTrips(), "");
        });
        row("life of a job, statements", StatementCounts.ofLife(counts), "");
    }

    private void polls(ServiceProcess service, SpurClient client) throws Exception {
        warmUp(warmUpSeconds, client::submission, Set.of(201));
        client.cancelAll(WARM_UP_CLIENTS);
        for (int i = 0; i < JOBS_AT_FIRST; i++) {
            client.submit();
        }
        client.awaitPlan(1);
        HttpRequest poll = client.conditionalPoll();
        warmUp(warmUpSeconds, () -> poll, Set.of(200, 304));
        for (int clients : new int[] {CLIENTS, 4 * CLIENTS}) {
            // The next regular round, which may change the plan, follows a minute later.
            client.plan();
            HttpRequest unchanged = client.conditionalPoll();
            load(
                    "unchanged polls, %d connections".formatted(clients),
                    ClosedLoopLoad.run(clients, measuredSeconds, () -> unchanged, Set.of(304)));
        }
        row("resident memory before the long polls", service.residentMiB(), "MiB");
        row("used heap before the long polls", client.heapMiB(), "MiB");
        longPolls(service, client);
    }

    private static void warmUp(double seconds, Supplier<@Nullable HttpRequest> next, Set<Integer> expected)
            throws InterruptedException {
        ClosedLoopLoad.run(WARM_UP_CLIENTS, seconds, next, expected);
    }

    private void longPolls(ServiceProcess service, SpurClient client) throws Exception {
        long revision = client.awaitPlan(1).path("revision").asLong();
        WaitingConnections polls = client.waitForPlan(waiters, revision);
        CompletableFuture<List<Response>> responses = polls.receive(LONGEST_WAIT);
        TimeUnit.SECONDS.sleep(3);
        row("waiting long polls", polls.waiting(), "");
        row("resident memory during the long polls", service.residentMiB(), "MiB");
        row("used heap during the long polls", client.heapMiB(), "MiB");
        client.submit();
        JsonNode plan = RoundJson.mapper().readTree(responses.join().get(0).body());
        delays("publication to response", responses.join(), "\"publishedAt\"", plan);
    }

    /** Measures the delivery of a plan that assigns work to every executor, and then their reports. */
    private void fleet(ServiceProcess service, SpurClient client) throws Exception {
        client.register(0);
        client.planOnDemand(5);
        PollingExecutors fleet = new PollingExecutors(client, waiters);
        fleet.register();
        fleet.submitJobs();
        WaitingConnections polls = fleet.waiting();
        CompletableFuture<List<Response>> responses = polls.receive(LONGEST_WAIT);
        row("waiting executors", polls.waiting(), "");
        client.plan();
        delays("publication to assignments", responses.join(), "\"OFFERED\"", client.awaitPlan(waiters));
        reports(service, fleet.assignments());
    }

    /**
     * Adds rows of the times from the publication of {@code plan} until the responses were received, ms.
     *
     * @param content text that each response contains
     */
    private void delays(String name, List<Response> responses, String content, JsonNode plan) {
        long published = Instant.parse(plan.path("publishedAt").asString()).toEpochMilli();
        Histogram millis = new Histogram(3);
        for (Response response : responses) {
            if (response.status() != 200 || !response.body().contains(content)) {
                throw new IllegalStateException("A long poll returned " + response);
            }
            millis.recordValue(Math.max(0, response.receivedAtMillis() - published));
        }
        row(name + ", p50", millis.getValueAtPercentile(50), "ms");
        row(name + ", p99", millis.getValueAtPercentile(99), "ms");
        row(name + ", max", millis.getMaxValue(), "ms");
    }

    private void reports(ServiceProcess service, List<PollingExecutors.Assignment> assignments)
            throws InterruptedException {
        Stream<HttpRequest.Builder> transitions = PollingExecutors.STARTS.stream()
                .flatMap(state -> assignments.stream().map(assignment -> assignment.transition(state)));
        var queue = new ConcurrentLinkedQueue<>(
                transitions.map(HttpRequest.Builder::build).toList());
        load("transitions, %d connections".formatted(CLIENTS), service, CLIENTS, 600, queue::poll, 200);
        Iterator<PollingExecutors.Assignment> cycle =
                Stream.generate(() -> assignments).flatMap(List::stream).iterator();
        Supplier<@Nullable HttpRequest> progress = () -> {
            synchronized (cycle) {
                return cycle.next().progress().build();
            }
        };
        warmUp(warmUpSeconds / 2, progress, Set.of(200));
        load("progress reports, %d connections".formatted(CLIENTS), service, CLIENTS, measuredSeconds, progress, 200);
    }

    private void submissions(String circumstance, ServiceProcess service, SpurClient client, int clients)
            throws InterruptedException {
        load(
                "durable submissions, %d connections, %s".formatted(clients, circumstance),
                service,
                clients,
                measuredSeconds,
                client::submission,
                201);
    }

    /** Measures a load that changes the database, with the CPU time of service and PostgreSQL for each response. */
    private void load(
            String name,
            ServiceProcess service,
            int clients,
            double seconds,
            Supplier<@Nullable HttpRequest> next,
            int expected)
            throws InterruptedException {
        double cpuBefore = service.cpuSeconds();
        ClosedLoopLoad.Result result = ClosedLoopLoad.run(clients, seconds, next, Set.of(expected));
        double cpu = service.cpuSeconds() - cpuBefore;
        load(name, result);
        row(name + ", CPU of service and database each", 1e3 * cpu / Math.max(1, result.responses()), "ms");
    }

    private void load(String name, ClosedLoopLoad.Result result) {
        row(name, result.perSecond(), "/s");
        row(name + ", p50", result.p50Millis(), "ms");
        row(name + ", p99", result.p99Millis(), "ms");
    }

    private void row(String measure, double value, String unit) {
        String format = value >= 100 ? "%.0f" : "%.2f";
        rows.add(List.of(measure, String.format(Locale.ROOT, format, value), unit));
    }

    private void row(String measure, long value, String unit) {
        rows.add(List.of(measure, Long.toString(value), unit));
    }
}
