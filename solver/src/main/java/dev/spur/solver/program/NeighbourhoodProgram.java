package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Piece;
import dev.spur.model.job.HostDemand;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.Hardware;
import dev.spur.solver.natives.NativeSolver;
import dev.spur.solver.placement.Room;
import dev.spur.solver.quota.QuotaSystem;
import dev.spur.solver.quota.QuotaSystem.Account;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program of a few jobs on a few nodes, while all other jobs stay where they are. Every node has rows of its own, so that
 * a solution says where each piece goes.
 */
public final class NeighbourhoodProgram {
    static {
        NativeSolver.load();
    }

    /** The sum of worths that may be chosen, in units of the objective. */
    private static final double OBJECTIVE_RANGE = 4e9;
    /** Units per CPU or GiB. */
    private static final double HOST_SCALE = 1e6;

    private final CpModel program = new CpModel();
    private final CandidateSet candidates;
    private final Hardware hardware;
    private final Room room;
    private final List<Integer> nodes;
    private final Map<Integer, BoolVar> chosen = new LinkedHashMap<>();
    /** By class and kind the pieces cut from each node. */
    private final Map<Integer, Map<PieceKind, Map<Integer, IntVar>>> cut = new HashMap<>();

    private final Map<String, Map<String, List<Integer>>> byTenantAndType = new HashMap<>();
    private final double scale;
    private final CpSolver solver = new CpSolver();

    /**
     * @param room what all other jobs leave
     * @param ways by open job its candidates; a kept one only if all its nodes are among {@code nodes}
     * @param mustRun true for each job, by its index, that may not wait
     * @param nodes nodes on which pieces may be put
     */
    public NeighbourhoodProgram(
            CandidateSet candidates,
            Room room,
            Map<Integer, int[]> ways,
            boolean[] mustRun,
            Collection<Integer> nodes) {
        this.candidates = candidates;
        this.hardware = candidates.hardware();
        this.room = room;
        this.nodes = List.copyOf(nodes);
        double most = 0;
        for (Map.Entry<Integer, int[]> entry : ways.entrySet()) {
            most += addJob(entry.getValue(), mustRun[entry.getKey()]);
        }
        scale = OBJECTIVE_RANGE / Math.max(1e-9, most);
        nodesAreNotOversubscribed();
        piecesAreCut();
        aggregationIsNotOversubscribed();
        new QuotaSystem(candidates.problem()).accounts().forEach(this::quotaHolds);
        maximizeWorth();
    }

    private double addJob(int[] own, boolean mustRun) {
        List<BoolVar> literals = new ArrayList<>();
        double most = 0;
        for (int c : own) {
            Candidate candidate = candidates.get(c);
            BoolVar x = program.newBoolVar("x[%d]".formatted(c));
            chosen.put(c, x);
            literals.add(x);
            most = Math.max(most, Math.abs(candidate.worth()));
            byTenantAndType
                    .computeIfAbsent(candidates.job(candidate.job()).tenant(), t -> new HashMap<>())
                    .computeIfAbsent(candidate.configuration().acceleratorType(), t -> new ArrayList<>())
                    .add(c);
        }
        if (mustRun) {
            program.addExactlyOne(literals.toArray(BoolVar[]::new));
        } else {
            program.addAtMostOne(literals.toArray(BoolVar[]::new));
        }
        return most;
    }

    /** For each node: slots, CPUs and memory of pieces cut and of what is kept there <= what is left. */
    private void nodesAreNotOversubscribed() {
        Map<Integer, List<PieceKind>> kinds = new HashMap<>();
        chosen.keySet().stream()
                .map(candidates::get)
                .filter(candidate -> !candidate.kept())
                .forEach(candidate -> {
                    List<PieceKind> own = kinds.computeIfAbsent(candidate.nodeClass(), k -> new ArrayList<>());
                    for (int size : candidate.configuration().shape()) {
                        PieceKind kind = new PieceKind(size, demand(candidate));
                        if (!own.contains(kind)) {
                            own.add(kind);
                        }
                    }
                });
        Map<Integer, Map<Integer, Integer>> keepers = keepers();
        for (int v : nodes) {
            LinearExprBuilder slots = LinearExpr.newBuilder();
            LinearExprBuilder cpus = LinearExpr.newBuilder();
            LinearExprBuilder memory = LinearExpr.newBuilder();
            for (PieceKind kind : kinds.getOrDefault(hardware.classOf(v), List.of())) {
                if (room.holds(v, kind.size(), kind.demand())) {
                    IntVar y = program.newIntVar(0, room.slots(v) / kind.size(), "y");
                    cut.computeIfAbsent(hardware.classOf(v), k -> new HashMap<>())
                            .computeIfAbsent(kind, k -> new LinkedHashMap<>())
                            .put(v, y);
                    addUse(y, kind.size(), kind.demand(), slots, cpus, memory);
                }
            }
            keepers.getOrDefault(v, Map.of())
                    .forEach((c, size) -> addUse(variable(c), size, demand(candidates.get(c)), slots, cpus, memory));
            program.addLessOrEqual(slots, room.slots(v));
            program.addLessOrEqual(cpus, supply(room.cpus(v)));
            program.addLessOrEqual(memory, supply(room.memory(v)));
        }
    }

    private static void addUse(
            IntVar y,
            int size,
            HostDemand demand,
            LinearExprBuilder slots,
            LinearExprBuilder cpus,
            LinearExprBuilder memory) {
        slots.addTerm(y, size);
        cpus.addTerm(y, Math.round(size * demand.cpusPerSlot() * HOST_SCALE));
        memory.addTerm(y, Math.round(size * demand.memoryGiBPerSlot() * HOST_SCALE));
    }

    private static long supply(double left) {
        return (long) Math.floor((left + 1e-9) * HOST_SCALE);
    }

    /** By node the candidates that would be kept there, with their slots. */
    private Map<Integer, Map<Integer, Integer>> keepers() {
        Map<Integer, Map<Integer, Integer>> keepers = new HashMap<>();
        for (int c : chosen.keySet()) {
            Allocation held = candidates.job(candidates.get(c).job()).allocation();
            if (candidates.get(c).kept() && held != null) {
                for (Piece piece : held.placement()) {
                    keepers.computeIfAbsent(hardware.indexOf(piece.node()), v -> new LinkedHashMap<>())
                            .merge(c, piece.slots(), Integer::sum);
                }
            }
        }
        return keepers;
    }

    /** For each class and kind: pieces of what is chosen <= pieces cut; a gang of several needs as many nodes. */
    private void piecesAreCut() {
        Map<Integer, Map<PieceKind, LinearExprBuilder>> needed = new LinkedHashMap<>();
        for (int c : chosen.keySet()) {
            Candidate candidate = candidates.get(c);
            if (!candidate.kept()) {
                pieces(candidate).forEach((kind, count) -> {
                    needed.computeIfAbsent(candidate.nodeClass(), k -> new LinkedHashMap<>())
                            .computeIfAbsent(kind, k -> LinearExpr.newBuilder())
                            .addTerm(variable(c), count);
                    if (count > 1) {
                        gangHasNodesOfItsOwn(c, kind, count);
                    }
                });
            }
        }
        needed.forEach((k, kinds) -> kinds.forEach((kind, demand) -> program.addLessOrEqual(
                demand, LinearExpr.sum(cutOf(k, kind).values().toArray(IntVar[]::new)))));
    }

    private void gangHasNodesOfItsOwn(int c, PieceKind kind, int count) {
        Map<Integer, IntVar> on = cutOf(candidates.get(c).nodeClass(), kind);
        LinearExprBuilder providers = LinearExpr.newBuilder();
        on.forEach((v, y) -> {
            if (room.slots(v) < 2 * kind.size()) {
                providers.add(y);
            } else {
                BoolVar any = program.newBoolVar("u");
                program.addLessOrEqual(any, y);
                providers.add(any);
            }
        });
        program.addLessOrEqual(LinearExpr.term(variable(c), count), providers);
    }

    private Map<Integer, IntVar> cutOf(int k, PieceKind kind) {
        return cut.getOrDefault(k, Map.of()).getOrDefault(kind, Map.of());
    }

    private Map<PieceKind, Integer> pieces(Candidate candidate) {
        Map<PieceKind, Integer> pieces = new LinkedHashMap<>();
        candidate
                .configuration()
                .shape()
                .forEach(size -> pieces.merge(new PieceKind(size, demand(candidate)), 1, Integer::sum));
        return pieces;
    }

    private void aggregationIsNotOversubscribed() {
        Map<String, LinearExprBuilder> used = new LinkedHashMap<>();
        chosen.forEach((c, x) -> {
            long taken = candidates.get(c).configuration().aggregationThousandths();
            if (taken > 0) {
                used.computeIfAbsent(candidates.get(c).configuration().pool(), p -> LinearExpr.newBuilder())
                        .addTerm(x, taken);
            }
        });
        used.forEach((pool, sum) -> program.addLessOrEqual(sum, room.aggregation(pool)));
    }

    /** What an account uses: a constant, and what is chosen if any of it is open. */
    private record Use(long settled, @Nullable LinearExprBuilder open) {}

    private Use quotaHolds(Account account) {
        long settled = 0;
        LinearExprBuilder open = LinearExpr.newBuilder();
        boolean any = false;
        for (String tenant : account.tenants()) {
            settled += room.held(tenant, account.type());
            List<Integer> own = byTenantAndType.getOrDefault(tenant, Map.of()).getOrDefault(account.type(), List.of());
            for (int c : own) {
                open.addTerm(variable(c), candidates.get(c).slots());
                any = true;
            }
        }
        for (Account below : account.accounts()) {
            Use use = quotaHolds(below);
            if (use.open() == null) {
                settled += Math.max(below.kept(), use.settled());
            } else {
                IntVar claim = program.newIntVar(below.kept(), 1L << 40, "claim");
                program.addLessOrEqual(use.open().add(use.settled()), claim);
                open.add(claim);
                any = true;
            }
        }
        if (any && account.limit() < Integer.MAX_VALUE) {
            LinearExprBuilder whole = LinearExpr.newBuilder().add(open.build()).add(settled);
            program.addLessOrEqual(whole, account.limit());
        }
        return new Use(settled, any ? open : null);
    }

    private void maximizeWorth() {
        LinearExprBuilder worth = LinearExpr.newBuilder();
        chosen.forEach((c, x) -> worth.addTerm(x, Math.round(candidates.get(c).worth() * scale)));
        program.maximize(worth);
    }

    private BoolVar variable(int c) {
        BoolVar x = chosen.get(c);
        if (x == null) {
            throw new IllegalArgumentException("candidate %d is not open".formatted(c));
        }
        return x;
    }

    private HostDemand demand(Candidate candidate) {
        return candidates.job(candidate.job()).spec().host();
    }

    /** Offers what is now the plan to the solver: the candidates that are chosen, and for fresh ones their nodes. */
    public void hint(Map<Integer, List<Integer>> now) {
        chosen.forEach((c, x) -> program.addHint(x, now.containsKey(c)));
        Map<Integer, Map<PieceKind, Map<Integer, Integer>>> counts = new HashMap<>();
        now.forEach((c, on) -> {
            Candidate candidate = candidates.get(c);
            for (int i = 0; !candidate.kept() && i < on.size(); i++) {
                PieceKind kind = new PieceKind(candidate.configuration().shape().get(i), demand(candidate));
                counts.computeIfAbsent(candidate.nodeClass(), k -> new HashMap<>())
                        .computeIfAbsent(kind, k -> new HashMap<>())
                        .merge(on.get(i), 1, Integer::sum);
            }
        });
        cut.forEach((k, kinds) -> kinds.forEach((kind, on) -> on.forEach((v, y) -> program.addHint(
                y, counts.getOrDefault(k, Map.of()).getOrDefault(kind, Map.of()).getOrDefault(v, 0)))));
    }

    /** Jobs of the neighbourhood that could keep what they hold, and do not, <= {@code limit}. */
    public void restartsStayWithin(long limit) {
        LinearExprBuilder lost = LinearExpr.newBuilder();
        chosen.forEach((c, x) -> {
            if (candidates.get(c).kept()) {
                lost.addTerm(x, -1).add(1);
            }
        });
        program.addLessOrEqual(lost, limit);
    }

    /**
     * The best choice found: by chosen candidate its nodes, one per piece of its shape, none for a kept one. Null if none was
     * found, or gangs would have to meet on a node.
     *
     * @param budget what may be spent in all
     * @param work deterministic work units to spend at most here
     * @param gap distance from the best, in worth, at which a choice is good enough
     */
    public @Nullable Map<Integer, List<Integer>> solve(SolveBudget budget, double work, double gap) {
        solver.getParameters()
                .setMaxDeterministicTime(Math.min(work, budget.work()))
                .setMaxTimeInSeconds(budget.wallSeconds())
                .setNumWorkers(1)
                .setRandomSeed(budget.seed())
                .setAbsoluteGapLimit(Math.max(1, gap * scale));
        CpSolverStatus status = solver.solve(program);
        return status == CpSolverStatus.OPTIMAL || status == CpSolverStatus.FEASIBLE ? readBack() : null;
    }

    /** True if no better choice is left in the neighbourhood. */
    public boolean isExhausted() {
        return solver.response().getStatus() == CpSolverStatus.OPTIMAL;
    }

    /** Deterministic work units that {@link #solve} has spent. */
    public double work() {
        return solver.response().getDeterministicTime();
    }

    private @Nullable Map<Integer, List<Integer>> readBack() {
        Map<Integer, Map<PieceKind, Map<Integer, Long>>> left = new HashMap<>();
        cut.forEach((k, kinds) ->
                kinds.forEach((kind, on) -> on.forEach((v, y) -> left.computeIfAbsent(k, x -> new HashMap<>())
                        .computeIfAbsent(kind, x -> new LinkedHashMap<>())
                        .put(v, solver.value(y)))));
        List<Integer> found = chosen.keySet().stream()
                .filter(c -> solver.booleanValue(variable(c)))
                .sorted(Comparator.comparingInt(
                        c -> -candidates.get(c).configuration().nodes()))
                .toList();
        Map<Integer, List<Integer>> placed = new LinkedHashMap<>();
        for (int c : found) {
            List<Integer> own = new ArrayList<>();
            Candidate candidate = candidates.get(c);
            for (int size : candidate.kept()
                    ? List.<Integer>of()
                    : candidate.configuration().shape()) {
                Map<Integer, Long> supply = left.getOrDefault(candidate.nodeClass(), Map.of())
                        .getOrDefault(new PieceKind(size, demand(candidate)), Map.of());
                Integer best = supply.entrySet().stream()
                        .filter(entry -> entry.getValue() > 0 && !own.contains(entry.getKey()))
                        .max(Comparator.comparingLong(Map.Entry::getValue))
                        .map(Map.Entry::getKey)
                        .orElse(null);
                if (best == null) {
                    return null;
                }
                supply.merge(best, -1L, Long::sum);
                own.add(best);
            }
            placed.put(c, own);
        }
        return placed;
    }
}
