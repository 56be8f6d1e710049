package dev.spur.service.questions;

import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundPlan;
import dev.spur.service.jobs.StoredPreparation;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.questions.Eta.Outcome;
import dev.spur.service.questions.EtaDocument.Times;
import dev.spur.simulator.eta.EtaInterval;
import dev.spur.simulator.eta.Forecast;
import dev.spur.simulator.eta.SimulatedEta;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.HashMap;
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
        snapshot.awaiting()
                .forEach((job, awaited) ->
                        neverReady(awaited, snapshot, jobs).ifPresent(why -> jobs.put(job, new Times(why, why))));
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

    /** ETA of a job that waits for preparations that can never complete; empty if they can. */
    private static Optional<Eta> neverReady(List<String> awaited, StateSnapshot snapshot, Map<String, Times> jobs) {
        for (String id : awaited) {
            Optional<StoredPreparation> known = snapshot.preparations().stream()
                    .filter(one -> one.id().equals(id))
                    .findFirst();
            if (known.isEmpty()) {
                return Optional.of(
                        Eta.ofHeldJob("Not before preparations that can never complete are removed from dependsOn."));
            }
            if (known.get().held()) {
                return Optional.of(Eta.HELD_PREPARATION);
            }
            Times times = jobs.get(id);
            if (times != null && times.completion().outcome() == Outcome.NEVER) {
                return Optional.of(times.completion());
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
