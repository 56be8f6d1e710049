package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.nativelib.NativeSolver;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.placement.StallLoss;
import dev.spur.solver.resource.RestartLimit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Integer program of a round: the choice of a candidate for each open job. Every plan of the round satisfies it. A
 * solution without a placement, because pieces of a gang share a node, is removed by a conflict cut.
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

    /** Number of variables of a class of nodes beyond which its hosts are limited only in total. */
    private static final int MAX_HOST_VARIABLES = 20_000;

    /**
     * Level of CP-SAT at which its linear relaxation contains every row, with cuts. With the default level, the bound
     * of a round with several node classes and host demands may stay at more than twice the optimum.
     */
    public static final int ALL_ROWS = 2;

    private final CpModel program = new CpModel();
    private final VariableFixing fixing;
    private final CandidateSet candidates;
    private final CandidateVariables variables;
    private final NodeCapacityConstraints nodes;
    private final AggregationConstraints aggregation;
    private final QuotaConstraints quotas;
    private final double scale;
    /** By class of nodes: utility that chosen candidates lose there, in units of the objective. */
    private final Map<Integer, IntVar> losses = new LinkedHashMap<>();

    private int rows;

    /** Creates the program of all jobs of {@code candidates}, without objective. */
    public RoundProgram(CandidateSet candidates) {
        this(VariableFixing.ofPinnedJobs(candidates));
    }

    /** Creates the program of the open jobs of {@code fixing}, without objective. */
    public RoundProgram(VariableFixing fixing) {
        this(fixing, allNodes(fixing.candidates()), MAX_HOST_VARIABLES);
    }

    /** Creates the program of the open jobs of {@code fixing} on {@code nodes}, without objective. */
    RoundProgram(VariableFixing fixing, Collection<Integer> nodes, int mostHostVariables) {
        this.fixing = fixing;
        this.candidates = fixing.candidates();
        this.variables = new CandidateVariables(program, fixing);
        this.scale = scale(candidates);
        this.aggregation = new AggregationConstraints(program, fixing, variables);
        this.nodes = new NodeCapacityConstraints(program, fixing, variables, aggregation, nodes, mostHostVariables);
        aggregation.aggregationIsNotOversubscribed();
        this.quotas = new QuotaConstraints(program, fixing, variables);
        GroupCapConstraints.groupsStayWithinTheirCaps(program, fixing, variables);
        restartsStayWithinTheLimit();
        this.rows = program.getBuilder().getConstraintsCount();
        eachJobRunsInAtMostOneConfiguration();
    }

    private static List<Integer> allNodes(CandidateSet candidates) {
        return IntStream.range(0, candidates.clusterIndex().nodes().size())
                .boxed()
                .toList();
    }

    /** For each open job: chosen candidates <= 1. */
    private void eachJobRunsInAtMostOneConfiguration() {
        fixing.open()
                .values()
                .forEach(own -> RoundConstraint.CONFIGURATION.nameRow(program.addAtMostOne(variables(own))));
    }

    private Literal[] variables(int[] own) {
        return IntStream.of(own).mapToObj(variables::get).toArray(Literal[]::new);
    }

    /** Sum of {@code coefficient(c) * x[c]} <= capacity less the use by fixed jobs, as {@link RestartLimit} states. */
    private void restartsStayWithinTheLimit() {
        RestartLimit restarts = fixing.restarts();
        if (restarts.applies()) {
            LinearExprBuilder use = LinearExpr.newBuilder();
            variables.forEach((candidate, chosen) -> use.addTerm(chosen, restarts.coefficient(candidate)));
            RoundConstraint.RESTARTS.nameRow(
                    program.addLessOrEqual(use, restarts.capacity() - (long) restarts.use(fixing.choice())));
        }
    }

    /** For each commitment: one of its candidates is chosen. */
    public void obligationsAreMet(List<Obligation> obligations) {
        obligations.forEach(obligation -> RoundConstraint.COMMITMENT.nameRow(
                program.addBoolOr(literals(obligation).toArray(Literal[]::new))));
    }

    /** Conflict cut: not all of {@code together} are chosen, because no placement holds them. */
    public void isNotPlacedTogether(List<Integer> together) {
        if (together.stream().allMatch(c -> variables.isOpen(c) || fixing.isChosen(c))) {
            RoundConstraint.CONFLICT_CUT.nameRow(program.addBoolOr(together.stream()
                    .filter(variables::isOpen)
                    .map(c -> variables.get(c).not())
                    .toArray(Literal[]::new)));
            rows++;
        }
    }

    /** Loss cut: if all candidates of {@code loss} are chosen, the objective loses its utility, once for each class. */
    public void stallsAreCharged(StallLoss loss) {
        if (loss.candidates().stream().allMatch(c -> variables.isOpen(c) || fixing.isChosen(c))) {
            IntVar lost = losses.computeIfAbsent(
                    loss.nodeClass(), k -> program.newIntVar(0, (long) OBJECTIVE_RANGE, "lost[" + k + "]"));
            long amount = Math.min((long) OBJECTIVE_RANGE, (long) Math.floor(loss.utility() * scale));
            LinearExprBuilder excess = LinearExpr.newBuilder();
            excess.addTerm(lost, 1);
            List<Integer> open =
                    loss.candidates().stream().filter(variables::isOpen).toList();
            open.forEach(c -> excess.addTerm(variables.get(c), -amount));
            RoundConstraint.LOSS_CUT.nameRow(program.addGreaterOrEqual(excess, -amount * (open.size() - 1)));
            rows++;
        }
    }

    /**
     * Maximizes the utility of the chosen candidates less the stated {@link #stallsAreCharged losses}, rounded to units
     * of 1 / {@link #scale}.
     */
    public void maximizeWorth() {
        LinearExprBuilder sum = LinearExpr.newBuilder();
        losses.values().forEach(lost -> sum.addTerm(lost, -1));
        variables.forEach((candidate, chosen) -> sum.addTerm(chosen, Math.round(candidate.utility() * scale)));
        for (int c : fixing.choice()) {
            sum.add(c < 0 ? 0 : Math.round(candidates.get(c).utility() * scale));
        }
        program.maximize(sum);
    }

    /**
     * Maximizes the satisfied commitments lexicographically: an earlier one has priority over all later ones together.
     *
     * @param obligations at most 60, so that every power of two fits
     */
    public void maximizeObligationsMet(List<Obligation> obligations) {
        LinearExprBuilder sum = LinearExpr.newBuilder();
        for (int i = 0; i < obligations.size(); i++) {
            BoolVar met = program.newBoolVar("met[" + i + "]");
            List<Literal> clause = literals(obligations.get(i));
            clause.add(met.not());
            RoundConstraint.COMMITMENT.nameRow(program.addBoolOr(clause.toArray(Literal[]::new)));
            sum.addTerm(met, 1L << (obligations.size() - 1 - i));
        }
        program.maximize(sum);
    }

    /** Passes a choice to the solver as a hint. The hint is complete if the nodes of all pieces are known. */
    public void hint(PartialPlacement presentPlacement) {
        program.clearHints();
        Map<Integer, List<Integer>> placed = new LinkedHashMap<>();
        variables.all().forEach((c, chosen) -> {
            int j = candidates.get(c).job();
            boolean isChosen = presentPlacement.choice()[j] == c;
            program.addHint(chosen, isChosen);
            if (isChosen && !candidates.get(c).isRetained()) {
                placed.put(c, presentPlacement.nodes().getOrDefault(j, List.of()));
            }
        });
        quotas.hint(presentPlacement.choice());
        if (placed.values().stream().noneMatch(List::isEmpty)) {
            nodes.hint(placed);
            aggregation.hint(presentPlacement.choice(), cpus(presentPlacement));
        }
    }

    /** Returns by node the CPUs that open jobs take there, in units. */
    private Map<Integer, Long> cpus(PartialPlacement presentPlacement) {
        Map<Integer, Long> cpus = new HashMap<>();
        for (int j : fixing.open().keySet()) {
            int c = presentPlacement.choice()[j];
            if (c >= 0 && variables.isOpen(c)) {
                ResourceDemand demand = ResourceDemand.of(candidates, candidates.get(c));
                for (int i = 0; i < demand.pieces().length; i++) {
                    int v = demand.isFixed()
                            ? demand.nodes()[i]
                            : presentPlacement
                                    .nodes()
                                    .getOrDefault(j, List.of())
                                    .get(i);
                    cpus.merge(v, demand.pieces()[i] * demand.cpuUnits(), Long::sum);
                }
            }
        }
        return cpus;
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

    /** Returns the number of rows by the name of their constraint. */
    public Map<String, Integer> rowsByConstraint() {
        Map<String, Integer> rows = new TreeMap<>();
        program.getBuilder().getConstraintsList().forEach(row -> rows.merge(row.getName(), 1, Integer::sum));
        return rows;
    }

    /** Returns the number of constraints that couple jobs. */
    public int rows() {
        return rows;
    }

    public CpModel model() {
        return program;
    }

    /** Returns the nodes and devices of a solution where devices are shared. */
    public PartialPlacement sharedPlaces(CpSolver solution) {
        return nodes.sharedPlaces(solution);
    }

    /** Returns the constraints of node capacity, which place the pieces of a solution. */
    NodeCapacityConstraints nodes() {
        return nodes;
    }

    /**
     * Returns the candidate of each job in a solution, -1 for waiting: the fixed one, or the one whose variable
     * satisfies {@code isTrue}.
     */
    public int[] choice(Predicate<Literal> isTrue) {
        int[] choice = fixing.choice().clone();
        variables.all().forEach((c, chosen) -> {
            if (isTrue.test(chosen)) {
                choice[candidates.get(c).job()] = c;
            }
        });
        return choice;
    }

    /** Returns the literals of which one is true if the commitment is met. */
    private List<Literal> literals(Obligation obligation) {
        List<Literal> literals = new ArrayList<>();
        for (int c : obligation.candidates()) {
            if (variables.isOpen(c)) {
                literals.add(variables.get(c));
            } else if (fixing.isChosen(c)) {
                literals.add(program.trueLiteral());
            }
        }
        return literals;
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
