package dev.spur.service.explain;

import dev.spur.model.round.PendingJob;
import dev.spur.service.eta.EtaFeed;
import dev.spur.service.explain.ShadowPriceLookup.PricedJob;
import dev.spur.service.explain.WaitingJobs.WaitingJob;
import dev.spur.service.job.lifecycle.JobWarnings;
import dev.spur.service.job.lifecycle.JobWarnings.Warning;
import dev.spur.service.job.logs.JobFailure;
import dev.spur.service.job.logs.JobFailureStore;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanEntry;
import dev.spur.service.plan.PlanFeed;
import dev.spur.service.plan.PlannedPreparations;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Explains why a job waits, or why it runs in its allocation. */
@Component
class JobExplainer {
    private final PlanFeed feed;
    private final ShadowPriceLookup pricing;
    private final EtaFeed expected;
    private final DeviationMessages deviations;
    private final JobWarnings warnings;
    private final JobFailureStore failures;

    JobExplainer(
            PlanFeed feed,
            ShadowPriceLookup pricing,
            EtaFeed expected,
            DeviationMessages deviations,
            JobWarnings warnings,
            JobFailureStore failures) {
        this.feed = feed;
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
        PricedJob priced = priceOf(plan, job.id(), running, waiting);
        return new Explanation(
                job.id(),
                job.state(),
                plan.map(PlanDocument::revision).orElse(0L),
                plannedText(warned) + message(job, running, preparation, waiting, failure),
                running,
                preparation,
                waiting,
                priced.resources(),
                priced.bid(),
                ended
                        ? null
                        : expected.current().of(job.id(), waits, job.held()).orElse(null),
                deviations.aggregationLoad(job.id()),
                deviations.drift(job.id()),
                ended ? List.of() : deviations.stalls(job.id()),
                warned,
                failure);
    }

    /** Returns the start of the explanation of a job that the plan runs and no executor starts. */
    private static String plannedText(List<Warning> warned) {
        boolean starts = warned.stream().noneMatch(warning -> warning.kind() == JobWarnings.Kind.NO_EXECUTOR);
        return starts ? "" : "Planned, but no executor carries it out. ";
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

    private PricedJob priceOf(
            Optional<PlanDocument> plan, String id, @Nullable PlanEntry running, @Nullable PendingJob waiting) {
        if (waiting != null) {
            return pricing.stats(plan, id)
                    .map(stats -> pricing.of(waiting, stats))
                    .orElse(PricedJob.NONE);
        }
        return running == null
                ? PricedJob.NONE
                : pricing.stats(plan, id)
                        .map(stats -> pricing.of(running, stats))
                        .orElse(PricedJob.NONE);
    }
}
