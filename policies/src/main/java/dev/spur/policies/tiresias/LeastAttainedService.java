package dev.spur.policies.tiresias;

import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.Arrays;
import java.util.Map;

/**
 * Tiresias without knowledge of job lengths (2D-LAS): queues by attained service, slots times seconds; inside a queue
 * the first to have started goes first. Source: Gu et al., NSDI '19. Certain, but for skew: a job is consolidated if
 * its request says so.
 */
public final class LeastAttainedService implements Policy {
    private final String name;
    private final Queues queues;

    public LeastAttainedService(String name, Queues queues) {
        this.name = name;
        this.queues = queues;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        AttainedService attained = new AttainedService(snapshot, queues);
        double[] rank = new double[snapshot.jobs()];
        Arrays.setAll(rank, j -> firstStart(snapshot, attained, j));
        int[] order = QueueScan.order(snapshot, attained, rank);
        return QueueScan.seat(snapshot, order).decision(attained.memory(Map.of()));
    }

    /**
     * When job {@code j} first started; infinite if it has had nothing since it entered the first queue: a promoted job
     * queues behind those that have never run, or these might wait for ever.
     */
    static double firstStart(RoundView snapshot, AttainedService attained, int j) {
        Double first = snapshot.job(j).history().firstStart();
        return first == null || attained.service(j) == 0 ? Double.POSITIVE_INFINITY : first;
    }
}
