package dev.spur.policies.pollux;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.Job;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One partition of a round as a matrix: a row for each job, a column for each node. Rows are ordered by minimum slots,
 * then by arrival.
 */
final class PolluxProblem {
    /** Lower bound of normalized goodput, so that the mean is finite when a job has no slots. */
    private static final double FLOOR = 1e-3;

    private final RoundView view;
    private final NodePartition partition;
    private final List<Integer> jobs;
    private final int[] capacity;
    private final int[][] counts;
    private final int[][] present;
    private final double[] reference;
    private final double[] retained;
    private final Map<Long, Double> goodputs = new HashMap<>();

    /**
     * Creates the problem.
     *
     * @param placement the partition with the pinned jobs and no others
     */
    PolluxProblem(RoundView view, NodePartition partition, List<Integer> assigned, PlacementState placement) {
        this.view = view;
        this.partition = partition;
        Comparator<Integer> byRequestedSlots = Comparator.comparingInt(view::requestedSlots);
        jobs = assigned.stream()
                .filter(j -> !view.isPinned(j) && view.maxSlots(j, partition) > 0)
                .sorted(byRequestedSlots.thenComparing(JobOrders.ties(view)))
                .toList();
        capacity = partition.nodes().stream().mapToInt(placement::freeOn).toArray();
        counts = jobs.stream().map(j -> view.counts(j, partition)).toArray(int[][]::new);
        present = jobs.stream().map(this::presentRow).toArray(int[][]::new);
        reference = jobs.stream().mapToDouble(this::fairGoodput).toArray();
        retained = jobs.stream().mapToDouble(this::restartFactor).toArray();
    }

    private int[] presentRow(int j) {
        int[] row = new int[capacity.length];
        Allocation heldAllocation = view.job(j).allocation();
        if (heldAllocation != null) {
            for (NodeShare share : heldAllocation.placement()) {
                int column = partition.nodes().indexOf(view.clusterIndex().indexOf(share.node()));
                if (column >= 0) {
                    row[column] = share.slots();
                }
            }
        }
        return row;
    }

    /** Returns the goodput on an equal share of the partition, or on the minimum slots if that share is smaller. */
    private double fairGoodput(int j) {
        int fair = (int) Math.ceil((double) partition.slots() / jobs.size());
        int[] own = view.counts(j, partition);
        int slots = own[0];
        for (int count : own) {
            slots = count <= fair ? count : slots;
        }
        return view.goodput(j, partition, slots);
    }

    private double restartFactor(int j) {
        Job job = view.job(j);
        double penalty = job.spec().restartPenaltySeconds();
        double age = Math.max(0, view.now() - job.arrival());
        return age + penalty == 0 ? 1 : Math.max(age - job.history().restarts() * penalty, 0) / (age + penalty);
    }

    int rows() {
        return jobs.size();
    }

    int columns() {
        return capacity.length;
    }

    int job(int row) {
        return jobs.get(row);
    }

    /** Returns the node number in the round problem of {@code column}. */
    int node(int column) {
        return partition.nodes().get(column);
    }

    int capacity(int column) {
        return capacity[column];
    }

    /** Returns the largest slot count up to {@code slots} that the job of {@code row} allows; 0 if there is none. */
    int largestAllowed(int row, int slots) {
        int best = 0;
        for (int count : counts[row]) {
            if (count > slots) {
                break;
            }
            best = count;
        }
        return best;
    }

    /** Returns the current slots of the job of {@code row}. The array is shared: do not modify it. */
    int[] current(int row) {
        return present[row];
    }

    /**
     * Returns the power mean over jobs of goodput relative to an equal share of the partition, with a discount for jobs
     * whose row changes.
     */
    double fitness(int[][] plan, double power) {
        double sum = 0;
        for (int row = 0; row < plan.length; row++) {
            double value = utility(row, plan[row]) + FLOOR;
            sum += power == 0 ? Math.log(value) : Math.pow(value, power);
        }
        double mean = sum / plan.length;
        return power == 0 ? Math.exp(mean) : Math.pow(mean, 1 / power);
    }

    private double utility(int row, int[] own) {
        int slots = 0;
        int nodes = 0;
        for (int count : own) {
            slots += count;
            nodes += count > 0 ? 1 : 0;
        }
        if (slots == 0) {
            return 0;
        }
        boolean changes = !Arrays.equals(own, present[row]);
        boolean had = view.heldSlots(jobs.get(row)) > 0;
        return goodput(row, slots, nodes) / reference[row] * (changes && had ? retained[row] : 1);
    }

    private double goodput(int row, int slots, int nodes) {
        long key = ((long) row << 40) | ((long) slots << 20) | nodes;
        return goodputs.computeIfAbsent(key, k -> view.spreadGoodput(jobs.get(row), partition, slots, nodes));
    }
}
