package dev.spur.solver.relaxation;

import java.util.Arrays;

/**
 * Subproblem of jobs without common limits other than the priced rows: each takes the candidate with the largest
 * reduced cost.
 */
final class IndependentJobsSubproblem implements Subproblem {
    private final CouplingConstraints constraints;
    private final int[] jobs;
    private final int[] chosen;

    IndependentJobsSubproblem(CouplingConstraints constraints, int[] jobs) {
        this.constraints = constraints;
        this.jobs = jobs;
        this.chosen = new int[jobs.length];
    }

    @Override
    public Column solve(double[] prices, int maxStates) {
        Arrays.setAll(chosen, i -> constraints.best(jobs[i], prices));
        double[] use = new double[prices.length];
        double worth = 0;
        double gain = 0;
        for (int c : chosen) {
            if (c >= 0) {
                worth += constraints.worth(c);
                gain += constraints.reducedWorth(c, prices);
                constraints.addUse(c, 1, use);
            }
        }
        return Column.of(gain, worth, use, chosen.clone());
    }

    @Override
    public int[] jobs() {
        return jobs;
    }

    @Override
    public void writeDecisions(DualDecisions decisions) {
        for (int i = 0; i < jobs.length; i++) {
            decisions.choose(jobs[i], chosen[i]);
        }
    }
}
