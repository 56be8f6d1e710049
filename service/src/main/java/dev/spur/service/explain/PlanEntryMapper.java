package dev.spur.service.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.plan.PlanEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts unpublished plans to comparable entries. Their generations only express differences: 1 for a first start,
 * and one more for an allocation that differs from the base plan.
 */
final class PlanEntryMapper {
    private PlanEntryMapper() {}

    /** The entries of a base plan. */
    static List<PlanEntry> of(RoundProblem problem, RoundPlan plan) {
        return comparedWith(List.of(), problem, plan);
    }

    /** The entries of a plan, compared with {@code base}. */
    static List<PlanEntry> comparedWith(List<PlanEntry> base, RoundProblem problem, RoundPlan plan) {
        Map<String, Job> jobs = new HashMap<>();
        problem.jobs().forEach(job -> jobs.put(job.id(), job));
        Map<String, PlanEntry> before = new HashMap<>();
        base.forEach(entry -> before.put(entry.jobId(), entry));
        return plan.running().stream()
                .map(planned -> entry(planned, jobs.get(planned.jobId()), before.get(planned.jobId())))
                .toList();
    }

    private static PlanEntry entry(PlannedJob planned, @Nullable Job job, @Nullable PlanEntry before) {
        boolean ranOnce = job != null && job.history().firstStart() != null;
        long generation = ranOnce ? 2 : 1;
        if (before != null) {
            boolean same = isSameGeneration(job, before.allocation(), planned.allocation());
            generation = before.generation() + (same ? 0 : 1);
        }
        return new PlanEntry(
                planned.jobId(),
                generation,
                planned.allocation(),
                planned.change(),
                planned.goodput(),
                planned.utility(),
                job == null ? 0 : job.spec().restartPenaltySeconds(),
                planned.message());
    }

    private static boolean isSameGeneration(@Nullable Job job, Allocation before, Allocation after) {
        return job == null
                ? after.sameRunAs(before)
                : job.spec().change(before, after).keepsGeneration();
    }
}
