package dev.spur.service.questions;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.Job;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolverStats;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanEntry;
import dev.spur.service.plans.RoundRecord;
import dev.spur.service.plans.RoundStore;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.questions.Explanation.Bid;
import dev.spur.service.questions.Explanation.ResourcePrice;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.explain.ReportedPrices;
import dev.spur.solver.explain.SurplusAnalysis;
import dev.spur.solver.resource.ResourceKey;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Shadow prices of a job, from the round that made the current plan. */
@Component
class ShadowPriceLookup {
    /**
     * Prices of a job.
     *
     * @param resources shadow prices of the resources that it lacks or holds
     * @param bid its utility and the cost of its resources; null if it has no candidate
     */
    record PricedJob(
            List<ResourcePrice> resources, @Nullable Bid bid) {
        static final PricedJob NONE = new PricedJob(List.of(), null);
    }

    private final RoundStore rounds;
    private final SnapshotReader snapshots;

    ShadowPriceLookup(RoundStore rounds, SnapshotReader snapshots) {
        this.rounds = rounds;
        this.snapshots = snapshots;
    }

    /** Statistics of the round of {@code plan}; empty if the round computed no prices. */
    Optional<SolverStats> stats(Optional<PlanDocument> plan) {
        return plan.flatMap(current -> rounds.find(current.round()))
                .map(RoundRecord::stats)
                .filter(stats -> !stats.shadowPrices().isEmpty());
    }

    /** Prices of the slots that a running job holds, with its utility and the cost of its resources. */
    PricedJob of(PlanEntry running, SolverStats stats) {
        StateSnapshot now = snapshots.readAlone(running.jobId());
        RoundProblem problem = now.problem();
        Configuration held = running.allocation().configuration();
        String slots = new ResourceKey.Slots(NodeClassName.of(held)).toString();
        return new PricedJob(
                prices(slots, problem, stats),
                job(now, running.jobId())
                        .map(job -> bid(
                                held,
                                running.utility(),
                                SurplusAnalysis.cost(problem, job, held, stats),
                                "Its utility is %s on %s; its resources cost %s at the last shadow prices."))
                        .orElse(null));
    }

    /**
     * Prices of the resource that a waiting job lacks, with its utility in the configuration closest to being selected
     * and the cost of its resources.
     */
    PricedJob of(PendingJob waiting, SolverStats stats) {
        StateSnapshot now = snapshots.readAlone(waiting.jobId());
        RoundProblem problem = now.problem();
        String lacking = waiting.resource();
        return new PricedJob(
                lacking == null ? List.of() : prices(lacking, problem, stats),
                job(now, waiting.jobId())
                        .flatMap(job -> SurplusAnalysis.best(problem, job, stats))
                        .map(
                                best -> bid(
                                        best.configuration(),
                                        best.utility(),
                                        best.cost(),
                                        "Its utility would be %s on %s; the resources would cost %s at the last shadow prices."))
                        .orElse(null));
    }

    private static List<ResourcePrice> prices(String resource, RoundProblem problem, SolverStats stats) {
        return new ReportedPrices(stats.shadowPrices(), problem.nodes())
                .of(resource).stream()
                        .map(price -> new ResourcePrice(price.resource(), price.price(), price.message()))
                        .toList();
    }

    private static Optional<Job> job(StateSnapshot now, String id) {
        return Stream.concat(now.problem().jobs().stream(), now.held().stream())
                .filter(job -> job.id().equals(id))
                .findFirst();
    }

    private static Bid bid(Configuration where, double utility, double cost, String message) {
        String place = "%d %s".formatted(where.slots(), where.acceleratorType());
        return new Bid(
                where.pool(),
                where.acceleratorType(),
                where.slots(),
                utility,
                cost,
                message.formatted(number(utility), place, number(cost)));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }
}
