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
 * One lane of a round as the search sees it: a row for each job, a column for each node. Rows are ordered by fewest
 * slots, then by arrival.
 */
final class PolluxProblem {
    /** Keeps the mean finite when a job has nothing. */
    private static final double FLOOR = 1e-3;

    private final RoundView snapshot;
    private final NodePartition lane;
    private final List<Integer> jobs;
    private final int[] capacity;
    private final int[][] counts;
    private final int[][] present;
    private final double[] reference;
    private final double[] kept;
    private final Map<Long, Double> goodputs = new HashMap<>();

    /** @param seating the lane with the jobs that may not be touched, and nobody else */
    PolluxProblem(RoundView snapshot, NodePartition lane, List<Integer> dealt, PlacementState seating) {
        this.snapshot = snapshot;
        this.lane = lane;
        Comparator<Integer> fewest = Comparator.comparingInt(snapshot::requested);
        jobs = dealt.stream()
                .filter(j -> !snapshot.isPinned(j) && snapshot.most(j, lane) > 0)
                .sorted(fewest.thenComparing(JobOrders.ties(snapshot)))
                .toList();
        capacity = lane.nodes().stream().mapToInt(seating::freeOn).toArray();
        counts = jobs.stream().map(j -> snapshot.counts(j, lane)).toArray(int[][]::new);
        present = jobs.stream().map(this::presentRow).toArray(int[][]::new);
        reference = jobs.stream().mapToDouble(this::fairGoodput).toArray();
        kept = jobs.stream().mapToDouble(this::restartFactor).toArray();
    }

    private int[] presentRow(int j) {
        int[] row = new int[capacity.length];
        Allocation held = snapshot.job(j).allocation();
        if (held != null) {
            for (NodeShare piece : held.placement()) {
                int column = lane.nodes().indexOf(snapshot.hardware().indexOf(piece.node()));
                if (column >= 0) {
                    row[column] = piece.slots();
                }
            }
        }
        return row;
    }

    /** Goodput on an equal part of the lane, or on the fewest slots where that is too little. */
    private double fairGoodput(int j) {
        int fair = (int) Math.ceil((double) lane.slots() / jobs.size());
        int[] own = snapshot.counts(j, lane);
        int slots = own[0];
        for (int count : own) {
            slots = count <= fair ? count : slots;
        }
        return snapshot.goodput(j, lane, slots);
    }

    private double restartFactor(int j) {
        Job job = snapshot.job(j);
        double penalty = job.spec().restartPenaltySeconds();
        double age = Math.max(0, snapshot.now() - job.arrival());
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

    /** Number in the problem of the node of {@code column}. */
    int node(int column) {
        return lane.nodes().get(column);
    }

    int capacity(int column) {
        return capacity[column];
    }

    /** The largest count that the job of {@code row} allows up to {@code slots}; 0 if there is none. */
    int allowed(int row, int slots) {
        int best = 0;
        for (int count : counts[row]) {
            if (count > slots) {
                break;
            }
            best = count;
        }
        return best;
    }

    /** What the job of {@code row} has now; not to be changed. */
    int[] present(int row) {
        return present[row];
    }

    /** Power mean over the jobs of goodput relative to an equal part of the lane, less for a job whose row changes. */
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
        boolean had = snapshot.held(jobs.get(row)) > 0;
        return goodput(row, slots, nodes) / reference[row] * (changes && had ? kept[row] : 1);
    }

    private double goodput(int row, int slots, int nodes) {
        long key = ((long) row << 40) | ((long) slots << 20) | nodes;
        return goodputs.computeIfAbsent(key, k -> snapshot.spreadGoodput(jobs.get(row), lane, slots, nodes));
    }
}
