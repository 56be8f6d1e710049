package dev.spur.service.rounds;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.utility.Goodput;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanEntry;
import dev.spur.service.plans.PlanStore;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.plans.StateSnapshot.JobVersion;
import dev.spur.service.rounds.CurrentStateReader.PublicationJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the document of a plan: the published decisions, and the unchanged allocations of jobs whose decision was
 * dropped.
 */
final class DocumentWriter {
    private final StateSnapshot snapshot;
    private final RoundPlan plan;
    private final Map<String, PublicationJob> jobs;
    private final Map<String, String> dropped;
    private final Map<String, Job> jobOf = new HashMap<>();

    DocumentWriter(
            StateSnapshot snapshot, RoundPlan plan, Map<String, PublicationJob> jobs, Map<String, String> dropped) {
        this.snapshot = snapshot;
        this.plan = plan;
        this.jobs = jobs;
        this.dropped = dropped;
        snapshot.problem().jobs().forEach(job -> jobOf.put(job.id(), job));
        snapshot.held().forEach(job -> jobOf.put(job.id(), job));
    }

    PlanDocument write(long round, PlanStore.Current next, List<JobDecision> decisions) {
        List<PlanEntry> running = new ArrayList<>();
        for (JobDecision decision : decisions) {
            PlanEntry entry = entry(decision);
            if (entry != null) {
                running.add(entry);
            }
        }
        running.sort(Comparator.comparing(PlanEntry::jobId));
        return new PlanDocument(
                next.revision(),
                round,
                next.publishedAt(),
                next.publishedAt(),
                running,
                waiting(running),
                deadlineStatuses(),
                plan.quality(),
                List.of(),
                List.of(),
                null);
    }

    private @Nullable PlanEntry entry(JobDecision decision) {
        if (!dropped.containsKey(decision.jobId())) {
            return plannedEntry(decision);
        }
        PublicationJob job = jobs.get(decision.jobId());
        JobVersion stamp = snapshot.stamps().get(decision.jobId());
        boolean keepsWhatItHas = job != null && stamp != null && job.holds() && job.generation() == stamp.generation();
        return keepsWhatItHas && decision.before() != null && !decision.keeps()
                ? retainedEntry(decision.jobId(), decision.before())
                : null;
    }

    private @Nullable PlanEntry plannedEntry(JobDecision decision) {
        PlannedJob planned = decision.planned();
        if (planned == null || decision.after() == null) {
            return null;
        }
        return new PlanEntry(
                decision.jobId(),
                generationAfter(decision),
                restartsAfter(decision),
                decision.after(),
                decision.change(),
                planned.goodput(),
                planned.utility(),
                penalty(decision.jobId()),
                planned.message());
    }

    /** The entry of a job that keeps its allocation because its decision was dropped. */
    private PlanEntry retainedEntry(String jobId, Allocation held) {
        Job job = jobOf.get(jobId);
        return new PlanEntry(
                jobId,
                generation(jobId),
                job == null ? 0 : job.history().restarts(),
                held,
                ChangeKind.KEEP,
                job == null ? 0 : Goodput.of(job.spec(), held.configuration()),
                0,
                penalty(jobId),
                "It keeps its allocation: while the round ran, %s.".formatted(dropped.get(jobId)));
    }

    /** Generation of the job's allocation after the decision. */
    long generationAfter(JobDecision decision) {
        if (decision.keepsGeneration()) {
            return generation(decision.jobId());
        }
        PublicationJob job = jobs.get(decision.jobId());
        return job == null ? 1 : job.nextGeneration();
    }

    private int restartsAfter(JobDecision decision) {
        Job job = jobOf.get(decision.jobId());
        return job == null ? 0 : job.history().restarts() + (job.isRestart(decision.mechanism()) ? 1 : 0);
    }

    private long generation(String jobId) {
        PublicationJob job = jobs.get(jobId);
        return job == null ? 0 : job.generation();
    }

    private double penalty(String jobId) {
        Job job = jobOf.get(jobId);
        return job == null ? 0 : job.spec().restartPenaltySeconds();
    }

    private List<PendingJob> waiting(List<PlanEntry> running) {
        Set<String> listed = new HashSet<>();
        running.forEach(entry -> listed.add(entry.jobId()));
        List<PendingJob> waiting = new ArrayList<>();
        for (PendingJob pending : plan.waiting()) {
            if (jobs.containsKey(pending.jobId()) && listed.add(pending.jobId())) {
                waiting.add(pending.at(waiting.size() + 1));
            }
        }
        dropped.forEach((id, why) -> {
            if (jobs.containsKey(id) && listed.add(id)) {
                waiting.add(pendingEntry(id, why, waiting.size() + 1));
            }
        });
        return waiting;
    }

    private static PendingJob pendingEntry(String jobId, String why, int position) {
        String message = "The next round evaluates it again: while the last one ran, %s.".formatted(why);
        return new PendingJob(jobId, PendingReason.NOT_EVALUATED, null, null, null, position, message);
    }

    private Map<String, DeadlineStatus> deadlineStatuses() {
        Map<String, DeadlineStatus> deadlineStatuses = new TreeMap<>(plan.deadlineStatuses());
        deadlineStatuses.keySet().retainAll(jobs.keySet());
        return deadlineStatuses;
    }
}
