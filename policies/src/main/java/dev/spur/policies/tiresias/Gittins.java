package dev.spur.policies.tiresias;

import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tiresias with the lengths of past jobs (2D-Gittins): queues by attained service; inside a queue the job with the
 * highest Gittins index goes first, at a quantum of the queue's limit. Source: Gu et al., NSDI '19.
 *
 * <p>Without given services of past jobs, the policy learns them: a job that ended since the last round counts with its
 * attained service.
 */
public final class Gittins implements Policy {
    private final String name;
    private final Queues queues;
    private final @Nullable GittinsIndex gittinsIndex;

    /**
     * Creates the policy.
     *
     * @param index Gittins index of past jobs; null to learn it
     */
    public Gittins(String name, Queues queues, @Nullable GittinsIndex index) {
        this.name = name;
        this.queues = queues;
        this.gittinsIndex = index;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        AttainedService attained = new AttainedService(view, queues);
        ServiceDistribution past = new ServiceDistribution(view);
        GittinsIndex index = gittinsIndex == null ? past.index() : gittinsIndex;
        double[] rank = new double[view.jobs()];
        Arrays.setAll(rank, j -> -index.at(attained.service(j), queues.limit(attained.queue(j))));
        int[] order = QueueScan.order(view, attained, rank);
        return QueueScan.place(view, order)
                .decision(attained.memory(gittinsIndex == null ? past.counters() : Map.of()));
    }
}
