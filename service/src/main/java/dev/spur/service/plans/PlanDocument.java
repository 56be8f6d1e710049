package dev.spur.service.plans;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.aggregation.AggregationRemedy;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.SolutionQuality;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A published plan as the API returns it.
 *
 * @param revision its unique number
 * @param round number of the round that made it
 * @param publishedAt time of its publication
 * @param explainedAt time of the last round that decided the same, whose explanations and predictions it has
 * @param waiting waiting jobs, by queue position
 * @param quality solution quality of the plan of the round
 * @param aggregators processes that sum gradients, by node and number; absent in plans of earlier versions
 * @param remedies remedies for jobs that fit on no shared aggregators; absent in a file for none
 * @param preparations data preparations; null if there are none
 */
public record PlanDocument(
        long revision,
        long round,
        Instant publishedAt,
        Instant explainedAt,
        List<PlanEntry> running,
        List<PendingJob> waiting,
        Map<String, DeadlineStatus> deadlineStatuses,
        SolutionQuality quality,
        List<PlannedAggregator> aggregators,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<AggregationRemedy> remedies,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PlannedPreparations preparations) {
    private static final Duration EXPLAINED_FOR = Duration.ofMinutes(1);
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,.:]*");

    @JsonCreator
    public PlanDocument {
        running = Checks.copy(running);
        waiting = Checks.copy(waiting);
        deadlineStatuses = Checks.copy(deadlineStatuses);
        aggregators = Checks.copy(aggregators);
        remedies = Checks.copy(remedies);
    }

    /** The plan before the first one, with the time and quality of the next plan. */
    public static PlanDocument before(PlanDocument next) {
        return new PlanDocument(
                0,
                0,
                next.publishedAt,
                next.publishedAt,
                List.of(),
                List.of(),
                Map.of(),
                next.quality,
                List.of(),
                List.of(),
                null);
    }

    /** This plan with aggregators and remedies, and with entries that describe them. */
    public PlanDocument withAggregators(
            List<PlanEntry> entries, List<PlannedAggregator> others, List<AggregationRemedy> someRemedies) {
        return new PlanDocument(
                revision,
                round,
                publishedAt,
                explainedAt,
                entries,
                waiting,
                deadlineStatuses,
                quality,
                others,
                someRemedies,
                preparations);
    }

    /** This plan with data preparations; null for none. */
    public PlanDocument withPreparations(@Nullable PlannedPreparations others) {
        return new PlanDocument(
                revision,
                round,
                publishedAt,
                explainedAt,
                running,
                waiting,
                deadlineStatuses,
                quality,
                aggregators,
                remedies,
                others);
    }

    /** This plan, which decides the same as {@code published}, as an explanation of the latter with its quality. */
    public PlanDocument explaining(PlanDocument published) {
        return new PlanDocument(
                published.revision,
                published.round,
                published.publishedAt,
                explainedAt,
                running,
                waiting,
                deadlineStatuses,
                published.quality,
                aggregators,
                remedies,
                preparations);
    }

    /**
     * True if a later plan that decides the same explains it for other causes, or is a minute newer. Numbers in
     * explanations change with each round and do not count before.
     */
    public boolean needsExplanationsOf(PlanDocument later) {
        return !explainedAt.plus(EXPLAINED_FOR).isAfter(later.explainedAt) || !causes().equals(later.causes());
    }

    /** Returns why each job runs as it does, or waits, by id. */
    public Map<String, String> messages() {
        Map<String, String> messages = new HashMap<>();
        running.forEach(entry -> messages.put(entry.jobId(), entry.message()));
        allWaiting().forEach(pending -> messages.put(pending.jobId(), pending.message()));
        return messages;
    }

    private Map<String, String> causes() {
        Map<String, String> causes = messages();
        causes.replaceAll((job, message) -> withoutNumbers(message));
        return causes;
    }

    private static String withoutNumbers(String message) {
        return NUMBER.matcher(message).replaceAll("0");
    }

    /** The document of a stored plan. */
    public static PlanDocument of(StoredPlan stored) {
        return RoundJson.mapper().readValue(stored.body(), PlanDocument.class);
    }

    /** This document as JSON. */
    public String json() {
        return RoundJson.mapper().writeValueAsString(this);
    }

    /** The entry of a running job. */
    public Optional<PlanEntry> entry(String jobId) {
        return running.stream().filter(entry -> entry.jobId().equals(jobId)).findFirst();
    }

    /** The entries of all waiting jobs: training jobs, then data preparations, each by queue position. */
    public Stream<PendingJob> allWaiting() {
        return preparations == null
                ? waiting.stream()
                : Stream.concat(waiting.stream(), preparations.waiting().stream());
    }

    /** The entry of a waiting job. */
    public Optional<PendingJob> pending(String jobId) {
        return allWaiting().filter(pending -> pending.jobId().equals(jobId)).findFirst();
    }

    /** True if the publication of {@code next} after this plan would change nothing but times and predictions. */
    public boolean plansTheSameAs(PlanDocument next) {
        return decisions().equals(next.decisions()) && new HashSet<>(remedies).containsAll(next.remedies);
    }

    private List<Object> decisions() {
        Map<String, Long> generations = new HashMap<>();
        running.forEach(entry -> generations.put(entry.jobId(), entry.generation()));
        return List.of(
                generations,
                aggregators.stream().map(PlannedAggregator::withoutPredictions).toList(),
                withoutMessages(waiting),
                deadlineStatuses,
                preparations == null ? List.of() : withoutMessages(preparations.waiting()),
                preparations == null
                        ? List.of()
                        : preparations.running().stream()
                                .map(entry -> List.of(entry.jobId(), entry.generation(), entry.grant()))
                                .toList());
    }

    /** Waiting jobs without their messages, which may contain times, and without their positions. */
    private static List<List<Object>> withoutMessages(List<PendingJob> waiting) {
        return waiting.stream()
                .map(pending -> List.<Object>of(
                        pending.jobId(),
                        pending.reason(),
                        Optional.ofNullable(pending.resource()),
                        Optional.ofNullable(pending.needed()),
                        Optional.ofNullable(pending.free())))
                .toList();
    }
}
