package dev.spur.service.questions;

import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.service.jobs.DependencyStore;
import dev.spur.service.jobs.JobFailure;
import dev.spur.service.jobs.JobFailureStore;
import dev.spur.service.jobs.lifecycle.JobWarnings;
import dev.spur.service.jobs.lifecycle.JobWarnings.Warning;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanEntry;
import dev.spur.service.plans.PlanFeed;
import dev.spur.service.plans.PlannedPreparations;
import dev.spur.service.questions.ShadowPriceLookup.PricedJob;
import dev.spur.service.questions.WaitingJobs.Holder;
import dev.spur.service.questions.WaitingJobs.WaitingJob;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Explains why a job waits, or why it runs in its allocation. */
@Component
class JobExplainer {
    private static final int NAMED_HOLDERS = 3;
    /** Largest number of dependencies, and of dependents, in an explanation. */
    private static final int DEPENDENCIES = 100;
    /** Resource of a binding quota: the tenant or tenants, and the accelerator type. */
    private static final Pattern QUOTA = Pattern.compile("quota:.*/([^/]+)");

    private final PlanFeed feed;
    private final WaitingJobs jobs;
    private final ShadowPriceLookup pricing;
    private final EtaFeed expected;
    private final DeviationMessages deviations;
    private final JobWarnings warnings;
    private final JobFailureStore failures;
    private final DependencyStore dependencies;

    JobExplainer(
            PlanFeed feed,
            WaitingJobs jobs,
            ShadowPriceLookup pricing,
            EtaFeed expected,
            DeviationMessages deviations,
            JobWarnings warnings,
            JobFailureStore failures,
            DependencyStore dependencies) {
        this.dependencies = dependencies;
        this.feed = feed;
        this.jobs = jobs;
        this.pricing = pricing;
        this.expected = expected;
        this.deviations = deviations;
        this.warnings = warnings;
        this.failures = failures;
    }

    /** Returns the explanation of a job by the current plan. */
    Explanation explain(WaitingJob job) {
        Optional<PlanDocument> plan = feed.current();
        boolean waits = job.state().equals("SUBMITTED") || job.state().equals("WAITING");
        boolean ended = !waits && !job.state().equals("RUNNING") && !job.state().equals("COMPLETING");
        PlanEntry running = waits || ended
                ? null
                : plan.flatMap(current -> current.entry(job.id())).orElse(null);
        PlannedPreparations.Entry preparation = waits || ended
                ? null
                : plan.map(PlanDocument::preparations)
                        .flatMap(all -> all.entry(job.id()))
                        .orElse(null);
        PendingJob waiting = waits ? job.pendingReason(plan.flatMap(current -> current.pending(job.id())), 0) : null;
        JobFailure failure = failures.of(job.id()).orElse(null);
        List<Warning> warned = warnings.of(job.id());
        PricedJob priced = priceOf(plan, running, waiting);
        return new Explanation(
                job.id(),
                job.state(),
                plan.map(PlanDocument::revision).orElse(0L),
                plannedText(warned)
                        + message(job, running, preparation, waiting, failure)
                        + holders(job, waiting)
                        + lostDependency(job),
                running,
                preparation,
                waiting,
                priced.resources(),
                priced.bid(),
                ended
                        ? null
                        : expected.current()
                                .of(job.id(), waits, job.held(), job.since())
                                .orElse(null),
                deviations.aggregationLoad(job.id()),
                ended ? List.of() : deviations.stalls(job.id()),
                warned,
                failure,
                dependencies.dependencies(job.id(), DEPENDENCIES),
                dependencies.dependents(job.id(), DEPENDENCIES));
    }

    /** Returns the start of the explanation of a job that the plan runs and no executor starts. */
    private static String plannedText(List<Warning> warned) {
        boolean starts = warned.stream().noneMatch(warning -> warning.kind() == JobWarnings.Kind.NO_EXECUTOR);
        return starts ? "" : "Planned, but no executor carries it out. ";
    }

    /** Returns why a job was canceled that never had its dependencies met; empty for other jobs. */
    private static String lostDependency(WaitingJob job) {
        return job.state().equals("CANCELLED") && !job.awaited().isEmpty()
                ? " At that time it waited for %s.".formatted(job.awaited())
                : "";
    }

    /** Returns the jobs of the same tenant that use the quota; empty if no quota binds or other tenants use it. */
    private String holders(WaitingJob job, @Nullable PendingJob waiting) {
        if (waiting == null || waiting.resource() == null || waiting.reason() != PendingReason.QUOTA_EXCEEDED) {
            return "";
        }
        Matcher quota = QUOTA.matcher(waiting.resource());
        List<Holder> holders = quota.matches() ? jobs.holders(job.tenant(), quota.group(1)) : List.of();
        if (holders.isEmpty()) {
            return "";
        }
        String named = holders.stream()
                .limit(NAMED_HOLDERS)
                .map(holder -> "%s (%s)"
                        .formatted(
                                holder.name(),
                                String.format(Locale.ROOT, "%,.2f", holder.slots())
                                        .replaceFirst("\\.?0+$", "")))
                .collect(Collectors.joining(", "));
        int others = Math.max(0, holders.size() - NAMED_HOLDERS);
        return " Jobs of tenant %s that hold such slots: %s%s."
                .formatted(job.tenant(), named, others == 0 ? "" : " and %d more".formatted(others));
    }

    private static String message(
            WaitingJob job,
            @Nullable PlanEntry running,
            PlannedPreparations.@Nullable Entry preparation,
            @Nullable PendingJob waiting,
            @Nullable JobFailure failure) {
        if (waiting != null) {
            return waiting.message();
        }
        if (running != null) {
            return running.message();
        }
        if (preparation != null) {
            return preparation.message();
        }
        if (failure != null && job.state().equals("FAILED")) {
            return failure.message();
        }
        return "The job is %s.".formatted(job.state().toLowerCase(Locale.ROOT));
    }

    private PricedJob priceOf(Optional<PlanDocument> plan, @Nullable PlanEntry running, @Nullable PendingJob waiting) {
        if (waiting != null) {
            return pricing.stats(plan).map(stats -> pricing.of(waiting, stats)).orElse(PricedJob.NONE);
        }
        return running == null
                ? PricedJob.NONE
                : pricing.stats(plan).map(stats -> pricing.of(running, stats)).orElse(PricedJob.NONE);
    }
}
