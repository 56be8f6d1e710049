package dev.spur.solver.relaxation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Diving heuristic: rounds the convex combination of columns in the restricted master to a choice for every job. It
 * fixes subproblems to one column, the least fractional first, and the master re-optimizes the others (Sadykov and
 * others, "Primal heuristics for branch and price", 2019).
 */
final class DivingHeuristic {
    /** Share of one column above which a subproblem counts as integral. */
    private static final double SURE = 0.9;
    /** Minimum share of the open subproblems that one step fixes. */
    private static final double AT_A_TIME = 0.1;

    /** A column of a subproblem with its number in the master. */
    record WeightedColumn(Subproblem subproblem, int number, Column column) {}

    private final RestrictedMaster master;
    private final List<List<WeightedColumn>> openColumns = new ArrayList<>();
    private final int[] rounded;

    private DivingHeuristic(RestrictedMaster master, List<List<WeightedColumn>> openColumns, int[] otherwise) {
        this.master = master;
        this.openColumns.addAll(openColumns);
        this.rounded = otherwise.clone();
    }

    /**
     * Returns by job its candidate, -1 for waiting.
     *
     * @param master restricted master in which excess of a row costs more than its price
     * @param columns columns in the master, by subproblem with jobs
     * @param otherwise choice of the jobs whose subproblems cannot be rounded
     */
    static int[] of(RestrictedMaster master, List<List<WeightedColumn>> columns, int[] otherwise) {
        DivingHeuristic rounding = new DivingHeuristic(master, columns, otherwise);
        while (!rounding.openColumns.isEmpty() && master.solve()) {
            rounding.fixTheSurest();
        }
        return rounding.rounded;
    }

    private void fixTheSurest() {
        List<WeightedColumn> leading = openColumns.stream()
                .map(columns -> columns.stream()
                        .max(Comparator.comparingDouble(this::share))
                        .orElseThrow())
                .sorted(Comparator.comparingDouble(column -> -share(column)))
                .toList();
        int min = (int) Math.ceil(AT_A_TIME * leading.size());
        List<WeightedColumn> fixed = IntStream.range(0, leading.size())
                .filter(i -> i < min || share(leading.get(i)) > SURE)
                .mapToObj(leading::get)
                .toList();
        fixed.forEach(this::fix);
        openColumns.removeIf(columns -> columns.stream().anyMatch(fixed::contains));
    }

    private double share(WeightedColumn column) {
        return master.share(column.number());
    }

    private void fix(WeightedColumn column) {
        master.fix(column.number());
        int[] jobs = column.subproblem().jobs();
        for (int i = 0; i < jobs.length; i++) {
            rounded[jobs[i]] = column.column().choice()[i];
        }
    }
}
