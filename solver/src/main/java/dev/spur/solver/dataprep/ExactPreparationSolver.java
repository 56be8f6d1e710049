package dev.spur.solver.dataprep;

import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.solve.LinearProgram;
import dev.spur.solver.solve.LinearSolution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Integer program of the placement step, for few preparations and nodes. Variables: x[j, v, L, B] ∈ {0, 1}, preparation
 * j runs on node v with L GiB there and B borrowed; y[j, u] ∈ ℕ, GiB that node u lends to it; lends[j, u], lends[u] ∈
 * {0, 1}; less[j, u] ∈ ℕ, GiB that it returns to u; far[j] ≥ 0, GiB lent to it from other racks.
 */
final class ExactPreparationSolver {
    /**
     * Units of the objective. All coefficients are rounded to whole units, so that the solver rounds nothing itself.
     */
    private static final double UNIT = 1e7;

    private final PreparationAssignment baseAssignment;
    private final HostNodes nodes;
    private final LinearProgram program = new LinearProgram();
    private final List<Option> options = new ArrayList<>();
    /** Number of the loan variable by preparation and lender. */
    private final Map<List<Integer>, Integer> loans = new HashMap<>();

    private record Option(int j, int node, int localGiB, int borrowedGiB, int variable) {}

    /**
     * Result of the solve.
     *
     * @param assignment the best placement found
     * @param bound upper bound on the utility of any placement
     */
    record Result(PreparationAssignment assignment, double bound) {}

    private ExactPreparationSolver(PreparationAssignment baseAssignment) {
        this.baseAssignment = baseAssignment;
        this.nodes = baseAssignment.nodes();
        offer();
        everyPreparationSitsOnce();
        loansAreWhatIsBorrowed();
        forbidSelfLending();
        fanOutIsLimited();
        hostsAreNotOversubscribed();
        whatIsLentStays();
        loansFromOtherRacksCost();
    }

    /** Returns the number of options of the program: preparations times nodes times GiB. */
    static long size(PreparationAssignment baseAssignment) {
        long size = 0;
        for (int j = 0; j < baseAssignment.count(); j++) {
            int working = baseAssignment.spec(j).workingSetGiB();
            size += baseAssignment.placement(j) == null
                    ? (long) baseAssignment.nodes().count() * working
                    : (long) working * working / 4;
        }
        return size;
    }

    /** Returns the best placement found within {@code budget}, if any. */
    static Optional<Result> of(PreparationAssignment baseAssignment, SolveBudget budget) {
        ExactPreparationSolver exact = new ExactPreparationSolver(baseAssignment);
        return exact.program
                .maximize(budget, 0)
                .map(solution -> new Result(exact.read(solution), (solution.bestBound() + exact.rounding()) / UNIT));
    }

    /** Returns half a unit for each placed preparation, each GiB lent, and each GiB lent from another rack. */
    private double rounding() {
        double sum = 0;
        for (int j = 0; j < baseAssignment.count(); j++) {
            sum += 0.5 + baseAssignment.spec(j).workingSetGiB();
        }
        return sum;
    }

    private void offer() {
        for (int j = 0; j < baseAssignment.count(); j++) {
            PreparationPlacement placement = baseAssignment.placement(j);
            if (placement == null) {
                offerStarts(j);
            } else {
                offerGrowth(j, placement);
            }
            offerLoans(j);
        }
    }

    private void offerStarts(int j) {
        PreparationSpec spec = baseAssignment.spec(j);
        for (int v = 0; v < nodes.count(); v++) {
            if (nodes.mayStart(baseAssignment.preparation(j), v)
                    && baseAssignment.residual().hasCpus(v, spec.cpus())) {
                int max =
                        Math.min(spec.workingSetGiB(), baseAssignment.residual().remainingAfterLocal(v));
                for (int local = spec.minLocalGiB(); local <= max; local++) {
                    offer(j, v, local, spec.workingSetGiB() - local);
                }
            }
        }
    }

    private void offerGrowth(int j, PreparationPlacement placement) {
        int desired = baseAssignment.spec(j).workingSetGiB();
        int free = nodes.mayStart(baseAssignment.preparation(j), placement.node())
                ? baseAssignment.residual().remainingAfterLocal(placement.node())
                : 0;
        int max = Math.max(placement.localGiB(), Math.min(desired, placement.localGiB() + free));
        for (int local = placement.localGiB(); local <= max; local++) {
            int missing = Math.max(0, desired - local);
            for (int borrowed = Math.min(missing, placement.borrowedGiB()); borrowed <= missing; borrowed++) {
                offer(j, placement.node(), local, borrowed);
            }
        }
    }

    private void offer(int j, int v, int local, int borrowed) {
        double gain = PreparationAssignment.gain(baseAssignment.spec(j), local, borrowed);
        options.add(
                new Option(j, v, local, borrowed, program.binary(Math.rint(UNIT * baseAssignment.weight(j) * gain))));
    }

    private void offerLoans(int j) {
        for (int u = 0; u < nodes.count(); u++) {
            int retained = retainedLoan(j, u);
            int max = nodes.mayLend(baseAssignment.preparation(j), u)
                    ? Math.min(
                            baseAssignment.spec(j).workingSetGiB(),
                            baseAssignment.residual().lendableAfterLocal(u))
                    : retained;
            if (max > 0) {
                double cost = Math.rint(UNIT
                        * baseAssignment.weight(j)
                        * nodes.leastLoss(u)
                        / baseAssignment.spec(j).workingSetGiB());
                loans.put(List.of(j, u), program.integer(0, Math.max(max, retained), -cost));
            }
        }
    }

    private int retainedLoan(int j, int lender) {
        PreparationPlacement placement = baseAssignment.placement(j);
        return placement == null ? 0 : placement.loans().getOrDefault(lender, 0);
    }

    private OptionalInt loan(int j, int lender) {
        Integer variable = loans.get(List.of(j, lender));
        return variable == null ? OptionalInt.empty() : OptionalInt.of(variable);
    }

    private List<Option> of(int j) {
        return options.stream().filter(option -> option.j() == j).toList();
    }

    /** Σ x[j, ..] = 1 for a running preparation, ≤ 1 for a pending one. */
    private void everyPreparationSitsOnce() {
        for (int j = 0; j < baseAssignment.count(); j++) {
            int row = program.row(baseAssignment.placement(j) == null ? 0 : 1, 1);
            of(j).forEach(option -> program.add(row, option.variable(), 1));
        }
    }

    /** Σ_u y[j, u] = Σ B x[j, v, L, B]. */
    private void loansAreWhatIsBorrowed() {
        for (int j = 0; j < baseAssignment.count(); j++) {
            int row = program.row(0, 0);
            for (int u = 0; u < nodes.count(); u++) {
                loan(j, u).ifPresent(loan -> program.add(row, loan, 1));
            }
            of(j).forEach(option -> program.add(row, option.variable(), -option.borrowedGiB()));
        }
    }

    /** y[j, u] ≤ Z (1 - Σ x[j, u, ..]). */
    private void forbidSelfLending() {
        for (int j = 0; j < baseAssignment.count(); j++) {
            int all = baseAssignment.spec(j).workingSetGiB();
            for (int u = 0; u < nodes.count(); u++) {
                OptionalInt loan = loan(j, u);
                if (loan.isPresent()) {
                    int row = program.atMost(all);
                    program.add(row, loan.getAsInt(), 1);
                    for (Option option : of(j)) {
                        if (option.node() == u) {
                            program.add(row, option.variable(), all);
                        }
                    }
                }
            }
        }
    }

    /**
     * y[j, u] ≤ Z lends[j, u], Σ_u lends[j, u] ≤ fan-out; a preparation that already borrows from more nodes gets no
     * further lender.
     */
    private void fanOutIsLimited() {
        for (int j = 0; j < baseAssignment.count(); j++) {
            PreparationPlacement placement = baseAssignment.placement(j);
            int held = placement == null ? 0 : placement.loans().size();
            int few = program.atMost(Math.max(nodes.fanOut(), held));
            for (int u = 0; u < nodes.count(); u++) {
                OptionalInt loan = loan(j, u);
                if (loan.isPresent()) {
                    boolean isClosed = held > nodes.fanOut() && retainedLoan(j, u) == 0;
                    int lends = program.binary(0);
                    int row = program.atMost(0);
                    program.add(row, loan.getAsInt(), 1);
                    program.add(
                            row, lends, isClosed ? 0 : -baseAssignment.spec(j).workingSetGiB());
                    program.add(few, lends, 1);
                }
            }
        }
    }

    /**
     * Σ cpus x ≤ cpus[v]. With the preparations that already run on v: Σ L x + Σ_j y[j, v] ≤ memory[v] - (memory[v] -
     * lendable[v]) lends[v]. Likewise, Σ_j y[j, v] ≤ lendable[v] lends[v].
     */
    private void hostsAreNotOversubscribed() {
        for (int v = 0; v < nodes.count(); v++) {
            int memory = baseAssignment.residual().remainingAfterLocal(v);
            int lendable = baseAssignment.residual().lendableAfterLocal(v);
            int lends = program.binary(0);
            int cpuRow = program.atMost(baseAssignment.residual().cpusLeft(v) + 1e-9);
            int memoryRow = program.atMost(memory);
            int lendingRow = program.atMost(0);
            program.add(memoryRow, lends, (double) memory - lendable);
            program.add(lendingRow, lends, -lendable);
            for (Option option : options) {
                if (option.node() == v) {
                    PreparationPlacement placement = baseAssignment.placement(option.j());
                    program.add(cpuRow, option.variable(), placement == null ? baseAssignment.cpus(option.j()) : 0);
                    int before = placement == null ? 0 : placement.localGiB();
                    program.add(memoryRow, option.variable(), (double) option.localGiB() - before);
                }
            }
            for (int j = 0; j < baseAssignment.count(); j++) {
                loan(j, v).ifPresent(loan -> {
                    program.add(memoryRow, loan, 1);
                    program.add(lendingRow, loan, 1);
                });
            }
        }
    }

    /**
     * y[j, u] + less[j, u] ≥ kept[j, u], Σ_u less[j, u] ≤ Σ (L + kept - Z)+ x: loans shrink only as local memory grows.
     */
    private void whatIsLentStays() {
        for (int j = 0; j < baseAssignment.count(); j++) {
            PreparationPlacement placement = baseAssignment.placement(j);
            if (placement != null && !placement.loans().isEmpty()) {
                int shrinks = program.atMost(0);
                for (Option option : of(j)) {
                    int excess = option.localGiB()
                            + placement.borrowedGiB()
                            - baseAssignment.spec(j).workingSetGiB();
                    program.add(shrinks, option.variable(), -Math.max(0, excess));
                }
                for (Map.Entry<Integer, Integer> retained : placement.loans().entrySet()) {
                    int less = program.integer(0, retained.getValue(), 0);
                    int row = program.atLeast(retained.getValue());
                    program.add(row, loan(j, retained.getKey()).orElseThrow(), 1);
                    program.add(row, less, 1);
                    program.add(shrinks, less, 1);
                }
            }
        }
    }

    /** far[j] ≥ Σ of y[j, u] over u outside of rack r - Z (1 - Σ of x[j, v, ..] over v in r), for each rack r. */
    private void loansFromOtherRacksCost() {
        double max = 0;
        for (int u = 0; u < nodes.count(); u++) {
            max = Math.max(max, nodes.mostLoss(u) - nodes.leastLoss(u));
        }
        for (int j = 0; j < baseAssignment.count() && max > 0; j++) {
            int all = baseAssignment.spec(j).workingSetGiB();
            int far = program.integer(0, all, -Math.rint(UNIT * baseAssignment.weight(j) * max / all));
            List<Integer> racks = of(j).stream()
                    .map(option -> nodes.rack(option.node()))
                    .distinct()
                    .toList();
            for (int rack : racks) {
                int row = program.atMost(all);
                program.add(row, far, -1);
                for (int u = 0; u < nodes.count(); u++) {
                    OptionalInt loan = loan(j, u);
                    if (loan.isPresent() && nodes.rack(u) != rack && nodes.mostLoss(u) > nodes.leastLoss(u)) {
                        program.add(row, loan.getAsInt(), 1);
                    }
                }
                of(j).stream()
                        .filter(option -> nodes.rack(option.node()) == rack)
                        .forEach(option -> program.add(row, option.variable(), all));
            }
        }
    }

    private PreparationAssignment read(LinearSolution solution) {
        PreparationAssignment assignment = baseAssignment.copy();
        for (Option option : options) {
            if (solution.isOne(option.variable())) {
                NavigableMap<Integer, Integer> lent = new TreeMap<>();
                for (int u = 0; u < nodes.count(); u++) {
                    int lender = u;
                    loan(option.j(), u).ifPresent(loan -> lent.put(lender, (int) Math.round(solution.value(loan))));
                }
                assignment.put(option.j(), new PreparationPlacement(option.node(), option.localGiB(), lent));
            }
        }
        return assignment;
    }
}
