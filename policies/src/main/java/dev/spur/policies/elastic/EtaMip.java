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
 * ETA-MIP of Hu et al.: slots of all jobs jointly, by their progress until a horizon.
 *
 * <pre>
 * maximize sum of weight(j) * gain(j, k); one k or none for each job; no more slots than a partition has
 * </pre>
 *
 * with a gain by one of the {@linkplain Form forms}. A first start pays the restart penalty as well. Source: Hu et al.,
 * arXiv 2109.03389. A reconstruction: the objective is certain, the program is not.
 */
public final class EtaMip implements Policy {
    /**
     * Gain function of the objective. Notation: g is goodput on the slots, and d the restart penalty, 0 if the job
     * already holds these slots. R is the remaining and W the total work; T is the horizon of Spur's settings.
     */
    public enum Form {
        /**
         * {@code min(R, g * (T - d)) / W}: progress relative to the total work. A job just before its end has little
         * left to gain.
         */
        PROGRESS {
            @Override
            double gain(double goodput, double lost, double left, double all, double horizon) {
                return Math.min(left, goodput * Math.max(0, horizon - lost)) / all;
            }
        },
        /**
         * {@code min(R, g * (T - d)) / R}: progress relative to the remaining work, so that all jobs that end within
         * the horizon gain the same.
         */
        REMAINING {
            @Override
            double gain(double goodput, double lost, double left, double all, double horizon) {
                return Math.min(1, goodput * Math.max(0, horizon - lost) / left);
            }
        },
        /**
         * {@code g * (T - d) / W}, or {@code (R / W) * T / (d + R / g)} for a job that ends within the horizon, because
         * its slots are free afterwards. Not in the paper.
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
        RoundView view = RoundView.of(problem, BatchRule.USER);
        ConfigurationProgram program = new ConfigurationProgram(view);
        for (int j = 0; j < view.jobs(); j++) {
            for (NodePartition partition : view.partitionsOf(j)) {
                for (int slots : view.counts(j, partition)) {
                    program.offer(j, partition, slots, gain(view, j, partition, slots));
                }
            }
        }
        return PlacementState.decide(program.solve(), RoundMemory.EMPTY);
    }

    /** Returns the weighted gain of job {@code j} on {@code slots} of {@code partition}. */
    double gain(RoundView view, int j, NodePartition partition, int slots) {
        Job job = view.job(j);
        double penalty = job.spec().restartPenaltySeconds();
        boolean unchanged = slots == view.heldSlots(j) && partition.equals(view.heldPartition(j));
        double horizon = view.problem().settings().horizon().seconds(penalty);
        double lost = unchanged ? 0 : penalty;
        double goodput = view.goodput(j, partition, slots);
        double left = job.remainingSamples();
        return left == 0
                ? 0
                : job.spec().weight()
                        * form.gain(goodput, lost, left, job.spec().totalSamples(), horizon);
    }
}
