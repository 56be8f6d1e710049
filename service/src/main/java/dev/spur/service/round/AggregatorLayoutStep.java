package dev.spur.service.round;

import dev.spur.model.aggregation.AggregationLayout;
import dev.spur.model.aggregation.Aggregator;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.AggregatorsCheck;
import dev.spur.model.validation.Violation;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanEntry;
import dev.spur.service.plan.PlannedAggregator;
import dev.spur.service.store.AggregatorStore;
import dev.spur.service.store.StateSnapshot;
import dev.spur.service.store.StoredAggregator;
import dev.spur.solver.aggregation.AggregatorPlanner;
import dev.spur.solver.aggregation.ExpectedAggregationLoad;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Lays out the aggregators for the jobs of a plan, and writes them into its document. */
@Component
class AggregatorLayoutStep {
    private final AggregatorStore store;
    private final Counter moves;

    AggregatorLayoutStep(AggregatorStore store, MeterRegistry registry) {
        this.store = store;
        this.moves = Counter.builder("spur.aggregators.moves")
                .description("Shards of running jobs that were moved to another aggregator, by plans of this replica")
                .register(registry);
    }

    /**
     * A layout that has been judged.
     *
     * @param running by job, what it was laid out for
     * @param layout the layout
     */
    record ValidatedLayout(Map<String, Allocation> running, AggregationLayout layout) {}

    /**
     * The layout for all jobs of {@code plan}, a plan for everything. @throws RoundFailure if the plan validator
     * rejects it
     */
    ValidatedLayout of(RoundProblem problem, RoundPlan plan) {
        return of(problem, plan, node -> false);
    }

    /** The same, where other domains plan the nodes that are {@code foreign}. */
    ValidatedLayout of(RoundProblem problem, RoundPlan plan, Predicate<String> foreign) {
        return judged(problem, foreign, served(plan.running().stream(), PlannedJob::jobId, PlannedJob::allocation));
    }

    /**
     * Makes the layout for the jobs of {@code document} the current one: {@code made} if it is for just these,
     * otherwise another one. Belongs into the transaction that publishes the plan. Returns the document with the
     * aggregators.
     */
    PlanDocument settle(StateSnapshot snapshot, PlanDocument document, ValidatedLayout made) {
        RoundProblem problem = snapshot.problem();
        Map<String, Allocation> running = served(document.running().stream(), PlanEntry::jobId, PlanEntry::allocation);
        ValidatedLayout judged = running.equals(made.running()) ? made : judged(problem, snapshot::isForeign, running);
        moves.increment(moved(store.current(snapshot::isForeign), judged.layout()));
        ExpectedAggregationLoad expectation = new ExpectedAggregationLoad(problem);
        List<PlannedAggregator> aggregators = new ArrayList<>();
        for (StoredAggregator stored : store.replace(judged.layout(), gangs(document), snapshot::isForeign)) {
            Aggregator planned = stored.planned();
            OptionalDouble load = expectation.utilization(planned, running);
            aggregators.add(new PlannedAggregator(
                    planned.node(),
                    planned.number(),
                    stored.port(),
                    planned.cpus(),
                    load.isPresent() ? load.getAsDouble() : null,
                    planned.shardsByJob()));
        }
        return document.withAggregators(told(document, judged, expectation), aggregators);
    }

    private record Shard(String jobId, int number) {}

    private record Place(String node, int number) {}

    /** Shards that lie in both, and not in the same place. */
    private static int moved(AggregationLayout before, AggregationLayout after) {
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

    private ValidatedLayout judged(RoundProblem problem, Predicate<String> foreign, Map<String, Allocation> running) {
        AggregationLayout before = store.current(foreign);
        AggregationLayout layout = AggregatorPlanner.plan(problem, running, before);
        List<Violation> violations = AggregatorsCheck.violations(problem, running, layout);
        if (!violations.isEmpty()) {
            throw RoundFailure.of("the plan validator rejects the aggregators", violations);
        }
        return new ValidatedLayout(running, layout);
    }

    private static <T> Map<String, Allocation> served(
            Stream<T> jobs, Function<T, String> id, Function<T, Allocation> allocation) {
        Map<String, Allocation> served = new TreeMap<>();
        jobs.filter(job -> !allocation.apply(job).aggregation().isEmpty())
                .forEach(job -> served.put(id.apply(job), timeless(allocation.apply(job))));
        return served;
    }

    /** Since when it is held says nothing of where it is. */
    private static Allocation timeless(Allocation held) {
        return new Allocation(held.configuration(), held.placement(), held.aggregation(), 0);
    }

    /** The entries, with a word on aggregators where a job shares them. Names of other jobs are not for everybody. */
    private static List<PlanEntry> told(
            PlanDocument document, ValidatedLayout judged, ExpectedAggregationLoad expectation) {
        Map<String, Double> losses = expectation.losses(judged.layout(), judged.running());
        Map<String, Set<String>> meets = new HashMap<>();
        judged.layout()
                .aggregators()
                .forEach(aggregator -> aggregator
                        .shardsByJob()
                        .forEach(jobShards -> aggregator
                                .shardsByJob()
                                .forEach(other -> meets.computeIfAbsent(jobShards.jobId(), id -> new HashSet<>())
                                        .add(other.jobId()))));
        return document.running().stream()
                .map(entry -> {
                    Double loss = losses.get(entry.jobId());
                    return loss == null
                            ? entry
                            : told(
                                    entry,
                                    meets.getOrDefault(entry.jobId(), Set.of()).size() - 1,
                                    loss);
                })
                .toList();
    }

    private static PlanEntry told(PlanEntry entry, int others, double loss) {
        return entry.withSentence(
                "%s It shares aggregators with %d other job%s, and is expected to wait for them for %.1f %% of its time."
                        .formatted(entry.message(), others, others == 1 ? "" : "s", 100 * loss / (1 + loss)));
    }
}
