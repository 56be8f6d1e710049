package dev.spur.policies.determined;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.PlacementRules;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Determined's priority scheduler, with preemption. It processes priorities in descending order; waiting jobs start in
 * queue order where they fit. After the first failure, jobs of lower priority only fill gaps, and only if they are
 * preemptible. A job that failed preempts jobs of lower priority, and jobs behind it in its own priority: the lowest
 * priority first, and within it the last in the queue. If it still does not fit, no job is stopped. After a preemption,
 * no job of lower priority starts in this round.
 *
 * <p>Priorities are Spur's: a larger number runs first. Source: Determined 0.38, as described in its documentation and
 * code.
 */
public final class PriorityScheduler implements Policy {
    @Override
    public String name() {
        return "determined-priority";
    }

    @Override
    public boolean changesOnlyWithEvents() {
        return true;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        return new Pass(RoundView.of(problem, BatchRule.USER)).decision();
    }

    private static final class Pass {
        private final RoundView view;
        private final PlacementState placement;
        /** All jobs by descending priority, then by arrival. */
        private final int[] queue;

        private final int[] place;
        private final PreemptionVictims victims;
        private boolean stopped;

        Pass(RoundView view) {
            this.view = view;
            this.placement = new PlacementState(view);
            queue = JobOrders.by(view, j -> -priority(j));
            place = new int[queue.length];
            for (int i = 0; i < queue.length; i++) {
                place[queue[i]] = i;
                placement.keep(queue[i]);
            }
            victims = new PreemptionVictims(view, placement, queue);
        }

        private double priority(int j) {
            return view.job(j).spec().priority();
        }

        Decision decision() {
            boolean fills = false;
            for (int from = 0; from < queue.length && !stopped; ) {
                double level = priority(queue[from]);
                int end = from;
                while (end < queue.length && priority(queue[end]) == level) {
                    end++;
                }
                fills |= schedule(from, end, fills);
                from = end;
            }
            return placement.decision(RoundMemory.EMPTY);
        }

        /** Processes one priority; returns whether one of its jobs was not placed. */
        private boolean schedule(int from, int end, boolean fillsOnly) {
            List<Integer> failed = new ArrayList<>();
            for (int j : IntStream.range(from, end).map(i -> queue[i]).toArray()) {
                boolean may = !fillsOnly || view.job(j).spec().preemptible();
                if (!placement.isPlaced(j) && may && !start(j)) {
                    failed.add(j);
                }
            }
            for (int j : failed) {
                stopped |= !start(j) && victims.makeRoom(place[j], () -> start(j), view.requestedSlots(j));
            }
            return !failed.isEmpty();
        }

        private boolean start(int j) {
            return placement.start(j, view.requestedSlots(j), PlacementRules.ONE_NODE_OR_IDLE_ONES);
        }
    }
}
