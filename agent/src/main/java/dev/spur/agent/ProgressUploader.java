package dev.spur.agent;

import dev.spur.agent.process.LeaseFile;
import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.protocol.Messages.MeasuredChange;
import dev.spur.agent.protocol.Messages.Progress;
import dev.spur.agent.protocol.Messages.StepMeasurement;
import dev.spur.agent.protocol.Messages.StepTimes;
import dev.spur.agent.protocol.ServiceClient;
import dev.spur.agent.protocol.ServiceClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Uploads the reports of the reporters to the service. The responses never stop a job; only assignments do. */
final class ProgressUploader {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long EVERY_NANOS = Duration.ofSeconds(2).toNanos();
    /** Kinds of changes that the service accepts. */
    private static final Set<String> KINDS = Set.of("RECONFIGURE", "RESCALE", "MIGRATE");
    /** Maximum stall that the service accepts. */
    private static final double MAX_STALL_SECONDS = 86_400;

    private static final int STALE = 409;
    private static final int GONE = 410;
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private final ServiceClient service;
    private final Consumer<String> log;
    private final Map<String, SentReport> sent = new HashMap<>();
    /** Causes that were logged, by run. */
    private final Map<String, Set<String>> logged = new HashMap<>();

    private final ReportNumbers numbers = new ReportNumbers();

    ProgressUploader(ServiceClient service, Consumer<String> log) {
        this.service = service;
        this.log = log;
    }

    /** Most recently sent report of a run. */
    private record SentReport(String text, long steps, long atNanos) {}

    /**
     * Content of a report.
     *
     * @param samples raw samples of the job in total
     * @param steps steps measured in this process
     * @param stepSeconds median step time; null with fewer than two steps
     * @param loss latest training loss; null if there is none
     * @param noiseScale latest gradient noise scale in samples; null if there is none
     * @param checkpointSamples raw samples at the newest checkpoint; null if there is none
     * @param ranks number of ranks of the measured steps; null if the reporter does not know it
     * @param batch global batch size of the measured steps; likewise
     * @param changes changes without a restart; null if there was none
     * @param firstStep uptime of the machine at the beginning of the first step; null if it is not known
     * @param lastStep uptime of the machine at the end of the last step; likewise
     */
    private record Report(
            double samples,
            long steps,
            @Nullable Double stepSeconds,
            @Nullable Double loss,
            @Nullable Double noiseScale,
            @Nullable Double checkpointSamples,
            @Nullable Integer ranks,
            @Nullable Integer batch,
            @Nullable List<@Nullable Change> changes,
            @Nullable Double firstStep,
            @Nullable Double lastStep) {}

    /** Change without a restart, with its stall. */
    private record Change(int number, @Nullable String mechanism, double stallSeconds) {
        /** Returns the change for the service; empty if the service would reject the report because of it. */
        Optional<MeasuredChange> toMeasuredChange() {
            return mechanism != null
                            && KINDS.contains(mechanism)
                            && number >= 1
                            && stallSeconds >= 0
                            && stallSeconds <= MAX_STALL_SECONDS
                    ? Optional.of(new MeasuredChange(number, mechanism, stallSeconds))
                    : Optional.empty();
        }
    }

    /**
     * Uploads new progress, at most once in two seconds while the run is active.
     *
     * @return true if all progress of the run is uploaded
     */
    boolean upload(ProcessRun run) throws InterruptedException {
        Optional<String> text = run.spec().reports() ? run.report() : Optional.empty();
        if (text.isEmpty()) {
            return true;
        }
        SentReport before = sent.get(run.spec().id());
        if (before != null && before.text().equals(text.get())) {
            return true;
        }
        boolean last = run.phase() == ProcessRun.Phase.ENDED;
        if (!last && before != null && System.nanoTime() - before.atNanos() < EVERY_NANOS) {
            return false;
        }
        return send(run, text.get(), before == null ? 0 : before.steps());
    }

    /** Removes the state of an ended run whose last report is delivered. */
    void forget(String run) {
        sent.remove(run);
        logged.remove(run);
    }

    private boolean send(ProcessRun run, String text, long stepsBefore) throws InterruptedException {
        Report report;
        try {
            report = Objects.requireNonNull(JSON.readValue(text, Report.class));
        } catch (JacksonException | NullPointerException broken) {
            logOnce(
                    run,
                    "the reporter of %s wrote an invalid report"
                            .formatted(run.spec().id()));
            sent.put(run.spec().id(), new SentReport(text, stepsBefore, System.nanoTime()));
            return true;
        }
        try {
            Answer answer = service.post(
                    "/api/v1/jobs/%s/progress".formatted(run.spec().jobId()),
                    progress(run, report, stepsBefore),
                    TIMEOUT);
            if (answer.status() / 100 == 5) {
                return false;
            }
            if (isIgnored(answer)) {
                numbers.advance();
                return false;
            }
            // an older generation or an ended job; the service no longer accepts its progress
            boolean late = answer.status() == STALE || answer.status() == GONE;
            if (!answer.isFine() && !late) {
                logOnce(
                        run,
                        "the service rejected progress of %s: %s"
                                .formatted(run.spec().id(), answer.problem()));
            }
            sent.put(run.spec().id(), new SentReport(text, report.steps(), System.nanoTime()));
            return true;
        } catch (IOException unreachable) {
            return false;
        }
    }

    /** Returns true if the service has a report with a higher number, although this one was sent for the first time. */
    static boolean isIgnored(Answer answer) {
        return answer.isFine() && !answer.json().path("applied").asBoolean(true);
    }

    private void logOnce(ProcessRun run, String cause) {
        if (logged.computeIfAbsent(run.spec().id(), id -> new HashSet<>()).add(cause)) {
            log.accept(cause);
        }
    }

    private Progress progress(ProcessRun run, Report report, long stepsBefore) {
        long steps = report.steps() - stepsBefore;
        double seconds = Objects.requireNonNullElse(report.stepSeconds(), 0.0);
        boolean measured = seconds > 0 && steps > 0;
        return new Progress(
                run.spec().generation(),
                numbers.next(),
                report.samples(),
                "RUNNING",
                report.loss() == null ? null : "loss %.6g".formatted(report.loss()),
                measured
                        ? new StepMeasurement(seconds, steps, report.noiseScale(), report.ranks(), report.batch())
                        : null,
                report.loss(),
                report.checkpointSamples(),
                changes(run, report),
                stepTimes(report));
    }

    private List<MeasuredChange> changes(ProcessRun run, Report report) {
        List<MeasuredChange> valid = new ArrayList<>();
        for (Change change : Objects.requireNonNullElse(report.changes(), List.<@Nullable Change>of())) {
            Optional.ofNullable(change)
                    .flatMap(Change::toMeasuredChange)
                    .ifPresentOrElse(
                            valid::add,
                            () -> logOnce(
                                    run,
                                    "the reporter of %s wrote an invalid change %s; valid: number from 1, kind in %s, stall 0 to %.0f s"
                                            .formatted(run.spec().id(), change, KINDS, MAX_STALL_SECONDS)));
        }
        return valid;
    }

    private static @Nullable StepTimes stepTimes(Report report) {
        if (report.firstStep() == null || report.lastStep() == null) {
            return null;
        }
        double now = LeaseFile.uptime();
        double first = now - report.firstStep();
        double last = now - report.lastStep();
        return last >= 0 && first >= last && first <= now ? new StepTimes(first, last) : null;
    }
}
