package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.HostUnits;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.program.SingleNodeCapacity.KeptShare;
import dev.spur.solver.program.SingleNodeCapacity.Sharing;
import dev.spur.solver.resource.MaximalPatterns;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.ObjIntConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Node capacity: for each class of nodes and kind of piece, the sum of {@code pieces(c) * x[c]} over candidates that
 * are not kept is at most the number of pieces cut. Nodes are cut within their residual slots and hosts.
 *
 * <p>Nodes with equal free slots are cut by common patterns, unless an allocation could be kept there or a host may be
 * short. All other nodes are cut one by one. A solution contains the node of every piece.
 */
final class NodeCapacityConstraints {
    /** Pieces of a kind on nodes of a class. */
    private record Place(int nodeClass, NodeShareKind kind) {}

    private final CpModel model;
    private final CandidateSet candidates;
    private final ResidualCluster residual;
    private final CandidateVariables variables;
    private final AggregationConstraints aggregation;
    /** Open candidates that are not kept, by class. */
    private final Map<Integer, List<Integer>> fresh = new HashMap<>();
    /** Allocations that could be kept, by node. */
    private final Map<Integer, List<KeptShare>> shares = new HashMap<>();
    /** Classes with kinds of pieces by host demand: each host has rows of its own. */
    private final Set<Integer> bindingHosts = new TreeSet<>();

    private final boolean devicesHaveRows;
    /** Devices that are cut into shares, by class. */
    private final Map<Integer, SharedDeviceCuts> sharedDevices = new TreeMap<>();
    /** Nodes to cut, by class. */
    private final Map<Integer, List<NodeCapacity>> capacities = new TreeMap<>();

    /**
     * Adds the constraints.
     *
     * @param nodes the nodes to cut
     * @param mostHostVariables number of variables of a class beyond which its hosts are limited only in total, which
     *     is a relaxation
     */
    NodeCapacityConstraints(
            CpModel model,
            VariableFixing fixing,
            CandidateVariables variables,
            AggregationConstraints aggregation,
            Collection<Integer> nodes,
            int mostHostVariables) {
        this.model = model;
        this.candidates = fixing.candidates();
        this.residual = fixing.residual().cluster();
        this.variables = variables;
        this.aggregation = aggregation;
        this.devicesHaveRows = nodes.size() <= Sharing.MOST_NODES;
        variables.all().forEach(this::sort);
        Map<Integer, List<Integer>> byClass = new TreeMap<>();
        for (int v : nodes) {
            int nodeClass = candidates.clusterIndex().classOf(v);
            if (shares.containsKey(v) || (devices(v) > 0 && fresh.containsKey(nodeClass))) {
                byClass.computeIfAbsent(nodeClass, k -> new ArrayList<>()).add(v);
            }
        }
        byClass.forEach((nodeClass, own) -> addClass(nodeClass, own, mostHostVariables));
        piecesAreCut();
        gangsHaveNodesOfTheirOwn();
    }

    private void sort(int c, BoolVar chosen) {
        Allocation heldAllocation = candidates.job(candidates.get(c).job()).allocation();
        if (!candidates.get(c).isRetained()) {
            fresh.computeIfAbsent(candidates.get(c).nodeClass(), k -> new ArrayList<>())
                    .add(c);
        } else if (heldAllocation != null) {
            for (NodeShare share : heldAllocation.placement()) {
                shares.computeIfAbsent(candidates.clusterIndex().indexOf(share.node()), v -> new ArrayList<>())
                        .add(new KeptShare(
                                chosen,
                                share.slots(),
                                demand(c),
                                candidates.get(c).parts(),
                                PartialPlacement.deviceOf(share, candidates.clusterIndex())));
            }
        }
    }

    private void addClass(int nodeClass, List<Integer> nodes, int mostHostVariables) {
        List<HostDemand> demands = demands(nodeClass, nodes);
        boolean mayBeShort = nodes.stream().anyMatch(v -> isHostShort(v, demands) || isContested(v, demands));
        if (mayBeShort) {
            bindingHosts.add(nodeClass);
            if ((long) nodes.size() * kinds(nodeClass).size() > mostHostVariables) {
                bindingHosts.remove(nodeClass);
                cpusAreNotOversubscribedInTotal(nodeClass, nodes, demands);
                hostsAreNotOversubscribedInTotal(
                        nodeClass, nodes, HostDemand::memoryGiBPerSlot, residual::memory, LinearExpr.newBuilder());
            }
        }
        cutSharedDevices(nodeClass, nodes);
        List<NodeShareKind> kinds = kinds(nodeClass);
        List<NodeCapacity> own = new ArrayList<>();
        Map<ResidualNode, List<Integer>> equal = new LinkedHashMap<>();
        for (int v : nodes) {
            if (bindingHosts.contains(nodeClass)
                    || shares.containsKey(v)
                    || !residual.rooms().of(v).isEmpty()) {
                own.add(single(v, kinds, bindingHosts.contains(nodeClass) && isContested(v, demands)));
            } else {
                equal.computeIfAbsent(
                                new ResidualNode(residual.slots(v), 0, 0, residual.atom(v)), node -> new ArrayList<>())
                        .add(v);
            }
        }
        equal.forEach((node, same) -> own.addAll(equal(node, same, kinds)));
        capacities.put(nodeClass, own);
    }

    /** Adds the devices of a class that are cut into shares, if hosts do not bind and all shares have one access. */
    private void cutSharedDevices(int nodeClass, List<Integer> nodes) {
        List<NodeShareKind> kinds =
                kinds(nodeClass).stream().filter(kind -> !kind.isWhole()).toList();
        long accesses = kinds.stream().map(NodeShareKind::access).distinct().count();
        if (accesses == 1 && !bindingHosts.contains(nodeClass)) {
            int devices =
                    nodes.stream().mapToInt(v -> Math.max(0, residual.slots(v))).sum();
            sharedDevices.put(nodeClass, new SharedDeviceCuts(model, "" + nodeClass, kinds, devices));
        }
    }

    private List<Integer> freshOn(int nodeClass) {
        return fresh.getOrDefault(nodeClass, List.of());
    }

    private List<KeptShare> keepersOn(int v) {
        return shares.getOrDefault(v, List.of());
    }

    private List<NodeShareKind> kinds(int nodeClass) {
        SharedDeviceCuts cuts = sharedDevices.get(nodeClass);
        return Stream.concat(
                        freshOn(nodeClass).stream().flatMap(c -> pieces(c).keySet().stream()),
                        cuts == null ? Stream.empty() : Stream.of(cuts.device()))
                .distinct()
                .sorted(NodeShareKind.LARGEST_FIRST)
                .toList();
    }

    /** Returns the host demands of a whole device. */
    private List<HostDemand> demands(int nodeClass, List<Integer> nodes) {
        return Stream.concat(
                        freshOn(nodeClass).stream()
                                .map(c -> ofDevice(demand(c), candidates.get(c).parts())),
                        nodes.stream()
                                .flatMap(v -> keepersOn(v).stream())
                                .map(keeper -> ofDevice(keeper.demand(), keeper.parts())))
                .distinct()
                .toList();
    }

    private static HostDemand ofDevice(HostDemand demand, int parts) {
        double shares = Elasticity.PARTS / (double) parts;
        return parts == Elasticity.PARTS
                ? demand
                : new HostDemand(shares * demand.cpusPerSlot(), shares * demand.memoryGiBPerSlot());
    }

    /** Returns whether node {@code v} may exhaust CPU or memory before its slots. */
    private boolean isHostShort(int v, List<HostDemand> demands) {
        return demands.stream().anyMatch(demand -> !residual.hostHolds(v, devices(v), demand));
    }

    /** Returns the number of devices of node {@code v} that are free or have room. */
    private int devices(int v) {
        return residual.slots(v) + residual.rooms().of(v).size();
    }

    /** Returns whether slots of open jobs on node {@code v} may take CPUs that aggregators could use. */
    private boolean isContested(int v, List<HostDemand> demands) {
        if (!aggregation.needsCpusOf(v, pool(v))) {
            return false;
        }
        double least = residual.cpus(v) - HostUnits.amount(residual.aggregatorCpuUnitsOn(v));
        return demands.stream().anyMatch(demand -> devices(v) * demand.cpusPerSlot() > least);
    }

    private String pool(int v) {
        return candidates.clusterIndex().nodes().get(v).pool();
    }

    private SingleNodeCapacity single(int v, List<NodeShareKind> kinds, boolean isContested) {
        List<NodeShareKind> held = kinds.stream()
                .filter(kind -> kind.access().contains(v)
                        && residual.hostHolds(v, kind.size(), kind.demand())
                        && ResidualNode.of(residual, v).max(kind) > 0)
                .toList();
        IntVar aggregators = isContested ? aggregation.variable(pool(v), List.of(v)) : null;
        Sharing sharing =
                new Sharing(!sharedDevices.containsKey(candidates.clusterIndex().classOf(v)), devicesHaveRows);
        return new SingleNodeCapacity(model, residual, v, held, keepersOn(v), sharing, aggregators);
    }

    /** Returns the capacity of nodes that equal {@code node}: with common variables, unless these are too many. */
    private List<? extends NodeCapacity> equal(ResidualNode node, List<Integer> nodes, List<NodeShareKind> kinds) {
        List<NodeShareKind> held = kinds.stream()
                .filter(kind -> kind.isWhole() && kind.size() <= node.slots() && node.provides(kind))
                .toList();
        List<int[]> patterns = MaximalPatterns.of(node, held, nodes.size() * held.size());
        return patterns.isEmpty()
                ? nodes.stream().map(v -> single(v, held, false)).toList()
                : List.of(new EqualNodeCapacity(model, nodes, held, patterns));
    }

    /** The same, with the aggregators on nodes where slots may take their CPUs. */
    private void cpusAreNotOversubscribedInTotal(int nodeClass, List<Integer> nodes, List<HostDemand> demands) {
        LinearExprBuilder used = LinearExpr.newBuilder();
        List<Integer> contested =
                nodes.stream().filter(v -> isContested(v, demands)).toList();
        if (!contested.isEmpty()) {
            used.addTerm(aggregation.variable(pool(contested.get(0)), contested), HostUnits.cpus(1));
        }
        hostsAreNotOversubscribedInTotal(nodeClass, nodes, HostDemand::cpusPerSlot, residual::cpus, used);
    }

    /**
     * For each class where too many hosts may be short: host demand of chosen candidates <= capacity left, summed over
     * the nodes.
     */
    private void hostsAreNotOversubscribedInTotal(
            int nodeClass,
            List<Integer> nodes,
            ToDoubleFunction<HostDemand> demand,
            IntToDoubleFunction left,
            LinearExprBuilder used) {
        for (int c : freshOn(nodeClass)) {
            used.addTerm(
                    variables.get(c), HostUnits.demand(candidates.get(c).slots() * demand.applyAsDouble(demand(c))));
        }
        long supply = 0;
        for (int v : nodes) {
            supply += HostUnits.supply(left.applyAsDouble(v));
            for (KeptShare keeper : keepersOn(v)) {
                used.addTerm(
                        keeper.variable(), HostUnits.demand(keeper.slots() * demand.applyAsDouble(keeper.demand())));
            }
        }
        RoundConstraint.HOSTS.nameRow(model.addLessOrEqual(used, supply));
    }

    /** For each class and kind: pieces of chosen candidates that are not kept <= pieces cut. */
    private void piecesAreCut() {
        Map<Place, LinearExprBuilder> needed = new LinkedHashMap<>();
        forEachPieces((c, place, count) ->
                needed.computeIfAbsent(place, p -> LinearExpr.newBuilder()).addTerm(variables.get(c), count));
        sharedDevices.forEach((nodeClass, cuts) -> needed.computeIfAbsent(
                        new Place(nodeClass, cuts.device()), p -> LinearExpr.newBuilder())
                .add(cuts.devices()));
        needed.forEach((place, pieces) ->
                RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(pieces, over(place, NodeCapacity::pieces))));
    }

    /**
     * For each candidate with several pieces of a kind: pieces <= nodes that provide one, if it is chosen. Of the
     * largest pieces, a node provides at most one anyway.
     */
    private void gangsHaveNodesOfTheirOwn() {
        Map<Place, LinearExpr> providers = new HashMap<>();
        forEachPieces((c, place, count) -> {
            if (count > 1 && 2 * place.kind().size() <= maxNodeSlots(place)) {
                RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(
                        LinearExpr.term(variables.get(c), count),
                        providers.computeIfAbsent(place, p -> over(p, NodeCapacity::nodesWith))));
            }
        });
    }

    private int maxNodeSlots(Place place) {
        return candidates.clusterIndex().classes().get(place.nodeClass()).maxNodeSlots();
    }

    private interface PiecesConsumer {
        void accept(int candidate, Place place, int count);
    }

    private void forEachPieces(PiecesConsumer consumer) {
        fresh.forEach((nodeClass, own) -> own.forEach(c ->
                pieces(c).forEach((kind, count) -> consumer.accept(c, new Place(nodeClass, kind), count))));
    }

    private LinearExpr over(Place place, BiFunction<NodeCapacity, NodeShareKind, LinearExpr> term) {
        LinearExprBuilder sum = LinearExpr.newBuilder();
        for (NodeCapacity source : capacities.getOrDefault(place.nodeClass(), List.of())) {
            if (source.kinds().contains(place.kind())) {
                sum.add(term.apply(source, place.kind()));
            }
        }
        SharedDeviceCuts cuts = sharedDevices.get(place.nodeClass());
        if (cuts != null && !place.kind().isWhole()) {
            sum.add(cuts.shares(place.kind()));
        }
        return sum.build();
    }

    private Map<NodeShareKind, Integer> pieces(int c) {
        Map<NodeShareKind, Integer> pieces = new LinkedHashMap<>();
        for (int size : candidates.get(c).configuration().shape()) {
            pieces.merge(kind(c, size), 1, Integer::sum);
        }
        return pieces;
    }

    private NodeShareKind kind(int c, int size) {
        boolean hostsBind = bindingHosts.contains(candidates.get(c).nodeClass());
        return new NodeShareKind(
                size,
                candidates.get(c).parts(),
                hostsBind ? demand(c) : HostDemand.NONE,
                candidates.get(c).access());
    }

    private HostDemand demand(int c) {
        return candidates.host(candidates.get(c));
    }

    /** Passes nodes to the solver as a hint: one for each piece of the chosen candidates that are not kept. */
    void hint(Map<Integer, List<Integer>> now) {
        Map<Integer, Map<NodeShareKind, Integer>> byNode = new HashMap<>();
        now.forEach((c, on) -> {
            Candidate candidate = candidates.get(c);
            for (int i = 0; i < on.size(); i++) {
                byNode.computeIfAbsent(on.get(i), v -> new HashMap<>())
                        .merge(kind(c, candidate.configuration().shape().get(i)), 1, Integer::sum);
            }
        });
        ObjIntConsumer<IntVar> hint = model::addHint;
        sharedDevices.forEach((nodeClass, cuts) -> cuts.hint(byNode, hint));
        capacities.values().forEach(own -> own.forEach(source -> source.hint(byNode, hint)));
    }

    /**
     * Returns the nodes by chosen candidate, one per piece of its shape; empty for a kept one. Returns null if pieces
     * of one gang would share a node, or if the devices do not hold the shares.
     */
    @Nullable
    Map<Integer, List<Integer>> placements(CpSolver solution) {
        return pieces(solution).of(choice(solution), solution::value);
    }

    /** Returns the nodes and devices by job on the classes whose devices are cut into shares; empty if they fail. */
    PartialPlacement sharedPlaces(CpSolver solution) {
        return sharedDevices.isEmpty()
                ? PartialPlacement.withoutPlaces(new int[0])
                : pieces(solution).ofSharedClasses(choice(solution), solution::value);
    }

    private List<Integer> choice(CpSolver solution) {
        return variables.all().keySet().stream()
                .filter(c -> solution.booleanValue(variables.get(c)))
                .toList();
    }

    private PieceAssignment pieces(CpSolver solution) {
        PieceAssignment assignment = new PieceAssignment(candidates, this::kind, sharedDevices);
        capacities.forEach((nodeClass, own) -> own.forEach(
                source -> source.cut(solution::value).forEach((v, pieces) -> assignment.offer(nodeClass, v, pieces))));
        return assignment;
    }
}
