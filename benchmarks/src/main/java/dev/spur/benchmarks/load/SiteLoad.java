package dev.spur.benchmarks.load;

import dev.spur.simulator.report.ResultTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Load of a site: registers its executors, fills the queue, and then measures for a fixed time. */
public final class SiteLoad implements AutoCloseable {
    private static final int SLOTS = 4;
    private static final double SECONDS_BETWEEN_REPORTS = 60;
    /** Concurrent registrations. A real site does not start a thousand machines within one second. */
    private static final int AT_ONCE = 20;

    private final ServiceProcess service;
    private final SpurClient client;
    private final Size size;
    private final LatencyRecorder recorder = new LatencyRecorder();
    private final SiteJobs site;
    private final LoadTimer alarm = new LoadTimer();
    private final RecordingClient calls;

    /**
     * Size of the load.
     *
     * @param executors number of nodes, of four slots each
     * @param active maximum number of waiting and running jobs
     * @param rate maximum submissions per second
     * @param jobSeconds mean run time of a job
     * @param roundSeconds time between rounds
     * @param budgetSeconds time limit for the plan of a round
     * @param seed of the jobs
     */
    public record Size(
            int executors,
            int active,
            double rate,
            double jobSeconds,
            double roundSeconds,
            double budgetSeconds,
            long seed) {}

    public SiteLoad(ServiceProcess service, Size size) {
        this.service = service;
        this.size = size;
        this.site = new SiteJobs(size.jobSeconds());
        this.client = new SpurClient(service.address(), "load");
        this.calls = new RecordingClient(service.address(), recorder);
    }

    /**
     * Fills the queue, warms up for {@code warmUpSeconds}, then measures for {@code seconds} and prints a status line
     * every minute.
     *
     * @return one row for each route, one for the time from submission to start, and one for rounds
     */
    public ResultTable run(double warmUpSeconds, double seconds) throws IOException, InterruptedException {
        client.register(0);
        client.planEvery(size.roundSeconds(), size.budgetSeconds());
        List<SimulatedExecutor> executors = executors();
        SubmitterClients submitters = new SubmitterClients(site, calls, size.active(), size.jobSeconds(), size.seed());
        fill(submitters);
        for (int i = 0; i < executors.size(); i++) {
            executors.get(i).start(30.0 * i / executors.size());
        }
        alarm.every(1 / size.rate(), 0, submitters::submit);
        new DashboardClients(site, calls).start(alarm);
        TimeUnit.MILLISECONDS.sleep(Math.round(1000 * warmUpSeconds));
        recorder.begin();
        long start = System.nanoTime();
        long endedBefore = site.endedJobs();
        long lastRound = client.latestRound();
        for (double passed = 0; passed < seconds; passed = (System.nanoTime() - start) / 1e9) {
            TimeUnit.MILLISECONDS.sleep(Math.round(1000 * Math.min(SECONDS_BETWEEN_REPORTS, seconds - passed)));
            lastRound = recordRounds(lastRound);
            report((System.nanoTime() - start) / 1e9, endedBefore);
        }
        return recorder.table((System.nanoTime() - start) / 1e9);
    }

    private List<SimulatedExecutor> executors() {
        List<SimulatedExecutor> executors = new ArrayList<>();
        List<CompletableFuture<Void>> registrations = new ArrayList<>();
        for (int i = 1; i <= size.executors(); i++) {
            SimulatedExecutor executor = new SimulatedExecutor("node-" + i, SLOTS, site, calls, alarm, recorder);
            executors.add(executor);
            registrations.add(executor.register());
            if (registrations.size() == AT_ONCE) {
                registrations.forEach(CompletableFuture::join);
                registrations.clear();
            }
        }
        registrations.forEach(CompletableFuture::join);
        return executors;
    }

    private void fill(SubmitterClients submitters) throws InterruptedException {
        while (site.active() < size.active()) {
            for (int i = 0; i < AT_ONCE; i++) {
                submitters.submit();
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Returns the number of ended jobs. */
    public long endedJobs() {
        return site.endedJobs();
    }

    /** Returns the number of failed or missing responses. */
    public long failures() {
        return recorder.failures();
    }

    /** Records the rounds that have ended since round {@code last} and returns the number of the newest one. */
    private long recordRounds(long last) throws IOException, InterruptedException {
        long newest = last;
        for (JsonNode round : client.rounds(100).path("items")) {
            long number = round.path("number").asLong();
            if (number > last && !round.path("finishedAt").isNull()) {
                newest = Math.max(newest, number);
                double millis = 0;
                for (JsonNode step : round.path("steps")) {
                    millis += step.path("milliseconds").asDouble();
                }
                String status = round.path("status").asString();
                if (status.equals("PUBLISHED") || status.equals("UNCHANGED")) {
                    recorder.recordResponse("rounds", Math.round(1e6 * millis));
                } else {
                    recorder.recordFailure("rounds");
                    System.err.println("round " + number + ": " + status);
                }
            }
        }
        return newest;
    }

    private void report(double seconds, long endedBefore) throws IOException, InterruptedException {
        JsonNode round = client.rounds(1).path("items").path(0);
        System.err.printf(
                Locale.ROOT,
                "%5.1f min: %d active jobs, %.1f/s ended, %d failures, %d MiB resident, %d MiB live after collection, gap %.3f %%%n",
                seconds / 60,
                site.active(),
                (site.endedJobs() - endedBefore) / seconds,
                recorder.failures(),
                service.residentMiB(),
                client.liveMiB(),
                100 * round.path("quality").path("gap").asDouble());
    }

    @Override
    public void close() {
        calls.end();
        alarm.close();
    }
}
