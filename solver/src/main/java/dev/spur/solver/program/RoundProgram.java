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
 * The integer program of a round: which candidate each job gets. Every plan of the round satisfies it; a solution that
 * no placement realizes, because single hosts are too small or gangs meet on a node, is cut off when it turns up.
 */
public final class RoundProgram {
    static {
        NativeSolver.load();
    }

    /**
     * The sum of the largest worth of every job, in units of the objective: large enough that rounding does not matter.
     */
    private static final double OBJECTIVE_RANGE = 4e9;

    private final CpModel program = new CpModel();
    private final CandidateSet candidates;
    private final CandidateVariables chosen;
    private final double scale;
    private int rows;

    /** The program of all of {@code candidates}, without objective. */
    public RoundProgram(CandidateSet candidates) {
        this(candidates, VariableFixing.everything(candidates));
    }

    /** The program of what {@code scope} leaves open, without objective. */
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

    /** For each job that may not be touched: what it holds is chosen. */
    private void protectedJobsKeepTheirAllocation() {
        for (int j = 0; j < candidates.jobs(); j++) {
            if (candidates.mustStay(j) && chosen.isOpen(candidates.kept(j))) {
                program.addBoolAnd(new Literal[] {chosen.get(candidates.kept(j))});
            }
        }
    }

    /**
     * Jobs that could keep what they hold, and do not, <= limit. The limit is for changes that the plan seeks: it does
     * not apply where quotas or aggregation have shrunk so that not all of them can stay.
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

    /** For each obligation: one of its candidates is chosen. */
    public void obligationsAreMet(List<Obligation> obligations) {
        for (Obligation obligation : obligations) {
            if (chosen.of(obligation.job()).length > 0) {
                program.addBoolOr(literals(obligation));
            }
        }
    }

    /** Not all of {@code together} are chosen: no placement holds them. */
    public void isNotPlacedTogether(List<Integer> together) {
        if (together.stream().allMatch(c -> chosen.isOpen(c) || chosen.isSettled(c))) {
            program.addBoolOr(together.stream()
                    .filter(chosen::isOpen)
                    .map(c -> chosen.get(c).not())
                    .toArray(Literal[]::new));
            rows++;
        }
    }

    /** Maximizes the worth of what is chosen, rounded to units of 1 / {@link #scale}. */
    public void maximizeWorth() {
        program.maximize(chosen.sum(c -> true, c -> Math.round(c.utility() * scale)));
    }

    /**
     * Maximizes the obligations met, an earlier one before all later ones together.
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

    /** Offers a choice to the solver to try first: the candidate of each job, or -1 for waiting. */
    public void hint(int[] choice) {
        program.clearHints();
        for (int c : chosen.live()) {
            if (chosen.isOpen(c)) {
                program.addHint(chosen.get(c), choice[candidates.get(c).job()] == c);
            }
        }
    }

    /** Units of the objective per unit of worth. */
    public double scale() {
        return scale;
    }

    /** Largest error of the objective, in worth: half a unit for each job. */
    public double roundingError() {
        return roundingError(candidates);
    }

    /** The same for whatever program of {@code candidates}. */
    public static double roundingError(CandidateSet candidates) {
        return 0.5 * candidates.jobs() / scale(candidates);
    }

    /** Number of constraints that couple jobs. */
    public int rows() {
        return rows;
    }

    public CpModel model() {
        return program;
    }

    /** The candidate of each job in a solution, -1 for waiting: settled, or the one of which {@code isTrue} holds. */
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
