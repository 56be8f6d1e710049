package dev.spur.solver.relaxation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Decisions of the subproblems at given prices: by job, and the prices of the quotas that subproblems enforce. */
public final class DualDecisions {
    /**
     * Jobs of one subproblem.
     *
     * @param subproblem the subproblem
     * @param bound its maximum reduced cost at the shared prices
     */
    public record JointSubproblem(KnapsackSubproblem subproblem, double bound) {}

    private final int[] choice;
    private final double[] prices;
    private final double[] slack;
    private final List<JointSubproblem> jointSubproblems = new ArrayList<>();

    /** @param prices prices by row at which the subproblems were solved */
    DualDecisions(int jobs, double[] prices) {
        this.choice = new int[jobs];
        this.prices = prices.clone();
        this.slack = new double[jobs];
        Arrays.fill(choice, -1);
    }

    void choose(int j, int candidate) {
        choice[j] = candidate;
    }

    void add(JointSubproblem subproblem) {
        jointSubproblems.add(subproblem);
    }

    /** Sets the price of a quota that a subproblem enforces. */
    void price(int row, double price) {
        prices[row] = price;
    }

    /**
     * Sets the advantage of the joint subproblem of job {@code j}: its bound is lower by {@code difference} than with
     * single prices.
     */
    void slack(int j, double difference) {
        slack[j] = difference;
    }

    /** Returns the candidate of each job, -1 for waiting. Not to be modified. */
    public int[] choice() {
        return choice;
    }

    /** Returns the prices by row, including quotas that subproblems enforce. Not to be modified. */
    double[] prices() {
        return prices;
    }

    public double slack(int j) {
        return slack[j];
    }

    public List<JointSubproblem> jointSubproblems() {
        return jointSubproblems;
    }
}
