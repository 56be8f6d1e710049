package dev.spur.service.rounds;

import dev.spur.model.aggregation.AggregationLayout;
import dev.spur.model.aggregation.AggregationRemedy;
import dev.spur.model.aggregation.Aggregator;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.AggregatorsCheck;
import dev.spur.model.validation.Violation;
import dev.spur.service.jobs.learning.AggregatorStore;
import dev.spur.service.jobs.learning.StoredAggregator;
import dev.spur.service.plans.AggregationRemedyStore;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanEntry;
import dev.spur.service.plans.PlannedAggregator;
import dev.spur.service.plans.RoundFailure;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.solver.aggregation.ExpectedAggregationLoad;
import dev.spur.solver.aggregation.RemediedLayout;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Computes the aggregator layout of a plan and adds it to the plan document. */
@Component
class AggregatorLayoutStep {
    private final AggregatorStore store;
    private final AggregationRemedyStore remedyStore;
    private final Counter moves;
    private final Counter overloads;
    private final Map<AggregationRemedy.Kind, Counter> remedies = new EnumMap<>(AggregationRemedy.Kind.class);

    AggregatorLayoutStep(AggregatorStore store, AggregationRemedyStore remedyStore, MeterRegistry registry) {
        this.store = store;
        this.remedyStore = remedyStore;
        for (AggregationRemedy.Kind kind : AggregationRemedy.Kind.values()) {
            remedies.put(
                    kind,
                    Counter.builder("spur.aggregators.remedies")
                            .description("Jobs of plans of this replica that did not fit within the limits of sharing")
                            .tag("remedy", kind.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        this.overloads = Counter.builder("spur.aggregators.overloads")
                .description(
                        "Pools of plans of this replica in which some job did not fit within the limits of sharing")
                .register(registry);
        this.moves = Counter.builder("spur.aggregators.moves")
                .description("Shards of running jobs that were moved to another aggregator, by plans of this replica")
                .register(registry);
    }

    /**
     * A validated layout.
     *
     * @param running the allocations that it was computed for, by job
     */
    record ValidatedLayout(
            Map<String, Allocation> running, AggregationLayout layout, List<AggregationRemedy> remedies) {}

    /**
     * The layout for all jobs of {@code plan}.
     *
     * @throws RoundFailure if the plan validator rejects it
     */
    ValidatedLayout of(RoundProblem problem, RoundPlan plan) {
        Map<String, Allocation> running =
                allocations(plan.running().stream(), PlannedJob::jobId, PlannedJob::allocation);
        return validate(problem, plan, running, running.isEmpty() ? List.of() : store.all());
    }

    /** The shard layout of the current plan. */
    private static AggregationLayout currentLayout(List<StoredAggregator> known) {
        return new AggregationLayout(known.stream()
                .filter(StoredAggregator::isPlanned)
                .map(StoredAggregator::toAggregator)
                .toList());
    }

    /**
     * Stores the layout for the jobs of {@code document} as the current one: {@code made} if it was computed for
     * exactly these jobs, otherwise a new one. Returns the document with the aggregators. Call this in the transaction
     * that publishes the plan.
     *
     * @param known all aggregators, read in that transaction
     */
    PlanDocument publish(
            StateSnapshot snapshot, List<StoredAggregator> known, PlanDocument document, ValidatedLayout made) {
        RoundProblem problem = snapshot.problem();
        Map<String, Allocation> running =
                allocations(document.running().stream(), PlanEntry::jobId, PlanEntry::allocation);
        ValidatedLayout validated = running.equals(made.running()) ? made : validate(problem, null, running, known);
        remedyStore.write(validated.remedies());
        validated
                .remedies()
                .forEach(remedy ->
                        Objects.requireNonNull(remedies.get(remedy.kind())).increment());
        overloads.increment(validated.layout().overloadedPools().size());
        moves.increment(movedShards(currentLayout(known), validated.layout()));
        ExpectedAggregationLoad expectation = new ExpectedAggregationLoad(problem);
        List<PlannedAggregator> aggregators = new ArrayList<>();
        for (StoredAggregator stored : store.replace(known, validated.layout(), gangs(document))) {
            Aggregator planned = stored.toAggregator();
            OptionalDouble load = expectation.utilization(planned, running);
            aggregators.add(new PlannedAggregator(
                    planned.node(),
                    planned.number(),
                    stored.port(),
                    planned.cpus(),
                    load.isPresent() ? load.getAsDouble() : null,
                    planned.shardsByJob()));
        }
        return document.withAggregators(
                withMessages(document, validated, expectation), aggregators, validated.remedies());
    }

    private record Shard(String jobId, int number) {}

    private record Place(String node, int number) {}

    /** Number of shards that both layouts contain in different places. */
    private static int movedShards(AggregationLayout before, AggregationLayout after) {
        Map<Shard, Place> old = places(before);
        return (int) places(after).entrySet().stream()
                .filter(entry -> {
                    Place was = old.get(entry.getKey());
                    return was != null && !was.equals(entry.getValue());
                })
                .count();
    }

    private static Map<Shard, Place> places(AggregationLayout layout) {
        Map<Shard, Place> places = new HashMap<>();
        layout.aggregators()
                .forEach(aggregator -> aggregator
                        .shardsByJob()
                        .forEach(jobShards -> jobShards
                                .shards()
                                .forEach(shard -> places.put(
                                        new Shard(jobShards.jobId(), shard),
                                        new Place(aggregator.node(), aggregator.number())))));
        return places;
    }

    private static Map<String, AggregatorStore.ServedJob> gangs(PlanDocument document) {
        Map<String, AggregatorStore.ServedJob> gangs = new HashMap<>();
        document.running()
                .forEach(entry -> gangs.put(
                        entry.jobId(),
                        new AggregatorStore.ServedJob(
                                entry.generation(),
                                entry.allocation().configuration().slots())));
        return gangs;
    }

    private static ValidatedLayout validate(
            RoundProblem problem,
            @Nullable RoundPlan plan,
            Map<String, Allocation> running,
            List<StoredAggregator> known) {
        RemediedLayout remedied = RemediedLayout.of(problem, plan, running, currentLayout(known));
        List<Violation> violations = AggregatorsCheck.violations(remedied.problem(), running, remedied.layout());
        if (!violations.isEmpty()) {
            throw RoundFailure.of("the plan validator rejected the aggregator layout", violations);
        }
        return new ValidatedLayout(running, remedied.layout(), remedied.remedies());
    }

    private static <T> Map<String, Allocation> allocations(
            Stream<T> jobs, Function<T, String> id, Function<T, Allocation> allocation) {
        Map<String, Allocation> served = new TreeMap<>();
        jobs.filter(job -> !allocation.apply(job).aggregation().isEmpty())
                .forEach(job -> served.put(id.apply(job), withoutTime(allocation.apply(job))));
        return served;
    }

    /** The allocation without its start time, for comparison. */
    private static Allocation withoutTime(Allocation held) {
        return new Allocation(held.configuration(), held.placement(), held.aggregation(), 0);
    }

    /**
     * The entries with a sentence about aggregators for jobs that share them, and one about the remedy for jobs that
     * fit on none. They do not name the other jobs, because the caller may not see them.
     */
    private static List<PlanEntry> withMessages(
            PlanDocument document, ValidatedLayout validated, ExpectedAggregationLoad expectation) {
        Map<String, Double> losses = expectation.losses(validated.layout(), validated.running());
        Map<String, Set<String>> meets = new HashMap<>();
        validated
                .layout()
                .aggregators()
                .forEach(aggregator -> aggregator
                        .shardsByJob()
                        .forEach(jobShards -> aggregator
                                .shardsByJob()
                                .forEach(other -> meets.computeIfAbsent(jobShards.jobId(), id -> new HashSet<>())
                                        .add(other.jobId()))));
        Map<String, AggregationRemedy.Kind> kinds = new HashMap<>();
        validated.remedies().forEach(remedy -> kinds.put(remedy.jobId(), remedy.kind()));
        return document.running().stream()
                .map(entry -> withMessages(entry, kinds.get(entry.jobId())))
                .map(entry -> {
                    Double loss = losses.get(entry.jobId());
                    int others = meets.getOrDefault(entry.jobId(), Set.of()).size() - 1;
                    return loss == null || others < 1 ? entry : withMessages(entry, others, loss);
                })
                .toList();
    }

    private static PlanEntry withMessages(PlanEntry entry, AggregationRemedy.@Nullable Kind remedy) {
        return remedy == null ? entry : entry.withMessage(entry.message() + " " + remedy.message());
    }

    private static PlanEntry withMessages(PlanEntry entry, int others, double loss) {
        return entry.withMessage(
                "%s It shares aggregators with %d other job%s and is predicted to wait for sums for %.1f %% of its time."
                        .formatted(entry.message(), others, others == 1 ? "" : "s", 100 * loss / (1 + loss)));
    }
}
