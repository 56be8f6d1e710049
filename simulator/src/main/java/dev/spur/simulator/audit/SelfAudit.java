package dev.spur.simulator.audit;

import dev.spur.model.job.JobGroup;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.tenant.Tenant;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.replay.ClusterConfig;
import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.report.Distribution;
import dev.spur.simulator.trace.ChangeCostEdit;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Replays the same arrivals under the scheduler as it ran, then without its causes of regret, one after the other, and
 * under reference policies. The regret of a cause is the difference between two successive replays, so that the causes
 * add up to the difference between the first replay and the last one.
 */
public final class SelfAudit {
    private static final String OWN = "spur";
    private static final List<String> REFERENCES = List.of("fifo", "fifo-backfill");
    /** Objectives for low completion times. */
    private static final List<ObjectiveKind> OBJECTIVES =
            List.of(ObjectiveKind.COMPLETION_TIME, ObjectiveKind.REMAINING_TIME);

    private static final double MORE_WORK = 4;

    private final AuditInput input;
    private final ProgressListener progress;
    private final int all;
    private int done;

    private SelfAudit(AuditInput input, ProgressListener progress) {
        this.input = input;
        this.progress = progress;
        this.all = RegretCause.values().length + otherObjectives().size() + REFERENCES.size();
    }

    /**
     * Runs the audit.
     *
     * @param progress receives the numbers of ended jobs and of all jobs, summed over all replays, after each round
     */
    public static AuditResult run(AuditInput input, ProgressListener progress) {
        return new SelfAudit(input, progress).run();
    }

    private AuditResult run() {
        List<Replay> replays = new ArrayList<>();
        ReplaySettings settings = input.settings();
        ClusterConfig open = withoutQuotas(input.cluster());
        Trace free = ChangeCostEdit.free(input.oracleTrace());
        RoundSettings exact = exact(settings.settings());
        replays.add(replay(input.trace(), input.cluster(), OWN, settings));
        replays.add(replay(input.oracleTrace(), input.cluster(), OWN, settings));
        replays.add(replay(free, input.cluster(), OWN, settings));
        replays.add(replay(free, open, OWN, settings));
        replays.add(replay(free, open, OWN, settings.withPlanning(exact)));
        Map<ObjectiveKind, Replay> objectives = new HashMap<>();
        for (ObjectiveKind kind : otherObjectives()) {
            RoundSettings roundSettings = exact.withObjective(Objective.of(kind));
            objectives.put(kind, replay(free, open, OWN, settings.withPlanning(roundSettings)));
        }
        List<Replay> referenceReplays = REFERENCES.stream()
                .map(policy -> replay(input.trace(), input.cluster(), policy, settings))
                .toList();
        List<Replay> every = new ArrayList<>(replays);
        every.addAll(objectives.values());
        every.addAll(referenceReplays);
        return result(replays, objectives, referenceReplays, endedInAll(every));
    }

    private List<ObjectiveKind> otherObjectives() {
        return OBJECTIVES.stream()
                .filter(kind -> kind != input.settings().settings().objective().kind())
                .toList();
    }

    private Replay replay(Trace trace, ClusterConfig cluster, String policy, ReplaySettings settings) {
        ProgressListener listener = (time, ended, jobs) -> progress.at(time, done * jobs + ended, all * jobs);
        Replay replay =
                Replayer.replay(trace, cluster, PolicyRegistry.policy(policy).orElseThrow(), settings, listener);
        done++;
        return replay;
    }

    private AuditResult result(
            List<Replay> replays,
            Map<ObjectiveKind, Replay> objectives,
            List<Replay> referenceReplays,
            Set<String> ids) {
        List<AuditReplay> auditReplays =
                new ArrayList<>(replays.stream().map(replay -> row(replay, ids)).toList());
        AuditReplay best = auditReplays.get(auditReplays.size() - 1);
        ObjectiveKind bestObjective = input.settings().settings().objective().kind();
        for (Map.Entry<ObjectiveKind, Replay> other : objectives.entrySet()) {
            AuditReplay row = row(other.getValue(), ids);
            if (row.meanJctSeconds() < best.meanJctSeconds()) {
                best = row;
                bestObjective = other.getKey();
            }
        }
        auditReplays.add(best);
        return new AuditResult(
                ids.size(),
                input.counted().size() - ids.size(),
                auditReplays.get(0),
                jctOf(replays.get(0), ids),
                regret(auditReplays),
                bestObjective,
                referenceReplays.stream().map(replay -> row(replay, ids)).toList());
    }

    private static List<AuditResult.Regret> regret(List<AuditReplay> replays) {
        double whole = replays.get(0).meanJctSeconds();
        List<AuditResult.Regret> regret = new ArrayList<>();
        RegretCause[] causes = RegretCause.values();
        for (int i = 0; i < causes.length; i++) {
            AuditReplay before = replays.get(i);
            AuditReplay after = replays.get(i + 1);
            double seconds = before.meanJctSeconds() - after.meanJctSeconds();
            regret.add(new AuditResult.Regret(
                    causes[i],
                    after,
                    seconds,
                    before.weightedMeanJctSeconds() - after.weightedMeanJctSeconds(),
                    whole == 0 ? 0 : seconds / whole));
        }
        return regret;
    }

    private Set<String> endedInAll(List<Replay> replays) {
        Set<String> ids = new HashSet<>(input.counted());
        for (Replay replay : replays) {
            ids.retainAll(replay.jobs().stream()
                    .filter(job -> job.end() != null)
                    .map(JobOutcome::id)
                    .collect(Collectors.toSet()));
        }
        return ids;
    }

    private AuditReplay row(Replay replay, Set<String> ids) {
        Distribution jct = new Distribution(outcomesOf(replay, ids).mapToDouble(SelfAudit::jct));
        Map<String, Double> jctOf = jctOf(replay, ids);
        double weight = 0;
        double weighted = 0;
        for (TraceJob job : input.trace().jobs()) {
            Double seconds = jctOf.get(job.id());
            if (seconds != null) {
                double ofJob = job.viewModel().after(RunHistory.NONE).spec().weight();
                weight += ofJob;
                weighted += ofJob * seconds;
            }
        }
        return new AuditReplay(
                replay.policy(),
                jct.mean(),
                weight == 0 ? 0 : weighted / weight,
                jct.quantile(0.99),
                outcomesOf(replay, ids)
                        .mapToDouble(SelfAudit::queueing)
                        .average()
                        .orElse(0),
                outcomesOf(replay, ids)
                        .mapToDouble(JobOutcome::restarts)
                        .average()
                        .orElse(0));
    }

    private static Map<String, Double> jctOf(Replay replay, Set<String> ids) {
        return outcomesOf(replay, ids).collect(Collectors.toMap(JobOutcome::id, SelfAudit::jct));
    }

    private static Stream<JobOutcome> outcomesOf(Replay replay, Set<String> ids) {
        return replay.jobs().stream().filter(job -> ids.contains(job.id()));
    }

    private static double jct(JobOutcome job) {
        Double end = job.end();
        if (end == null) {
            throw new IllegalStateException("job %s has no end".formatted(job.id()));
        }
        return end - job.arrival();
    }

    private static double queueing(JobOutcome job) {
        Double start = job.firstStart();
        return start == null ? 0 : start - job.arrival();
    }

    static RoundSettings exact(RoundSettings settings) {
        SolveBudget budget = settings.budget();
        return settings.withEffort(
                0, new SolveBudget(MORE_WORK * budget.work(), budget.wallSeconds(), budget.workers(), budget.seed()));
    }

    private static ClusterConfig withoutQuotas(ClusterConfig cluster) {
        return new ClusterConfig(
                cluster.types(),
                cluster.pools(),
                cluster.nodes(),
                cluster.reservations(),
                cluster.maintenance(),
                cluster.tenants().stream()
                        .map(tenant -> new Tenant(tenant.name(), tenant.parent(), tenant.weight(), Map.of()))
                        .toList(),
                cluster.groups().stream()
                        .map(group -> new JobGroup(group.name(), group.tenant(), null, null))
                        .toList(),
                cluster.pastUsage());
    }
}
