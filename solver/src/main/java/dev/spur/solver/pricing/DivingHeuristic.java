package dev.spur.solver.pricing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A choice for every job from the best mixture of the blocks' choices: block by block, the surest first, one choice of
 * its mixture is fixed, and the master mixes the others anew around it (diving; Sadykov and others, "Primal heuristics
 * for branch and price", 2019).
 */
final class DivingHeuristic {
    /** A block with a larger share of one choice is as good as decided. */
    private static final double SURE = 0.9;
    /** Share of the open blocks that are fixed at a time, at least. */
    private static final double AT_A_TIME = 0.1;

    /** A choice of a block. */
    record WeightedColumn(Subproblem block, int number, Column answer) {}

    private final RestrictedMaster master;
    private final List<List<WeightedColumn>> open = new ArrayList<>();
    private final int[] rounded;

    private DivingHeuristic(RestrictedMaster master, List<List<WeightedColumn>> open, int[] otherwise) {
        this.master = master;
        this.open.addAll(open);
        this.rounded = otherwise.clone();
    }

    /**
     * The rounded choice: for each job a candidate, or -1.
     *
     * @param master where exceeding a row costs more than its price
     * @param columns by block with jobs, its choices in the master
     * @param otherwise the choice of jobs whose blocks cannot be rounded
     */
    static int[] of(RestrictedMaster master, List<List<WeightedColumn>> columns, int[] otherwise) {
        DivingHeuristic rounding = new DivingHeuristic(master, columns, otherwise);
        while (!rounding.open.isEmpty() && master.solve()) {
            rounding.fixTheSurest();
        }
        return rounding.rounded;
    }

    private void fixTheSurest() {
        List<WeightedColumn> leading = open.stream()
                .map(columns -> columns.stream()
                        .max(Comparator.comparingDouble(this::share))
                        .orElseThrow())
                .sorted(Comparator.comparingDouble(column -> -share(column)))
                .toList();
        int least = (int) Math.ceil(AT_A_TIME * leading.size());
        List<WeightedColumn> fixed = IntStream.range(0, leading.size())
                .filter(i -> i < least || share(leading.get(i)) > SURE)
                .mapToObj(leading::get)
                .toList();
        fixed.forEach(this::fix);
        open.removeIf(columns -> columns.stream().anyMatch(fixed::contains));
    }

    private double share(WeightedColumn column) {
        return master.share(column.number());
    }

    private void fix(WeightedColumn column) {
        master.fix(column.number());
        int[] jobs = column.block().jobs();
        for (int i = 0; i < jobs.length; i++) {
            rounded[jobs[i]] = column.answer().choice()[i];
        }
    }
}
