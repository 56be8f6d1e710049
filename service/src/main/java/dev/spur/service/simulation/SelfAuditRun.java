package dev.spur.service.simulation;

import dev.spur.model.round.RoundProblem;
import dev.spur.service.outcome.CapacityStore;
import dev.spur.service.settings.SettingsStore;
import dev.spur.service.simulation.SelfAuditHistory.PastJob;
import dev.spur.service.simulation.SelfAuditQueue.SelfAuditRequest;
import dev.spur.service.snapshot.SnapshotReader;
import dev.spur.simulator.audit.AuditInput;
import dev.spur.simulator.audit.AuditReplay;
import dev.spur.simulator.audit.AuditResult;
import dev.spur.simulator.audit.SelfAudit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Runs self-audits. */
@Component
class SelfAuditRun {
    private final SelfAuditHistory history;
    private final CapacityStore capacities;
    private final SnapshotReader snapshots;
    private final SettingsStore settings;
    private final SimulationProperties properties;

    SelfAuditRun(
            SelfAuditHistory history,
            CapacityStore capacities,
            SnapshotReader snapshots,
            SettingsStore settings,
            SimulationProperties properties) {
        this.history = history;
        this.capacities = capacities;
        this.snapshots = snapshots;
        this.settings = settings;
        this.properties = properties;
    }

    /** Results of a self-audit. Members as in the contract. */
    record Results(
            String summary,
            int jobs,
            int excluded,
            Observed observed,
            AuditReplay baseline,
            List<AuditResult.Regret> regret,
            Total total,
            String bestObjective,
            List<AuditReplay> references) {}

    /** Completion times in the history, of the counted jobs that are done. Members as in the contract. */
    record Observed(
            int jobs,
            @Nullable Double meanJctSeconds,
            @Nullable Double replayedMeanJctSeconds) {}

    /** Sum of the regrets, in seconds and relative to the baseline. */
    record Total(double seconds, double fraction) {}

    /**
     * Runs one self-audit.
     *
     * @param progress receives the completed fraction; an exception that it throws ends the audit
     * @throws IllegalStateException if the range has too many jobs
     */
    Results run(SelfAuditRequest request, DoubleConsumer progress) {
        Instant since = Objects.requireNonNull(request.since());
        Instant until = Objects.requireNonNull(request.until());
        List<PastJob> jobs = history.jobs(since, until);
        if (jobs.size() > properties.maxJobs()) {
            throw new IllegalStateException(
                    "The range has %d jobs, more than the maximum of %d (spur.simulations.max-jobs). Audit a shorter range."
                            .formatted(jobs.size(), properties.maxJobs()));
        }
        RoundProblem state = snapshots.read().problem();
        Double round = request.roundSeconds();
        AuditInput input = new SelfAuditInput(since, until, state)
                .of(
                        jobs,
                        capacities.between(since, until),
                        round == null ? settings.current().value().roundSeconds() : round);
        return results(SelfAudit.run(input, progress), jobs);
    }

    private static Results results(AuditResult audit, List<PastJob> jobs) {
        List<Double> observed = new ArrayList<>();
        List<Double> replayed = new ArrayList<>();
        for (PastJob job : jobs) {
            Double before = job.jctSeconds();
            Double after = audit.baselineJctSeconds().get(job.id());
            if (before != null && after != null) {
                observed.add(before);
                replayed.add(after);
            }
        }
        return new Results(
                audit.summary(),
                audit.jobs(),
                audit.excluded(),
                new Observed(observed.size(), SelfAuditInput.mean(observed), SelfAuditInput.mean(replayed)),
                audit.baseline(),
                audit.regret(),
                new Total(audit.totalSeconds(), audit.totalFraction()),
                audit.bestObjective().name(),
                audit.references());
    }

    /** Returns the results as CSV: the baseline, the replay without each cause, and the references. */
    static String csv(Results results) {
        StringBuilder csv = new StringBuilder(
                "replay,mean_jct_seconds,weighted_mean_jct_seconds,p99_jct_seconds,regret_seconds,regret_fraction\r\n");
        csv.append(line("BASELINE", results.baseline(), "", ""));
        for (AuditResult.Regret regret : results.regret()) {
            csv.append(
                    line(regret.cause().name(), regret.without(), number(regret.seconds()), number(regret.fraction())));
        }
        results.references().forEach(reference -> csv.append(line(reference.policy(), reference, "", "")));
        return csv.toString();
    }

    private static String line(String name, AuditReplay replay, String seconds, String fraction) {
        return String.join(
                        ",",
                        name,
                        number(replay.meanJctSeconds()),
                        number(replay.weightedMeanJctSeconds()),
                        number(replay.p99JctSeconds()),
                        seconds,
                        fraction)
                + "\r\n";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }
}
