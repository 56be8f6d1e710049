package dev.spur.policies.elastic;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.ConfigurationProgram;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;

/**
 * ETA-MIP of Hu et al.: the slots of all jobs at once, by the progress that they make until a horizon.
 *
 * <pre>
 * maximize sum of weight(j) * gain(j, k); one k or none for each job; no more slots than a lane has
 * </pre>
 *
 * with a gain by one of the {@linkplain Form forms}. A first start pays the restart penalty as well. Source: Hu et al.,
 * arXiv 2109.03389. A reconstruction: the goal is certain, the program is not.
 */
public final class EtaMip implements Policy {
    /**
     * What progress is worth. Below, g is goodput on the slots, d the restart penalty if these are not what the job
     * holds, R its remaining and W its total work, and T the horizon of Spur's settings.
     */
    public enum Form {
        /**
         * {@code min(R, g * (T - d)) / W}: as a share of all work. Little is left to gain from a job just before its
         * end.
         */
        PROGRESS {
            @Override
            double gain(double goodput, double lost, double left, double all, double horizon) {
                return Math.min(left, goodput * Math.max(0, horizon - lost)) / all;
            }
        },
        /**
         * {@code min(R, g * (T - d)) / R}: as a share of what is left, so that all jobs that end within the horizon are
         * alike.
         */
        REMAINING {
            @Override
            double gain(double goodput, double lost, double left, double all, double horizon) {
                return Math.min(1, goodput * Math.max(0, horizon - lost) / left);
            }
        },
        /**
         * {@code g * (T - d) / W}, or {@code (R / W) * T / (d + R / g)} of a job that ends within the horizon: its
         * slots are free for others after its end. Not of the paper.
         */
        RATE {
            @Override
            double gain(double goodput, double lost, double left, double all, double horizon) {
                double end = lost + left / goodput;
                return end < horizon ? left / all * horizon / end : goodput * Math.max(0, horizon - lost) / all;
            }
        };

        abstract double gain(double goodput, double lost, double left, double all, double horizon);
    }

    private final String name;
    private final Form form;

    public EtaMip(String name, Form form) {
        this.name = name;
        this.form = form;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        ConfigurationProgram program = new ConfigurationProgram(snapshot);
        for (int j = 0; j < snapshot.jobs(); j++) {
            for (NodePartition lane : snapshot.lanesOf(j)) {
                for (int slots : snapshot.counts(j, lane)) {
                    program.offer(j, lane, slots, gain(snapshot, j, lane, slots));
                }
            }
        }
        return PlacementState.decide(program.solve(), RoundMemory.EMPTY);
    }

    /** Weighted gain of job {@code j} on {@code slots} of {@code lane}. */
    double gain(RoundView snapshot, int j, NodePartition lane, int slots) {
        Job job = snapshot.job(j);
        double penalty = job.spec().restartPenaltySeconds();
        boolean unchanged = slots == snapshot.held(j) && lane.equals(snapshot.heldLane(j));
        double horizon = snapshot.problem().settings().horizon().seconds(penalty);
        double lost = unchanged ? 0 : penalty;
        double goodput = snapshot.goodput(j, lane, slots);
        double left = job.remainingSamples();
        return left == 0
                ? 0
                : job.spec().effectiveWeight()
                        * form.gain(goodput, lost, left, job.spec().totalSamples(), horizon);
    }
}
