package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.nativelib.NativeSolver;
import dev.spur.solver.placement.GreedyFill;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Integer program of a round: the choice of a candidate for each job. Every plan of the round satisfies it. A solution
 * without a placement, because single hosts are too small or pieces of a gang share a node, is removed by a conflict
 * cut.
 */
public final class RoundProgram {
    static {
        NativeSolver.load();
    }

    /**
     * Sum of the largest utility of every job, in units of the objective. The range is large enough that rounding is
     * negligible.
     */
    private static final double OBJECTIVE_RANGE = 4e9;

    private final CpModel program = new CpModel();
    private final CandidateSet candidates;
    private final CandidateVariables chosen;
    private final double scale;
    private int rows;

    /** Creates the program of all of {@code candidates}, without objective. */
    public RoundProgram(CandidateSet candidates) {
        this(candidates, VariableFixing.everything(candidates));
    }

    /** Creates the program of the open jobs of {@code scope}, without objective. */
    public RoundProgram(CandidateSet candidates, VariableFixing scope) {
        this.candidates = candidates;
        this.chosen = new CandidateVariables(program, candidates, scope);
        this.scale = scale(candidates);
        eachJobRunsInAtMostOneConfiguration();
        protectedJobsKeepTheirAllocation();
        rows += new NodeCapacityConstraints(program, candidates, chosen, scope).add();
        rows += new PoolCapacityConstraints(program, candidates, chosen).add();
        rows += new QuotaConstraints(program, candidates, chosen).add();
        rows += new GroupCapConstraints(program, candidates, chosen).add();
        restartsStayWithinTheLimit();
    }

    /** For each job: chosen candidates <= 1. */
    private void eachJobRunsInAtMostOneConfiguration() {
        for (int j = 0; j < candidates.jobs(); j++) {
            Literal[] ways = chosen.of(j);
            if (ways.length > 0) {
                program.addAtMostOne(ways);
            }
        }
    }

    /** For each pinned job: its allocation is chosen. */
    private void protectedJobsKeepTheirAllocation() {
        for (int j = 0; j < candidates.jobs(); j++) {
            if (candidates.isPinned(j) && chosen.isOpen(candidates.kept(j))) {
                program.addBoolAnd(new Literal[] {chosen.get(candidates.kept(j))});
            }
        }
    }

    /**
     * Jobs that could keep their allocation but do not <= limit. The limit does not apply where quotas or aggregation
     * slots have decreased so that not all of them can stay.
     */
    private void restartsStayWithinTheLimit() {
        Integer limit = candidates.problem().settings().maxRestarts();
        if (limit == null) {
            return;
        }
        int[] repaired = GreedyFill.repaired(candidates);
        LinearExprBuilder kept = LinearExpr.newBuilder();
        int keepable = 0;
        for (int j = 0; j < candidates.jobs(); j++) {
            if (candidates.kept(j) >= 0) {
                if (repaired[j] < 0) {
                    return;
                }
                if (chosen.isOpen(candidates.kept(j))) {
                    kept.add(chosen.get(candidates.kept(j)));
                } else if (chosen.isSettled(candidates.kept(j))) {
                    kept.add(1);
                }
                keepable++;
            }
        }
        if (keepable > limit) {
            program.addGreaterOrEqual(kept, (long) keepable - limit);
            rows++;
        }
    }

    /** For each commitment: one of its candidates is chosen. */
    public void obligationsAreMet(List<Obligation> obligations) {
        for (Obligation obligation : obligations) {
            if (chosen.of(obligation.job()).length > 0) {
                program.addBoolOr(literals(obligation));
            }
        }
    }

    /** Conflict cut: not all of {@code together} are chosen, because no placement holds them. */
    public void isNotPlacedTogether(List<Integer> together) {
        if (together.stream().allMatch(c -> chosen.isOpen(c) || chosen.isSettled(c))) {
            program.addBoolOr(together.stream()
                    .filter(chosen::isOpen)
                    .map(c -> chosen.get(c).not())
                    .toArray(Literal[]::new));
            rows++;
        }
    }

    /** Maximizes the utility of the chosen candidates, rounded to units of 1 / {@link #scale}. */
    public void maximizeWorth() {
        program.maximize(chosen.sum(c -> true, c -> Math.round(c.utility() * scale)));
    }

    /**
     * Maximizes the satisfied commitments lexicographically: an earlier one has priority over all later ones together.
     *
     * @param obligations at most 60, so that every power of two fits
     */
    public void maximizeObligationsMet(List<Obligation> obligations) {
        LinearExprBuilder sum = LinearExpr.newBuilder();
        for (int i = 0; i < obligations.size(); i++) {
            BoolVar met = program.newBoolVar("met[%d]".formatted(i));
            Literal[] ways = Arrays.copyOf(
                    literals(obligations.get(i)),
                    obligations.get(i).candidates().size() + 1);
            ways[ways.length - 1] = met.not();
            program.addBoolOr(ways);
            sum.addTerm(met, 1L << (obligations.size() - 1 - i));
        }
        program.maximize(sum);
    }

    /** Passes a choice to the solver as a hint: the candidate of each job, or -1 for waiting. */
    public void hint(int[] choice) {
        program.clearHints();
        for (int c : chosen.live()) {
            if (chosen.isOpen(c)) {
                program.addHint(chosen.get(c), choice[candidates.get(c).job()] == c);
            }
        }
    }

    /** Returns the units of the objective per unit of utility. */
    public double scale() {
        return scale;
    }

    /** Returns the maximum error of the objective, in utility: half a unit for each job. */
    public double roundingError() {
        return roundingError(candidates);
    }

    /** Returns the same for any program of {@code candidates}. */
    public static double roundingError(CandidateSet candidates) {
        return 0.5 * candidates.jobs() / scale(candidates);
    }

    /** Returns the number of constraints that couple jobs. */
    public int rows() {
        return rows;
    }

    public CpModel model() {
        return program;
    }

    /**
     * Returns the candidate of each job in a solution, -1 for waiting: the fixed one, or the one whose variable
     * satisfies {@code isTrue}.
     */
    public int[] choice(Predicate<Literal> isTrue) {
        int[] choice = new int[candidates.jobs()];
        Arrays.fill(choice, -1);
        for (int c : chosen.live()) {
            if (chosen.isSettled(c) || (chosen.isOpen(c) && isTrue.test(chosen.get(c)))) {
                choice[candidates.get(c).job()] = c;
            }
        }
        return choice;
    }

    private Literal[] literals(Obligation obligation) {
        return obligation.candidates().stream()
                .filter(chosen::isOpen)
                .map(chosen::get)
                .toArray(Literal[]::new);
    }

    private static double scale(CandidateSet candidates) {
        return OBJECTIVE_RANGE / Math.max(1e-9, largestWorth(candidates));
    }

    private static double largestWorth(CandidateSet candidates) {
        double sum = 0;
        for (int j = 0; j < candidates.jobs(); j++) {
            double largest = 0;
            for (int c = candidates.first(j); c < candidates.end(j); c++) {
                largest = Math.max(largest, Math.abs(candidates.get(c).utility()));
            }
            sum += largest;
        }
        return sum;
    }
}
