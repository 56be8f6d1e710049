package dev.spur.simulator.testing;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * First come, first served: each job runs on its minimum number of slots on one node and stays there. Jobs that do not
 * fit are skipped.
 */
public class FifoTestPolicy implements Policy {
    private final boolean steady;
    private final List<Double> times = new ArrayList<>();

    /** @param steady what {@link #changesOnlyWithEvents()} says */
    public FifoTestPolicy(boolean steady) {
        this.steady = steady;
    }

    @Override
    public String name() {
        return "in-order";
    }

    /** When it was asked, in order. */
    public List<Double> times() {
        return times;
    }

    @Override
    public boolean changesOnlyWithEvents() {
        return steady;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        times.add(problem.now());
        Map<String, List<String>> free = new HashMap<>();
        for (Node node : problem.nodes()) {
            free.put(node.id(), node.state().takesNewJobs() ? new ArrayList<>(node.devices()) : new ArrayList<>());
        }
        Map<String, Allocation> allocations = new HashMap<>();
        for (Job job : problem.jobs()) {
            if (job.allocation() != null) {
                allocations.put(job.id(), job.allocation());
                job.allocation()
                        .placement()
                        .forEach(share -> free.get(share.node()).removeAll(share.devices()));
            }
        }
        for (Job job : problem.jobs()) {
            if (job.allocation() == null) {
                start(problem, job, free, allocations);
            }
        }
        return Decision.of(problem, allocations, problem.memory());
    }

    private static void start(
            RoundProblem problem, Job job, Map<String, List<String>> free, Map<String, Allocation> allocations) {
        int slots = job.spec().elasticity().minSlots();
        for (Node node : problem.nodes()) {
            List<String> left = free.get(node.id());
            if (left.size() >= slots) {
                List<String> devices = List.copyOf(left.subList(0, slots));
                left.subList(0, slots).clear();
                allocations.put(job.id(), on(node, devices, job.spec().batch().initial(), problem.now()));
                return;
            }
        }
    }

    /** AllReduce on {@code devices} of {@code node}. */
    public static Allocation on(Node node, List<String> devices, int batch, double now) {
        Configuration configuration = new Configuration(
                node.pool(), node.acceleratorType(), List.of(devices.size()), SyncStrategy.ALL_REDUCE, 0, batch, 0);
        return new Allocation(configuration, List.of(new NodeShare(node.id(), devices)), List.of(), now);
    }
}
