package dev.spur.service.explain;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.Job;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.ResourceKind;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolverStats;
import dev.spur.service.explain.Explanation.Bid;
import dev.spur.service.explain.Explanation.ResourcePrice;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanEntry;
import dev.spur.service.store.PlanningDomainStore;
import dev.spur.service.store.RoundRecord;
import dev.spur.service.store.RoundStore;
import dev.spur.service.store.SnapshotReader;
import dev.spur.service.store.StateSnapshot;
import dev.spur.solver.explain.SurplusAnalysis;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Shadow prices of a job, from the round that made the current plan. */
@Component
class ShadowPriceLookup {
    private final RoundStore rounds;
    private final SnapshotReader snapshots;
    private final PlanningDomainStore domains;

    ShadowPriceLookup(RoundStore rounds, SnapshotReader snapshots, PlanningDomainStore domains) {
        this.rounds = rounds;
        this.snapshots = snapshots;
        this.domains = domains;
    }

    /** Statistics of the round that planned a job in {@code plan}; empty if the round computed no prices. */
    Optional<SolverStats> of(Optional<PlanDocument> plan, String job) {
        return plan.flatMap(current -> rounds.find(round(current, job)))
                .map(RoundRecord::stats)
                .filter(stats -> !stats.shadowPrices().isEmpty());
    }

    private long round(PlanDocument plan, String job) {
        return plan.domains() == null
                ? plan.round()
                : plan.roundOf(domains.domainOf(job).orElse(null));
    }

    /** Shadow prices of the resource that a waiting job lacks. */
    static List<ResourcePrice> lacking(PendingJob waiting, SolverStats stats) {
        String resource = waiting.resource();
        return resource == null ? List.of() : estimates(stats, resource, null);
    }

    /** Shadow prices of the slots that a running job holds. */
    static List<ResourcePrice> held(PlanEntry running, SolverStats stats) {
        Configuration held = running.allocation().configuration();
        return estimates(stats, "slots:" + held.pool() + "/" + held.acceleratorType(), ResourceKind.SLOT);
    }

    private static List<ResourcePrice> estimates(SolverStats stats, String resource, @Nullable ResourceKind kind) {
        return stats.shadowPrices().stream()
                .filter(price -> kind == null || price.kind() == kind)
                .filter(price ->
                        price.resource().equals(resource) || price.resource().startsWith(resource + " ("))
                .map(price -> new ResourcePrice(price.resource(), price.price(), price.message()))
                .toList();
    }

    /** Utility of a running job, and the cost of its resources. */
    @Nullable
    Bid bid(PlanEntry running, SolverStats stats) {
        StateSnapshot now = snapshots.readAlone(running.jobId());
        Configuration held = running.allocation().configuration();
        return job(now, running.jobId())
                .map(job -> bid(
                        held,
                        running.utility(),
                        SurplusAnalysis.cost(now.problem(), job, held, stats),
                        "Its utility is %s on %s; its resources cost %s at the last shadow prices."))
                .orElse(null);
    }

    /** Utility of a waiting job in the configuration closest to being selected, and the cost of its resources. */
    @Nullable
    Bid bid(PendingJob waiting, SolverStats stats) {
        StateSnapshot now = snapshots.readAlone(waiting.jobId());
        RoundProblem problem = now.problem();
        return job(now, waiting.jobId())
                .flatMap(job -> SurplusAnalysis.best(problem, job, stats))
                .map(best -> bid(
                        best.configuration(),
                        best.utility(),
                        best.cost(),
                        "Its utility would be %s on %s; the resources would cost %s at the last shadow prices."))
                .orElse(null);
    }

    private static Optional<Job> job(StateSnapshot now, String id) {
        return Stream.concat(now.problem().jobs().stream(), now.held().stream())
                .filter(job -> job.id().equals(id))
                .findFirst();
    }

    private static Bid bid(Configuration where, double utility, double cost, String sentence) {
        String place = "%d %s".formatted(where.slots(), where.acceleratorType());
        return new Bid(
                where.pool(),
                where.acceleratorType(),
                where.slots(),
                utility,
                cost,
                sentence.formatted(number(utility), place, number(cost)));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }
}
