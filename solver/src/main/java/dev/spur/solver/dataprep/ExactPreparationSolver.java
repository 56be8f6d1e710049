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

    private final PreparationAssignment base;
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

    private ExactPreparationSolver(PreparationAssignment base) {
        this.base = base;
        this.nodes = base.nodes();
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
    static long size(PreparationAssignment base) {
        long size = 0;
        for (int j = 0; j < base.count(); j++) {
            int working = base.spec(j).workingSetGiB();
            size += base.placement(j) == null ? (long) base.nodes().count() * working : (long) working * working / 4;
        }
        return size;
    }

    /** Returns the best placement found within {@code budget}, if any. */
    static Optional<Result> of(PreparationAssignment base, SolveBudget budget) {
        ExactPreparationSolver exact = new ExactPreparationSolver(base);
        return exact.program
                .maximize(budget, 0)
                .map(found -> new Result(exact.read(found), (found.bestBound() + exact.rounding()) / UNIT));
    }

    /** Returns half a unit for each placed preparation, each GiB lent, and each GiB lent from another rack. */
    private double rounding() {
        double sum = 0;
        for (int j = 0; j < base.count(); j++) {
            sum += 0.5 + base.spec(j).workingSetGiB();
        }
        return sum;
    }

    private void offer() {
        for (int j = 0; j < base.count(); j++) {
            PreparationPlacement placement = base.placement(j);
            if (placement == null) {
                offerStarts(j);
            } else {
                offerGrowth(j, placement);
            }
            offerLoans(j);
        }
    }

    private void offerStarts(int j) {
        PreparationSpec spec = base.spec(j);
        for (int v = 0; v < nodes.count(); v++) {
            if (nodes.mayStart(base.preparation(j), v) && base.supply().hasCpus(v, spec.cpus())) {
                int max = Math.min(spec.workingSetGiB(), base.supply().remainingAfterLocal(v));
                for (int local = spec.minLocalGiB(); local <= max; local++) {
                    offer(j, v, local, spec.workingSetGiB() - local);
                }
            }
        }
    }

    private void offerGrowth(int j, PreparationPlacement placement) {
        int desired = base.spec(j).workingSetGiB();
        int free = nodes.mayStart(base.preparation(j), placement.node())
                ? base.supply().remainingAfterLocal(placement.node())
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
        double gain = PreparationAssignment.gain(base.spec(j), local, borrowed);
        options.add(new Option(j, v, local, borrowed, program.binary(Math.rint(UNIT * base.weight(j) * gain))));
    }

    private void offerLoans(int j) {
        for (int u = 0; u < nodes.count(); u++) {
            int retained = retainedLoan(j, u);
            int max = nodes.mayLend(base.preparation(j), u)
                    ? Math.min(base.spec(j).workingSetGiB(), base.supply().lendableAfterLocal(u))
                    : retained;
            if (max > 0) {
                double cost = Math.rint(UNIT
                        * base.weight(j)
                        * nodes.leastLoss(u)
                        / base.spec(j).workingSetGiB());
                loans.put(List.of(j, u), program.integer(0, Math.max(max, retained), -cost));
            }
        }
    }

    private int retainedLoan(int j, int lender) {
        PreparationPlacement placement = base.placement(j);
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
        for (int j = 0; j < base.count(); j++) {
            int row = program.row(base.placement(j) == null ? 0 : 1, 1);
            of(j).forEach(option -> program.add(row, option.variable(), 1));
        }
    }

    /** Σ_u y[j, u] = Σ B x[j, v, L, B]. */
    private void loansAreWhatIsBorrowed() {
        for (int j = 0; j < base.count(); j++) {
            int row = program.row(0, 0);
            for (int u = 0; u < nodes.count(); u++) {
                loan(j, u).ifPresent(loan -> program.add(row, loan, 1));
            }
            of(j).forEach(option -> program.add(row, option.variable(), -option.borrowedGiB()));
        }
    }

    /** y[j, u] ≤ Z (1 - Σ x[j, u, ..]). */
    private void forbidSelfLending() {
        for (int j = 0; j < base.count(); j++) {
            int all = base.spec(j).workingSetGiB();
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
        for (int j = 0; j < base.count(); j++) {
            PreparationPlacement placement = base.placement(j);
            int held = placement == null ? 0 : placement.loans().size();
            int few = program.atMost(Math.max(nodes.fanOut(), held));
            for (int u = 0; u < nodes.count(); u++) {
                OptionalInt loan = loan(j, u);
                if (loan.isPresent()) {
                    boolean isClosed = held > nodes.fanOut() && retainedLoan(j, u) == 0;
                    int lends = program.binary(0);
                    int row = program.atMost(0);
                    program.add(row, loan.getAsInt(), 1);
                    program.add(row, lends, isClosed ? 0 : -base.spec(j).workingSetGiB());
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
            int memory = base.supply().remainingAfterLocal(v);
            int lendable = base.supply().lendableAfterLocal(v);
            int lends = program.binary(0);
            int cpuRow = program.atMost(base.supply().cpusLeft(v) + 1e-9);
            int memoryRow = program.atMost(memory);
            int lendingRow = program.atMost(0);
            program.add(memoryRow, lends, (double) memory - lendable);
            program.add(lendingRow, lends, -lendable);
            for (Option option : options) {
                if (option.node() == v) {
                    PreparationPlacement placement = base.placement(option.j());
                    program.add(cpuRow, option.variable(), placement == null ? base.cpus(option.j()) : 0);
                    int before = placement == null ? 0 : placement.localGiB();
                    program.add(memoryRow, option.variable(), (double) option.localGiB() - before);
                }
            }
            for (int j = 0; j < base.count(); j++) {
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
        for (int j = 0; j < base.count(); j++) {
            PreparationPlacement placement = base.placement(j);
            if (placement != null && !placement.loans().isEmpty()) {
                int shrinks = program.atMost(0);
                for (Option option : of(j)) {
                    int excess = option.localGiB()
                            + placement.borrowedGiB()
                            - base.spec(j).workingSetGiB();
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
        for (int j = 0; j < base.count() && max > 0; j++) {
            int all = base.spec(j).workingSetGiB();
            int far = program.integer(0, all, -Math.rint(UNIT * base.weight(j) * max / all));
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

    private PreparationAssignment read(LinearSolution found) {
        PreparationAssignment assignment = base.copy();
        for (Option option : options) {
            if (found.isOne(option.variable())) {
                NavigableMap<Integer, Integer> lent = new TreeMap<>();
                for (int u = 0; u < nodes.count(); u++) {
                    int lender = u;
                    loan(option.j(), u).ifPresent(loan -> lent.put(lender, (int) Math.round(found.value(loan))));
                }
                assignment.put(option.j(), new PreparationPlacement(option.node(), option.localGiB(), lent));
            }
        }
        return assignment;
    }
}
