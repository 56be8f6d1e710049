package dev.spur.benchmarks.aggregation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.List;
import java.util.Map;

/**
 * Decides as separate schedulers of devices and of CPUs would: first how many slots each job gets, as if there were aggregation
 * slots for everybody; then, for just those slots, how many aggregation slots. Both by the same policy, so that what it
 * loses against that policy is the price of deciding one after the other.
 */
public final class OneAfterTheOther implements Policy {
    /** More aggregation slots on each node than all jobs together could use. */
    private static final double PLENTY = 10_000;

    private final Policy policy;

    /** @param policy decides both */
    public OneAfterTheOther(Policy policy) {
        this.policy = policy;
    }

    @Override
    public String name() {
        return policy.name() + "-one-after-the-other";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        List<Node> generous =
                problem.nodes().stream().map(OneAfterTheOther::withPlenty).toList();
        Map<String, Allocation> wanted =
                policy.decide(problem.withNodes(generous)).allocations();
        List<Job> settled = problem.jobs().stream()
                .map(job -> {
                    Allocation given = wanted.get(job.id());
                    return given == null
                            ? job
                            : settled(job, given.configuration().slots());
                })
                .toList();
        return policy.decide(problem.withJobs(settled));
    }

    private static Node withPlenty(Node node) {
        return node.withHost(node.cpus(), node.memoryGiB(), PLENTY);
    }

    private static Job settled(Job job, int slots) {
        JobSpec spec = job.spec();
        Elasticity now = spec.elasticity();
        Elasticity exact = new Elasticity(
                now.acceleratorTypes(),
                now.pools(),
                slots,
                slots,
                now.powersOfTwo(),
                List.of(),
                now.maxNodes(),
                now.consolidate());
        return job.withSpec(spec.edit().elasticity(exact).done());
    }
}
