package dev.spur.solver.explain;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.ShadowPrice;
import dev.spur.model.round.SolverStats;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.quota.QuotaSystem;
import dev.spur.solver.quota.QuotaSystem.Account;
import dev.spur.solver.quota.SlotUnits;
import dev.spur.solver.resource.ResourceKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Reduced costs of jobs: utility minus the cost of the resources at shadow prices. The cost is the sum of amounts times
 * prices: slots as parts of whole nodes, aggregation, host, quotas and the cap of the group. An estimate, as are the
 * prices.
 */
public final class SurplusAnalysis {
    /**
     * A configuration at the prices.
     *
     * @param configuration the configuration
     * @param utility utility of the job in it
     * @param cost cost of its resources
     */
    public record PricedConfiguration(Configuration configuration, double utility, double cost) {
        private double surplus() {
            return utility - cost;
        }
    }

    /** Prices of the nodes of one pool and type per slot, CPU and GiB. */
    private record NodePrices(double slot, double cpu, double memoryGiB) {}

    private final RoundProblem problem;
    private final Job job;
    private final SolverStats stats;
    private final ReportedPrices prices;
    private final Map<NodeClassName, NodePrices> nodePrices = new HashMap<>();

    private SurplusAnalysis(RoundProblem problem, Job job, SolverStats stats) {
        this.problem = problem;
        this.job = job;
        this.stats = stats;
        this.prices = new ReportedPrices(stats.shadowPrices(), problem.nodes());
    }

    /**
     * Returns the configuration with the largest surplus of utility over cost if {@code job} starts; empty without a
     * candidate.
     */
    public static Optional<PricedConfiguration> best(RoundProblem problem, Job job, SolverStats stats) {
        SurplusAnalysis bids = new SurplusAnalysis(problem, job, stats);
        var alone = CandidateGenerator.generate(problem.withJobs(List.of(job.withAllocation(null))));
        return IntStream.range(alone.first(0), alone.end(0))
                .mapToObj(alone::get)
                .map(bids::of)
                .max(Comparator.comparingDouble(PricedConfiguration::surplus));
    }

    /** Returns the cost of {@code configuration} for {@code job}. */
    public static double cost(RoundProblem problem, Job job, Configuration configuration, SolverStats stats) {
        return new SurplusAnalysis(problem, job, stats).cost(configuration);
    }

    private PricedConfiguration of(Candidate candidate) {
        return new PricedConfiguration(candidate.configuration(), candidate.utility(), cost(candidate.configuration()));
    }

    private double cost(Configuration configuration) {
        JobSpec spec = job.spec();
        HostDemand host = spec.hostIn(configuration);
        NodePrices nodes = nodePrices.computeIfAbsent(NodeClassName.of(configuration), this::nodePrices);
        int slots = configuration.slots();
        double devices = spec.devicesIn(configuration);
        double cost = devices * nodes.slot()
                + configuration.aggregationSlots() * price(new ResourceKey.Aggregation(configuration.pool()))
                + slots * host.cpusPerSlot() * nodes.cpu()
                + slots * host.memoryGiBPerSlot() * nodes.memoryGiB();
        SlotUnits units = SlotUnits.of(problem);
        for (Account account : new QuotaSystem(problem).rootAccounts()) {
            cost += units.of(job, configuration) * quotas(account, configuration.acceleratorType());
        }
        if (spec.group() != null) {
            cost += devices * price(new ResourceKey.GroupSlots(spec.group()))
                    + price(new ResourceKey.GroupJobs(spec.group()));
        }
        return cost;
    }

    /**
     * Returns the price of a unit of slots for the job's tenant below {@code account}: the price of its own limit, and
     * of the claims on its ancestors. It is 0 within the reserved slots of the account, however scarce the ancestors
     * are.
     */
    private double quotas(Account account, String type) {
        if (!account.type().equals(type)) {
            return 0;
        }
        if (account.tenants().contains(job.tenant())) {
            return dual(new ResourceKey.QuotaSlots(account.name(), type))
                    + dual(new ResourceKey.QuotaClaim(account.name(), type));
        }
        return account.accounts().stream()
                .mapToDouble(accountBelow -> quotas(accountBelow, type))
                .sum();
    }

    private double dual(ResourceKey key) {
        return stats.duals().getOrDefault(key.toString(), 0.0);
    }

    private double price(ResourceKey.Reported reported) {
        return prices.of(reported).map(ShadowPrice::price).orElse(0.0);
    }

    private NodePrices nodePrices(NodeClassName className) {
        return new NodePrices(
                lowest(className, ResourceKey.Slots::new),
                lowest(className, ResourceKey.HostCpus::new),
                lowest(className, ResourceKey.HostMemory::new));
    }

    /** Returns the lowest price of the resource among the classes of nodes of the place. */
    private double lowest(NodeClassName className, Function<NodeClassName, ResourceKey.Reported> key) {
        return prices.of(className, key).stream()
                .mapToDouble(ShadowPrice::price)
                .min()
                .orElse(0);
    }
}
