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
 * Determined's priority scheduler, with preemption. Priority by priority, the highest first: waiting jobs start in the
 * order of the queue where they fit. As soon as one has failed, jobs of lower priorities only fill gaps, and only if
 * they may be preempted. A job that failed takes the slots of jobs of lower priority, and of those behind it in its
 * own: the lowest priority first, and there the last in the queue, until it fits; if it never does, nobody is stopped.
 * Once somebody was stopped, no job of a lower priority starts in this round.
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
        private final RoundView snapshot;
        private final PlacementState seating;
        /** All jobs: the highest priority first, then by arrival. */
        private final int[] queue;

        private final int[] place;
        private final PreemptionVictims victims;
        private boolean stopped;

        Pass(RoundView snapshot) {
            this.snapshot = snapshot;
            this.seating = new PlacementState(snapshot);
            queue = JobOrders.by(snapshot, j -> -priority(j));
            place = new int[queue.length];
            for (int i = 0; i < queue.length; i++) {
                place[queue[i]] = i;
                seating.keep(queue[i]);
            }
            victims = new PreemptionVictims(snapshot, seating, queue);
        }

        private double priority(int j) {
            return snapshot.job(j).spec().priority();
        }

        Decision decision() {
            boolean fills = false;
            for (int from = 0; from < queue.length && !stopped; ) {
                double level = priority(queue[from]);
                int end = from;
                while (end < queue.length && priority(queue[end]) == level) {
                    end++;
                }
                fills |= serve(from, end, fills);
                from = end;
            }
            return seating.decision(RoundMemory.EMPTY);
        }

        /** Serves one priority; returns whether one of its jobs found no place. */
        private boolean serve(int from, int end, boolean fillsOnly) {
            List<Integer> failed = new ArrayList<>();
            for (int j : IntStream.range(from, end).map(i -> queue[i]).toArray()) {
                boolean may = !fillsOnly || snapshot.job(j).spec().preemptible();
                if (!seating.isSeated(j) && may && !start(j)) {
                    failed.add(j);
                }
            }
            for (int j : failed) {
                stopped |= !start(j) && victims.makeRoom(place[j], () -> start(j), snapshot.requested(j));
            }
            return !failed.isEmpty();
        }

        private boolean start(int j) {
            return seating.start(j, snapshot.requested(j), PlacementRules.ONE_NODE_OR_IDLE_ONES);
        }
    }
}
