package dev.spur.agent;

import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.protocol.Messages.PreparationOrder;
import dev.spur.agent.protocol.Messages.PreparationProgress;
import dev.spur.agent.protocol.ServiceClient;
import dev.spur.agent.protocol.ServiceClient.Answer;
import dev.spur.agent.reconcile.Environment;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Manages the data preparations of this node. Like a job, each is a process with a guard: it continues without the
 * agent and ends with the lease. Its borrowed memory is listed in a file that is updated while it runs. Its reported
 * progress is in seconds of work.
 */
final class Preparations {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long EVERY_NANOS = Duration.ofSeconds(2).toNanos();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Set<Integer> FINAL_STATUSES = Set.of(403, 404, 409, 410);

    private final ProcessRuns runs;
    private final TenantUsers users;
    private final ServiceClient service;
    private final Consumer<String> log;
    private final Map<String, SentProgress> sent = new HashMap<>();
    /** Ended preparations that the service may still list. */
    private final Set<String> over = new HashSet<>();

    private final ReportNumbers numbers = new ReportNumbers();

    /** Most recently sent progress of a run. */
    private record SentProgress(double done, long atNanos) {}

    /**
     * Manages the preparations, including running ones.
     *
     * @param runs runs of preparations alone
     */
    Preparations(ProcessRuns runs, TenantUsers users, ServiceClient service, Consumer<String> log) {
        this.runs = runs;
        this.users = users;
        this.service = service;
        this.log = log;
    }

    /** Observes the running processes. */
    void observe() {
        runs.observe();
    }

    /** Starts the missing preparations, stops those that are no longer required, and reports progress. */
    void reconcile(List<PreparationOrder> desired, boolean mayStart, double longestGraceSeconds)
            throws InterruptedException {
        Map<String, PreparationOrder> byId = new TreeMap<>();
        desired.forEach(order -> byId.put(id(order), order));
        for (ProcessRun run : runs.all()) {
            String id = run.spec().id();
            if (run.phase() == ProcessRun.Phase.ENDED) {
                end(run);
            } else if (byId.containsKey(id)) {
                report(run, "RUNNING", "");
            } else if (run.phase() == ProcessRun.Phase.RUNNING) {
                log.accept(id + " is stopped: no longer required");
                runs.stop(id, "no longer required", run.spec().graceSeconds());
            }
        }
        over.retainAll(byId.keySet());
        byId.forEach((id, order) -> {
            Optional<ProcessRun> run = runs.find(id);
            if (run.isPresent()) {
                lend(run.get(), order);
            } else if (mayStart && !over.contains(id)) {
                start(id, order, longestGraceSeconds);
            }
        });
    }

    /** Reports the end of a run. The run is kept until the service has received the report. */
    private void end(ProcessRun run) throws InterruptedException {
        String id = run.spec().id();
        boolean well = run.exitCode().orElse(1) == 0;
        String detail = "exit code %d".formatted(run.exitCode().orElse(1));
        boolean ofItself = !run.wasRequested();
        if (!ofItself || report(run, well ? "COMPLETED" : "FAILED", detail)) {
            // a preparation that ended with the lease restarts if it is still required
            if (ofItself) {
                over.add(id);
            }
            sent.remove(id);
            runs.forget(id);
        }
    }

    /**
     * Reports the state of a run. Returns true if the service received or rejected the report. The progress of a
     * running preparation is reported only if it changed, at limited frequency.
     */
    private boolean report(ProcessRun run, String how, String detail) throws InterruptedException {
        String id = run.spec().id();
        double done = secondsDone(run);
        SentProgress before = sent.get(id);
        boolean isRunning = how.equals("RUNNING");
        if (isRunning && before != null) {
            if (before.done() == done || System.nanoTime() - before.atNanos() < EVERY_NANOS) {
                return true;
            }
        }
        var progress = new PreparationProgress(
                run.spec().generation(), numbers.next(), done, how, detail.isEmpty() ? null : detail);
        try {
            Answer answer =
                    service.post("/api/v1/jobs/%s/progress".formatted(run.spec().jobId()), progress, TIMEOUT);
            if (ProgressUploader.isIgnored(answer)) {
                numbers.advance();
                return false;
            }
            sent.put(id, new SentProgress(done, System.nanoTime()));
            return answer.isFine() || FINAL_STATUSES.contains(answer.status());
        } catch (IOException unreachable) {
            return false;
        }
    }

    /** Returns the completed seconds of work; 0 if the program reported none. */
    private static double secondsDone(ProcessRun run) {
        return run.report().map(Preparations::samples).orElse(0.0);
    }

    private static double samples(String report) {
        try {
            return Math.max(0, JSON.readTree(report).path("samples").asDouble(0));
        } catch (JacksonException broken) {
            return 0;
        }
    }

    /** Writes the files with the borrowed memory. On a change, the program receives a signal, ignored by default. */
    private void lend(ProcessRun run, PreparationOrder order) {
        LoanFiles files = LoanFiles.of(order.loans());
        if (run.writeLoans(files.list(), files.keys())) {
            runs.notifyProcesses(run.spec().id());
        }
    }

    private void start(String id, PreparationOrder order, double longestGraceSeconds) {
        Map<String, String> set = new TreeMap<>();
        set.put("SPUR_PREPARATION", order.preparationId());
        set.put("SPUR_GENERATION", Long.toString(order.generation()));
        set.put("SPUR_CPUS", Double.toString(order.cpus()));
        set.put("SPUR_LOCAL_GIB", Integer.toString(order.localGiB()));
        int grace = (int) Math.min(order.graceSeconds(), longestGraceSeconds);
        try {
            RunSpec spec = new RunSpec(
                    id,
                    order.preparationId(),
                    order.generation(),
                    List.of(),
                    List.of(Environment.process(0, order.command(), set)),
                    grace,
                    true,
                    order.cpus(),
                    order.localGiB());
            LoanFiles files = LoanFiles.of(order.loans());
            runs.start(
                    spec.ownedBy(users.prepare(order.tenant())),
                    new ProcessRuns.InitialFiles(null, files.list(), files.keys()));
            log.accept(id + " has started");
        } catch (IOException e) {
            log.accept("%s failed to start: %s".formatted(id, ErrorMessages.of(e)));
        }
    }

    private static String id(PreparationOrder order) {
        return order.preparationId() + "." + order.generation();
    }
}
