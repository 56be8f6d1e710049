package dev.spur.benchmarks.aggregation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Policy that decides in sequence, as separate schedulers of GPUs, CPUs and batch sizes would. Step 1 assigns slots at
 * the initial batch size, as if aggregation slots were unlimited. Step 2 assigns aggregation slots to those slots, step
 * 3 the batch size to both. All steps use the same policy, so the difference to that policy is the cost of sequential
 * decisions.
 */
public final class SequentialPolicy implements Policy {
    /** Aggregation slots on each node; more than all jobs together can use. */
    private static final double PLENTY = 10_000;

    private final Policy policy;

    /** @param policy makes all three decisions */
    public SequentialPolicy(Policy policy) {
        this.policy = policy;
    }

    @Override
    public String name() {
        return policy.name() + "-one-after-the-other";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        List<Node> generous =
                problem.nodes().stream().map(SequentialPolicy::withPlenty).toList();
        RoundProblem ofSlots = InitialBatchPolicy.of(problem);
        Map<String, Allocation> slots = allocations(ofSlots.withNodes(generous));
        RoundProblem ofServers = withFixed(ofSlots, slots, SequentialPolicy::withSlots);
        Map<String, Allocation> servers = allocations(ofServers);
        RoundProblem ofBatches = withFixed(
                withFixed(problem, slots, SequentialPolicy::withSlots), servers, SequentialPolicy::withServers);
        return policy.decide(ofBatches);
    }

    private Map<String, Allocation> allocations(RoundProblem problem) {
        return policy.decide(problem).allocations();
    }

    private static Node withPlenty(Node node) {
        return node.withHost(node.cpus(), node.memoryGiB(), PLENTY);
    }

    /**
     * Returns the same instance with the previous decisions fixed: a job that received a value can use only that value.
     */
    private static RoundProblem withFixed(
            RoundProblem problem, Map<String, Allocation> given, BiFunction<JobSpec, Configuration, JobSpec> fix) {
        return problem.withJobs(problem.jobs().stream()
                .map(job -> withFixed(job, given.get(job.id()), fix))
                .toList());
    }

    private static Job withFixed(Job job, @Nullable Allocation given, BiFunction<JobSpec, Configuration, JobSpec> fix) {
        return given == null ? job : job.withSpec(fix.apply(job.spec(), given.configuration()));
    }

    private static JobSpec withSlots(JobSpec spec, Configuration given) {
        return spec.edit()
                .elasticity(spec.elasticity().withSlots(given.slots(), given.slots()))
                .build();
    }

    private static JobSpec withServers(JobSpec spec, Configuration given) {
        Synchronization now = spec.synchronization();
        double servers = given.aggregationSlots();
        return spec.edit()
                .synchronization(new Synchronization(
                        now.allReduce() && servers == 0,
                        now.parameterServer() && servers > 0,
                        servers,
                        servers,
                        now.gradientBytes()))
                .build();
    }
}
