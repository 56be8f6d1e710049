package dev.spur.solver.placement;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.nativelib.SolverFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;

/**
 * Exact placement of the gangs of one class by an integer program, for classes where the greedy placer found none.
 * Exact, but slower.
 */
final class ExactPlacer {
    /** Maximum number of variables. */
    private static final int MAX_VARIABLES = 400_000;
    /** Deterministic work units for one class. */
    private static final double WORK = 5;
    /** Units of the objective for all losses together. */
    private static final double LOSS_UNITS = 1e9;

    /** Outcome of the placement. */
    enum Answer {
        FOUND,
        NONE,
        UNKNOWN
    }

    /** Shares of one size of a gang: a variable per node of the class, 1 if one of them is there. */
    private record Part(int candidate, int size, List<BoolVar> on) {}

    private final CandidateSet candidates;
    private final NodeClass nodeClass;
    private final ResidualCluster freeCluster;
    private final CpModel program = new CpModel();
    private final List<Part> parts = new ArrayList<>();
    private final ExactShares shares;
    /** By gang: 1 if it has the utility of its change. */
    private final Map<Integer, BoolVar> met = new LinkedHashMap<>();

    private final CpSolver solver = SolverFactory.cpSat();

    ExactPlacer(CandidateSet candidates, NodeClass nodeClass, ResidualCluster freeCluster) {
        this.candidates = candidates;
        this.nodeClass = nodeClass;
        this.freeCluster = freeCluster;
        this.shares = new ExactShares(program, freeCluster);
    }

    /**
     * Searches for up to {@code seconds} for nodes for all of {@code gangs}, fresh candidates of the class, within
     * {@code freeCluster}.
     */
    Answer solve(List<Integer> gangs, double seconds) {
        return solve(gangs, Map.of(), DevicePreference.none(candidates), seconds);
    }

    /**
     * Searches for the placement with the least loss.
     *
     * @param losses utility that a gang loses on nodes without the devices for its change
     * @param preference nodes with these devices
     */
    Answer solve(List<Integer> gangs, Map<Integer, Double> losses, DevicePreference preference, double seconds) {
        if (seconds <= 0 || (long) gangs.size() * nodeClass.nodes().size() > MAX_VARIABLES) {
            return Answer.UNKNOWN;
        }
        gangs.forEach(this::gangIsComplete);
        minimizeLoss(losses, preference);
        slotsSuffice();
        hostsSuffice(HostDemand::cpusPerSlot, true);
        hostsSuffice(HostDemand::memoryGiBPerSlot, false);
        boolean aggregatorsLimit = aggregatorsKeepEnough();
        solver.getParameters()
                .setMaxDeterministicTime(WORK)
                .setMaxTimeInSeconds(seconds)
                .setNumWorkers(1)
                .setRandomSeed(1);
        CpSolverStatus status = solver.solve(program);
        return switch (status) {
            case OPTIMAL -> Answer.FOUND;
            case FEASIBLE -> met.isEmpty() ? Answer.FOUND : Answer.UNKNOWN;
            // Aggregators of the pool could leave more CPUs if jobs were on other nodes.
            case INFEASIBLE -> aggregatorsLimit ? Answer.UNKNOWN : Answer.NONE;
            case UNKNOWN -> Answer.UNKNOWN;
            case MODEL_INVALID, UNRECOGNIZED ->
                throw new IllegalStateException("CP-SAT rejects the placement model: " + program.validate());
        };
    }

    /** Returns the nodes found for a gang: node to slots there. */
    Map<Integer, Integer> nodesOf(int candidate) {
        Map<Integer, Integer> found = new LinkedHashMap<>();
        for (Part part : parts) {
            for (int i = 0; part.candidate() == candidate && i < part.on().size(); i++) {
                if (solver.booleanValue(part.on().get(i))) {
                    found.put(nodeClass.nodes().get(i), part.size());
                }
            }
        }
        return found;
    }

    /**
     * For each gang and size: nodes with a share of that size = shares. No node has two shares of the gang, and no node
     * that it may not take has one.
     */
    private void gangIsComplete(int candidate) {
        List<Integer> shape = candidates.get(candidate).configuration().shape();
        List<Part> own = new ArrayList<>();
        shape.stream().distinct().forEach(size -> {
            BoolVar[] on = new BoolVar[nodeClass.nodes().size()];
            for (int i = 0; i < on.length; i++) {
                int v = nodeClass.nodes().get(i);
                on[i] = program.newBoolVar("p[%d,%d,%d]".formatted(candidate, size, v));
                if (!candidates.get(candidate).access().contains(v)) {
                    program.addEquality(on[i], 0);
                }
            }
            program.addEquality(
                    LinearExpr.sum(on), shape.stream().filter(size::equals).count());
            own.add(new Part(candidate, size, List.of(on)));
            if (isShare(candidate)) {
                for (int i = 0; i < on.length; i++) {
                    shares.add(
                            candidate,
                            candidates.get(candidate).parts(),
                            nodeClass.nodes().get(i),
                            on[i]);
                }
            }
        });
        for (int i = 0; own.size() > 1 && i < nodeClass.nodes().size(); i++) {
            int node = i;
            program.addAtMostOne(own.stream().map(part -> part.on().get(node)).toArray(BoolVar[]::new));
        }
        parts.addAll(own);
    }

    /** Maximizes the utility of the gangs that are on nodes with the devices for their change. */
    private void minimizeLoss(Map<Integer, Double> losses, DevicePreference preference) {
        double total = losses.values().stream().mapToDouble(loss -> loss).sum();
        LinearExprBuilder retained = LinearExpr.newBuilder();
        losses.forEach((gang, loss) -> {
            BoolVar isMet = program.newBoolVar("m[" + gang + "]");
            retained.addTerm(isMet, Math.round(loss / total * LOSS_UNITS));
            met.put(gang, isMet);
        });
        met.forEach((gang, isMet) -> {
            if (candidates.get(gang).change() == ChangeMechanism.RESCALE) {
                rankZeroStays(gang, isMet, preference.nodesOf(gang).get(0));
            }
        });
        for (Part part : parts) {
            boolean moves = candidates.get(part.candidate()).change() == ChangeMechanism.MIGRATE;
            for (int i = 0;
                    moves && met.containsKey(part.candidate()) && i < part.on().size();
                    i++) {
                devicesSuffice(part, nodeClass.nodes().get(i), part.on().get(i), preference);
            }
        }
        if (!losses.isEmpty()) {
            program.maximize(retained);
        }
    }

    /** A rescaled gang has a share on {@code home}, the node of its rank 0. */
    private void rankZeroStays(int gang, BoolVar isMet, int home) {
        List<Literal> shares = new ArrayList<>();
        int i = nodeClass.nodes().indexOf(home);
        parts.stream()
                .filter(part -> part.candidate() == gang)
                .forEach(part -> shares.add(part.on().get(i)));
        program.addBoolOr(shares.toArray(Literal[]::new)).onlyEnforceIf(isMet);
    }

    /**
     * For a share of a migrated gang: slots + rescaled gangs that keep rank 0 there &lt;= devices that it does not
     * hold.
     */
    private void devicesSuffice(Part part, int v, BoolVar on, DevicePreference preference) {
        BoolVar isMet = variable(part.candidate());
        LinearExprBuilder taken = LinearExpr.newBuilder();
        taken.addTerm(on, part.size());
        met.forEach((other, stays) -> {
            if (preference.rescaledOn(v).contains(candidates.get(other).job())) {
                taken.addTerm(stays, 1);
            }
        });
        program.addLessOrEqual(taken, preference.notHeld(part.candidate(), v)).onlyEnforceIf(new Literal[] {isMet, on});
    }

    private BoolVar variable(int gang) {
        return Objects.requireNonNull(met.get(gang));
    }

    /** Returns true if {@code gang} was placed on nodes with the devices for its change. */
    boolean isMet(int gang) {
        return solver.booleanValue(variable(gang));
    }

    private boolean isShare(int candidate) {
        return candidates.get(candidate).parts() < Elasticity.PARTS;
    }

    /** Returns the number of the device that {@code gang} shares; empty for whole devices. */
    OptionalInt deviceOf(int gang) {
        return isShare(gang) ? OptionalInt.of(shares.deviceOf(gang, solver)) : OptionalInt.empty();
    }

    private void slotsSuffice() {
        for (int i = 0; i < nodeClass.nodes().size(); i++) {
            LinearExprBuilder used = LinearExpr.newBuilder();
            for (Part part : parts) {
                if (!isShare(part.candidate())) {
                    used.addTerm(part.on().get(i), part.size());
                }
            }
            shares.addDevices(nodeClass.nodes().get(i), used);
            program.addLessOrEqual(used, freeCluster.slots(nodeClass.nodes().get(i)));
        }
    }

    /**
     * For each node whose free slots could exceed its host: demand of the shares <= free host resources. Demand is
     * rounded down and supply up, by less than the tolerance of the plan validator, so that no placement is missed.
     */
    private void hostsSuffice(ToDoubleFunction<HostDemand> demand, boolean cpus) {
        double max = parts.stream()
                .mapToDouble(part -> demand.applyAsDouble(demandOf(part.candidate())))
                .max()
                .orElse(0);
        boolean hasShares = max > 0 && parts.stream().anyMatch(part -> isShare(part.candidate()));
        for (int i = 0; i < nodeClass.nodes().size(); i++) {
            int v = nodeClass.nodes().get(i);
            long left = cpus ? freeCluster.cpuUnits(v) : freeCluster.memoryUnits(v);
            if (hasShares || HostUnits.demand(max * freeCluster.slots(v)) > left) {
                LinearExprBuilder used = LinearExpr.newBuilder();
                for (Part part : parts) {
                    double taken = demand.applyAsDouble(demandOf(part.candidate())) * part.size();
                    used.addTerm(part.on().get(i), HostUnits.demand(taken));
                }
                program.addLessOrEqual(used, left);
            }
        }
    }

    /**
     * For the pool: CPUs that aggregators lose on the nodes <= their free CPUs. Returns whether slots could take more.
     */
    private boolean aggregatorsKeepEnough() {
        LinearExprBuilder lost = LinearExpr.newBuilder();
        long mostLost = 0;
        for (int i = 0; i < nodeClass.nodes().size(); i++) {
            int v = nodeClass.nodes().get(i);
            long shared = freeCluster.aggregatorCpuUnitsOn(v);
            LinearExprBuilder excess = LinearExpr.newBuilder();
            long most = 0;
            for (Part part : parts) {
                long taken = HostUnits.demand(demandOf(part.candidate()).cpusPerSlot() * part.size());
                excess.addTerm(part.on().get(i), taken);
                most += taken;
            }
            if (shared > 0 && most > freeCluster.cpuUnits(v) - shared) {
                IntVar own = program.newIntVar(0, shared, "a[" + v + "]");
                excess.addTerm(own, -1);
                program.addLessOrEqual(excess, freeCluster.cpuUnits(v) - shared);
                lost.addTerm(own, 1);
                mostLost += shared;
            }
        }
        int pool = AggregatorCpus.indexOf(candidates.problem().pools(), nodeClass.pool());
        long free = Math.max(0, freeCluster.aggregatorCpus().free(pool));
        program.addLessOrEqual(lost, free);
        return mostLost > free;
    }

    private HostDemand demandOf(int candidate) {
        return candidates.host(candidates.get(candidate));
    }
}
