package dev.spur.service.questions;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.IdleSlots;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.whatif.AddJob;
import dev.spur.model.whatif.Change;
import dev.spur.model.whatif.Changes;
import dev.spur.service.cluster.CalendarRange;
import dev.spur.service.database.DatabaseTime;
import dev.spur.service.jobs.learning.SpeedLearning;
import dev.spur.service.jobs.lifecycle.SubmissionDefaults;
import dev.spur.service.plans.PlanChange;
import dev.spur.service.plans.PlanDiff;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanEntry;
import dev.spur.service.plans.PlanFeed;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.contract.Binder;
import dev.spur.service.web.contract.FieldError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers what-if requests: solves the live state with and without the changes, and modifies neither. */
@RestController
class WhatIfController {
    private final OnDemandSolver solves;
    private final SnapshotReader snapshots;
    private final PlanFeed feed;
    private final SpeedLearning learning;
    private final SubmissionDefaults defaults;
    private final DatabaseTime time;

    WhatIfController(
            OnDemandSolver solves,
            SnapshotReader snapshots,
            PlanFeed feed,
            SpeedLearning learning,
            SubmissionDefaults defaults,
            DatabaseTime time) {
        this.time = time;
        this.solves = solves;
        this.snapshots = snapshots;
        this.feed = feed;
        this.learning = learning;
        this.defaults = defaults;
    }

    @PostMapping("/api/v1/what-if")
    DeferredResult<WhatIfResult> whatIf(AccessScope scope, @RequestBody ObjectNode question) {
        List<Change> changes = changes(scope, question);
        long revision = feed.current().map(PlanDocument::revision).orElse(0L);
        WhatIfScope now = new WhatIfScope(scope, snapshots.read(), changes);
        Changes.Applied applied = Changes.apply(now.problem(), now.heldBack(), changes);
        OnDemandSolver.refuse(applied.violations());
        OnDemandSolver.require(applied.problem());
        return solves.solve(() -> {
            WhatIfResult result = compare(revision, now.problem(), withPredictions(applied.problem(), changes));
            return scope.isAll() ? result : result.only(now.visibleIds());
        });
    }

    /**
     * The changes of the request body, with the defaults of a submission in added jobs, and with the active or next
     * occurrence of each time that repeats.
     */
    private List<Change> changes(AccessScope scope, ObjectNode question) {
        List<FieldError> errors = new ArrayList<>();
        JsonNode changes = question.path("changes");
        for (int i = 0; i < changes.size(); i++) {
            if (changes.get(i) instanceof ObjectNode change) {
                String pointer = "/changes/" + i;
                if (change.path("change").asString().equals("ADD_JOB")) {
                    errors.addAll(defaults.completeChange(scope, change, pointer));
                }
                JsonNode recurrence = change.remove("recurrence");
                if (recurrence != null && recurrence.isObject()) {
                    useOccurrence(change, recurrence)
                            .forEach(error -> errors.add(FieldError.at(pointer + error.pointer(), error.message())));
                }
            }
        }
        return Binder.bind(question, WhatIf.class, errors).changes();
    }

    /** Replaces the first occurrence of a change by the active or next one. Returns the errors of the rule. */
    private List<FieldError> useOccurrence(ObjectNode change, JsonNode recurrence) {
        List<FieldError> errors = new ArrayList<>();
        ObjectNode stated = RoundJson.mapper().createObjectNode();
        stated.set("start", change.get("start"));
        stated.set("end", change.get("end"));
        stated.set("recurrence", recurrence);
        CalendarRange range = RoundJson.mapper().treeToValue(stated, CalendarRange.class);
        range.check(errors);
        if (errors.isEmpty()) {
            range.at(time.now())
                    .ifPresentOrElse(
                            occurrence -> change.put("start", occurrence.start().toString())
                                    .put("end", occurrence.end().toString()),
                            () -> errors.add(
                                    FieldError.at("/recurrence/rule", "has no occurrence that has not ended")));
        }
        return errors;
    }

    /** Replaces the speeds of added jobs with the predictions that rounds would use after their submission. */
    private RoundProblem withPredictions(RoundProblem problem, List<Change> changes) {
        Set<String> added = changes.stream()
                .filter(AddJob.class::isInstance)
                .map(change -> ((AddJob) change).job())
                .collect(Collectors.toSet());
        return problem.withJobs(problem.jobs().stream()
                .map(job -> added.contains(job.id())
                        ? job.withSpec(learning.plannedSpec(job.spec(), job.deadlineStatus(), problem.nodes()))
                        : job)
                .toList());
    }

    private WhatIfResult compare(long revision, RoundProblem asItIs, RoundProblem changed) {
        RoundPlan before = solves.plan(asItIs);
        RoundPlan after = solves.plan(changed);
        List<PlanEntry> base = entries(List.of(), asItIs, before);
        PlanDiff diff = PlanDiff.between(
                0,
                base,
                0,
                entries(base, changed, after),
                after.waiting().stream().map(PendingJob::jobId).collect(Collectors.toSet()));
        return new WhatIfResult(
                revision,
                before.quality(),
                after.quality(),
                diff.changes(),
                after.waiting(),
                after.stats().idleSlots(),
                WhatIfPreparations.between(before.preparations(), after.preparations()));
    }

    /**
     * The entries of an unpublished plan, compared with {@code base}. Their restarts only express differences: 0 for a
     * first start, and one more for an allocation that differs from the base plan. Their generations count likewise.
     */
    private static List<PlanEntry> entries(List<PlanEntry> base, RoundProblem problem, RoundPlan plan) {
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
        int restarts = ranOnce ? 1 : 0;
        if (before != null) {
            boolean same = isSameGeneration(job, before.allocation(), planned.allocation());
            restarts = before.restarts() + (same ? 0 : 1);
        }
        return new PlanEntry(
                planned.jobId(),
                1 + restarts,
                restarts,
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

    /** A what-if request. Members as in the contract. */
    record WhatIf(List<Change> changes) {
        WhatIf {
            changes = Checks.copy(changes);
        }
    }

    /** Plans with and without the changes. Members as in the contract. */
    record WhatIfResult(
            long revision,
            SolutionQuality baseline,
            SolutionQuality changed,
            List<PlanChange> changes,
            List<PendingJob> waiting,
            List<IdleSlots> idleSlots,
            @Nullable WhatIfPreparations preparations) {
        WhatIfResult {
            changes = List.copyOf(changes);
            waiting = List.copyOf(waiting);
            idleSlots = List.copyOf(idleSlots);
        }

        /**
         * This result without the jobs that must not be shown, and without idle slots, whose reasons are other jobs.
         */
        WhatIfResult only(Predicate<String> shown) {
            return new WhatIfResult(
                    revision,
                    baseline,
                    changed,
                    changes.stream()
                            .filter(change -> shown.test(change.jobId()))
                            .toList(),
                    waiting.stream()
                            .filter(pending -> shown.test(pending.jobId()))
                            .toList(),
                    List.of(),
                    preparations == null ? null : preparations.only(shown));
        }
    }
}
