package dev.spur.benchmarks;

import dev.spur.benchmarks.load.ClosedLoopLoad;
import dev.spur.benchmarks.load.PollingExecutors;
import dev.spur.benchmarks.load.ServiceProcess;
import dev.spur.benchmarks.load.SpurClient;
import dev.spur.simulator.report.ResultTable;
import java.lang.management.ManagementFactory;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Benchmark of HTTP throughput and latency: submissions, polls and waiting executors against a service with its own
 * PostgreSQL on this machine.
 */
final class HttpBenchmark implements Benchmark {
    private static final int NODES = 8;
    private static final int JOBS_AT_FIRST = 20;
    private static final int WAITERS = 1000;
    private static final double WARM_UP_SECONDS = 30;
    private static final double MEASURED_SECONDS = 8;

    private final List<List<String>> rows = new ArrayList<>();

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String summary() {
        return "submissions, polls and 1,000 waiting executors against a separate service";
    }

    @Override
    public ResultTable measure() throws Exception {
        rows.clear();
        row("cores", Runtime.getRuntime().availableProcessors(), "");
        row("load average before", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(), "");
        Path home = Files.createTempDirectory("spur-bench");
        try {
            try (ServiceProcess service = ServiceProcess.start(home, Map.of())) {
                SpurClient client = new SpurClient(service.address(), "first");
                client.register(NODES);
                polls(service, client);
                submissions("while rounds run", client, 8);
            }
            try (ServiceProcess service =
                    ServiceProcess.start(Files.createDirectory(home.resolve("fleet")), Map.of())) {
                fleet(new SpurClient(service.address(), "fleet"));
            }
            try (ServiceProcess service = ServiceProcess.start(home, Map.of("SPUR_ROUNDS_ENABLED", "false"))) {
                SpurClient client = new SpurClient(service.address(), "second");
                ClosedLoopLoad.run(client.http(), 16, WARM_UP_SECONDS, client::submission, Set.of(201));
                submissions("without rounds", client, 8);
                submissions("without rounds", client, 32);
                row("resident memory with these jobs", service.residentMiB(), "MiB");
            }
        } finally {
            ServiceProcess.delete(home);
        }
        return new ResultTable(List.of("measure", "value", "unit"), rows);
    }

    private void polls(ServiceProcess service, SpurClient client) throws Exception {
        for (int i = 0; i < JOBS_AT_FIRST; i++) {
            client.submit();
        }
        client.awaitPlan(1);
        // a plan of all jobs, which later rounds do not change
        client.plan();
        HttpRequest unchanged = client.conditionalPoll();
        ClosedLoopLoad.run(client.http(), 16, WARM_UP_SECONDS, () -> unchanged, Set.of(304));
        for (int clients : new int[] {8, 32}) {
            ClosedLoopLoad.Result polls =
                    ClosedLoopLoad.run(client.http(), clients, MEASURED_SECONDS, () -> unchanged, Set.of(304));
            load("unchanged polls, %d connections".formatted(clients), polls);
        }
        row("resident memory before the long polls", service.residentMiB(), "MiB");
        row("used heap before the long polls", client.heapMiB(), "MiB");
        wake(service, client);
    }

    private void wake(ServiceProcess service, SpurClient client) throws Exception {
        long revision = client.awaitPlan(1).path("revision").asLong();
        List<CompletableFuture<Long>> waiting = client.waitForPlan(WAITERS, revision);
        TimeUnit.SECONDS.sleep(3);
        row(
                "waiting long polls",
                waiting.stream().filter(poll -> !poll.isDone()).count(),
                "");
        row("resident memory during the long polls", service.residentMiB(), "MiB");
        row("used heap during the long polls", client.heapMiB(), "MiB");
        client.submit();
        delays("publication to response", waiting, 0);
    }

    /** Measures the delivery of a plan that assigns work to every executor. */
    private void fleet(SpurClient client) throws Exception {
        client.register(0);
        client.planOnDemand(5);
        PollingExecutors fleet = new PollingExecutors(client, WAITERS);
        fleet.register();
        List<CompletableFuture<Long>> waiting = fleet.waiting();
        client.plan();
        long published = Instant.parse(
                        client.awaitPlan(WAITERS).path("publishedAt").asString())
                .toEpochMilli();
        row("waiting executors", waiting.size(), "");
        delays("publication to assignments", waiting, published);
    }

    /** Waits for the futures and adds rows of their values minus {@code start}, ms. */
    private void delays(String name, List<CompletableFuture<Long>> waiting, long start) {
        Histogram millis = new Histogram(3);
        waiting.forEach(poll -> millis.recordValue(Math.max(0, poll.join() - start)));
        row(name + ", p50", millis.getValueAtPercentile(50), "ms");
        row(name + ", p99", millis.getValueAtPercentile(99), "ms");
        row(name + ", max", millis.getMaxValue(), "ms");
    }

    private void submissions(String circumstance, SpurClient client, int clients) throws InterruptedException {
        ClosedLoopLoad.Result result =
                ClosedLoopLoad.run(client.http(), clients, MEASURED_SECONDS, client::submission, Set.of(201));
        load("durable submissions, %d connections, %s".formatted(clients, circumstance), result);
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
