package dev.spur.service.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.SolutionQuality;
import dev.spur.service.store.StoredPlan;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A published plan as clients read it.
 *
 * @param revision its number, never given twice
 * @param round number of the round that made it
 * @param publishedAt when
 * @param running the jobs that run
 * @param waiting the jobs that wait, by position
 * @param deadlineStatuses what is said of deadlines, by job id
 * @param quality how good the plan of the round is known to be
 * @param aggregators the processes that sum gradients, by node and number; plans from before there were any have none
 * @param preparations the jobs that prepare data; null if there are none
 * @param domains the planning domains whose parts this is made of; null where nothing is divided
 */
public record PlanDocument(
        long revision,
        long round,
        Instant publishedAt,
        List<PlanEntry> running,
        List<PendingJob> waiting,
        Map<String, DeadlineStatus> deadlineStatuses,
        SolutionQuality quality,
        List<PlannedAggregator> aggregators,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PlannedPreparations preparations,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<PlannedDomain> domains) {
    @JsonCreator
    public PlanDocument {
        running = Checks.copy(running);
        waiting = Checks.copy(waiting);
        deadlineStatuses = Checks.copy(deadlineStatuses);
        aggregators = Checks.copy(aggregators);
        domains = domains == null ? null : List.copyOf(domains);
    }

    /** A plan of everything. */
    public PlanDocument(
            long revision,
            long round,
            Instant publishedAt,
            List<PlanEntry> running,
            List<PendingJob> waiting,
            Map<String, DeadlineStatus> deadlineStatuses,
            SolutionQuality quality,
            List<PlannedAggregator> aggregators,
            @Nullable PlannedPreparations preparations) {
        this(
                revision,
                round,
                publishedAt,
                running,
                waiting,
                deadlineStatuses,
                quality,
                aggregators,
                preparations,
                null);
    }

    /** This with aggregators, and with entries that speak of them. */
    public PlanDocument withAggregators(List<PlanEntry> entries, List<PlannedAggregator> others) {
        return new PlanDocument(
                revision,
                round,
                publishedAt,
                entries,
                waiting,
                deadlineStatuses,
                quality,
                others,
                preparations,
                domains);
    }

    /** This with what is planned of preparations; null for none. */
    public PlanDocument withPreparations(@Nullable PlannedPreparations others) {
        return new PlanDocument(
                revision,
                round,
                publishedAt,
                running,
                waiting,
                deadlineStatuses,
                quality,
                aggregators,
                others,
                domains);
    }

    /** The document of a stored plan. */
    public static PlanDocument of(StoredPlan stored) {
        return RoundJson.mapper().readValue(stored.body(), PlanDocument.class);
    }

    /** This document as JSON. */
    public String json() {
        return RoundJson.mapper().writeValueAsString(this);
    }

    /** Number of the round that planned a job of {@code domain}; null for no domain. */
    public long roundOf(@Nullable String domain) {
        return domains == null
                ? round
                : domains.stream()
                        .filter(part -> part.name().equals(domain))
                        .mapToLong(PlannedDomain::round)
                        .findFirst()
                        .orElse(round);
    }

    /** The entry of a job that runs. */
    public Optional<PlanEntry> entry(String jobId) {
        return running.stream().filter(entry -> entry.jobId().equals(jobId)).findFirst();
    }

    /** Why a job waits. */
    public Optional<PendingJob> pending(String jobId) {
        return waiting.stream().filter(pending -> pending.jobId().equals(jobId)).findFirst();
    }
}
