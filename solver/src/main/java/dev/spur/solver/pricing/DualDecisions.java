package dev.spur.solver.pricing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the blocks decided at prices: job by job, and as prices of the quotas that were left to them. */
final class DualDecisions {
    /**
     * Jobs that decide together.
     *
     * @param jobs the block
     * @param bound what it gains at most at the shared prices
     */
    record JointSubproblem(KnapsackSubproblem jobs, double bound) {}

    private final int[] choice;
    private final double[] prices;
    private final double[] slack;
    private final List<JointSubproblem> together = new ArrayList<>();

    /** @param prices by row the prices at which the blocks have answered */
    DualDecisions(int jobs, double[] prices) {
        this.choice = new int[jobs];
        this.prices = prices.clone();
        this.slack = new double[jobs];
        Arrays.fill(choice, -1);
    }

    void choose(int j, int candidate) {
        choice[j] = candidate;
    }

    void add(JointSubproblem block) {
        together.add(block);
    }

    /** Sets the price of a quota that is left to a block. */
    void price(int row, double price) {
        prices[row] = price;
    }

    /**
     * Says by how much the bound is better than one where job {@code j} and those it decides with are priced one by
     * one.
     */
    void slack(int j, double difference) {
        slack[j] = difference;
    }

    /** The candidate of each job, -1 for waiting; not to be changed. */
    int[] choice() {
        return choice;
    }

    /** By row, quotas that are left to blocks included; not to be changed. */
    double[] prices() {
        return prices;
    }

    double slack(int j) {
        return slack[j];
    }

    List<JointSubproblem> together() {
        return together;
    }
}
