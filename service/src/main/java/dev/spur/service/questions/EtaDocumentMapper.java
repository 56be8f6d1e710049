package dev.spur.service.questions;

import dev.spur.model.job.Job;
import dev.spur.model.job.JobDependency;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundPlan;
import dev.spur.service.jobs.StoredPreparation;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.questions.Eta.Outcome;
import dev.spur.service.questions.EtaDocument.Times;
import dev.spur.simulator.eta.BlockedJob;
import dev.spur.simulator.eta.EtaInterval;
import dev.spur.simulator.eta.Forecast;
import dev.spur.simulator.eta.SimulatedEta;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts a forecast to a document with calendar times and with the jobs that can never run. */
final class EtaDocumentMapper {
    /** Reasons that remain until the nodes change. */
    private static final Set<PendingReason> FOR_GOOD = EnumSet.of(
            PendingReason.UNSATISFIABLE,
            PendingReason.NO_MATCHING_NODES,
            PendingReason.BATCH_EXCEEDS_GPU_MEMORY,
            PendingReason.BATCH_NOT_DIVISIBLE,
            PendingReason.NO_THROUGHPUT);

    private final Forecast forecast;

    private EtaDocumentMapper(Forecast forecast) {
        this.forecast = forecast;
    }

    static EtaDocument document(long revision, RoundPlan plan, StateSnapshot snapshot, Forecast forecast) {
        PreparationPlan prepared = plan.preparations();
        EtaDocumentMapper mapper = new EtaDocumentMapper(forecast);
        Map<String, Times> jobs = mapper.times(forecast.jobs(), never(plan.waiting()));
        jobs.putAll(mapper.times(forecast.preparations(), never(prepared == null ? List.of() : prepared.waiting())));
        Set<String> stopped = stoppedJobs(snapshot);
        Map<String, Times> never = new HashMap<>();
        snapshot.blockedJobs()
                .keySet()
                .forEach(job ->
                        neverMet(job, snapshot, stopped, jobs).ifPresent(why -> never.put(job, new Times(why, why))));
        jobs.putAll(never);
        return new EtaDocument(
                new EtaDocument.ForecastFacts(
                        revision,
                        instant(forecast.now()),
                        instant(forecast.until()),
                        forecast.samples(),
                        forecast.coverage(),
                        forecast.rounds(),
                        forecast.policy(),
                        forecast.uncertainty().median(),
                        forecast.uncertainty().spread(),
                        forecast.arrivalsPerHour(),
                        forecast.cuts()),
                jobs);
    }

    /** Returns the messages of the jobs that cannot run on the present nodes, by id. */
    private static Map<String, String> never(List<PendingJob> waiting) {
        return waiting.stream()
                .filter(pending -> FOR_GOOD.contains(pending.reason()))
                .collect(Collectors.toMap(PendingJob::jobId, PendingJob::message));
    }

    private Map<String, Times> times(List<SimulatedEta> forecasts, Map<String, String> never) {
        Map<String, Times> times = new HashMap<>();
        forecasts.forEach(job -> times.put(job.jobId(), times(job, never.get(job.jobId()))));
        return times;
    }

    /** Returns the ids of the jobs that no simulation starts: held ones, and those in a pause. */
    private static Set<String> stoppedJobs(StateSnapshot snapshot) {
        Set<String> stopped = snapshot.held().stream()
                .map(Job::id)
                .filter(id -> !snapshot.blockedJobs().containsKey(id))
                .collect(Collectors.toSet());
        snapshot.preparations().stream()
                .filter(StoredPreparation::heldBack)
                .map(StoredPreparation::id)
                .forEach(stopped::add);
        return stopped;
    }

    /** Returns the ETA of a job with a dependency that is not met without an action; empty if there is none. */
    private static Optional<Eta> neverMet(
            String job, StateSnapshot snapshot, Set<String> stopped, Map<String, Times> jobs) {
        Deque<String> open = new ArrayDeque<>(Set.of(job));
        Set<String> seen = new HashSet<>();
        while (!open.isEmpty()) {
            BlockedJob blocked = snapshot.blockedJobs().get(open.remove());
            for (JobDependency dependency : blocked == null ? List.<JobDependency>of() : blocked.dependencies()) {
                String id = dependency.job();
                if (stopped.contains(id)) {
                    return Optional.of(Eta.ofHeldJob(
                            "It waits for job %s, which is held, pauses, or prepares data later.".formatted(id)));
                }
                Times times = jobs.get(id);
                if (times != null && times.completion().outcome() == Outcome.NEVER) {
                    return Optional.of(times.completion());
                }
                if (seen.add(id)) {
                    open.add(id);
                }
            }
        }
        return Optional.empty();
    }

    private Times times(SimulatedEta job, @Nullable String never) {
        if (never != null && job.start() != null && job.start().median() == null) {
            Eta not = Eta.never(never);
            return new Times(not, not);
        }
        return new Times(
                job.start() == null ? null : toEta(job.start()), job.end() == null ? Eta.UNKNOWN : toEta(job.end()));
    }

    private Eta toEta(EtaInterval band) {
        Instant later = band.high() == null ? instant(forecast.until()) : null;
        Instant low = orNull(band.low());
        Instant median = orNull(band.median());
        Instant high = orNull(band.high());
        Outcome outcome = median == null ? Outcome.BEYOND_HORIZON : Outcome.ESTIMATED;
        return new Eta(outcome, low, median, high, later, text(low, median, high, later));
    }

    private String text(
            @Nullable Instant low, @Nullable Instant median, @Nullable Instant high, @Nullable Instant later) {
        if (low == null) {
            return "Later than %s, the end of the simulated horizon.".formatted(minute(later));
        }
        if (median == null) {
            return "Probably later than %s, the end of the simulated horizon; not before %s."
                    .formatted(minute(later), minute(low));
        }
        if (forecast.coverage() <= 0) {
            return "About %s; the time limit allowed only one simulation.".formatted(minute(median));
        }
        String end = high == null ? "some time after %s".formatted(minute(later)) : minute(high);
        return "About %s; between %s and %s in %.0f %% of cases."
                .formatted(minute(median), minute(low), end, 100 * forecast.coverage());
    }

    private static String minute(@Nullable Instant time) {
        return time == null ? "?" : time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static @Nullable Instant orNull(@Nullable Double seconds) {
        return seconds == null ? null : instant(seconds);
    }

    private static Instant instant(double seconds) {
        return Instant.ofEpochMilli(Math.round(seconds * 1000));
    }
}
