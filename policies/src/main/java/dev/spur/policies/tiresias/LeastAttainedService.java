package dev.spur.policies.tiresias;

import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.Arrays;
import java.util.Map;

/**
 * Tiresias without job lengths (2D-LAS): queues by attained service, slots times seconds; inside a queue the first job
 * to have started goes first. Source: Gu et al., NSDI '19. Certain, except for skew: a job is consolidated if its
 * request states it.
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
        RoundView view = RoundView.of(problem, BatchRule.USER);
        AttainedService attained = new AttainedService(view, queues);
        double[] rank = new double[view.jobs()];
        Arrays.setAll(rank, j -> firstStart(view, attained, j));
        int[] order = QueueScan.order(view, attained, rank);
        return QueueScan.place(view, order).decision(attained.memory(Map.of()));
    }

    /**
     * Returns the first start of job {@code j}; infinite if it has not run since it entered the first queue. So a
     * promoted job queues behind jobs that have never run, which might otherwise starve.
     */
    static double firstStart(RoundView view, AttainedService attained, int j) {
        Double first = view.job(j).history().firstStart();
        return first == null || attained.service(j) == 0 ? Double.POSITIVE_INFINITY : first;
    }
}
