package dev.spur.solver.placement;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.utility.NodeTerms;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;

/**
 * Placement of a choice on devices. Kept jobs keep their devices. Gangs are placed larger shares first, on the fullest
 * nodes that hold them, if possible in the racks of their other shares. Where share sizes divide each other, this finds
 * a placement whenever one exists; elsewhere an integer program continues.
 */
public final class Placer {
    private static final List<ChangeMechanism> OTHER_CHANGES =
            List.of(ChangeMechanism.RESCALE, ChangeMechanism.MIGRATE, ChangeMechanism.RESTART);
    /** Maximum number of variables of a program that minimizes losses. */
    private static final int MAX_LOSS_VARIABLES = 2_000;

    private final CandidateSet candidates;
    private final ClusterIndex clusterIndex;
    private final int[] choice;
    private final ResidualCluster remainingCluster;
    private final List<List<String>> devices = new ArrayList<>();
    private final Map<Integer, Allocation> allocations = new TreeMap<>();
    private final List<List<Integer>> conflicts = new ArrayList<>();
    private final List<Integer> unplaced = new ArrayList<>();
    private final List<StallLoss> losses = new ArrayList<>();
    private final DoubleSupplier secondsLeft;
    private final DevicePreference preference;
    /** By gang, the number of the device that it shares. */
    private final Map<Integer, Integer> sharedDevice = new HashMap<>();
    /** By node, the device of each number below 0 of {@link SharedDevices}. */
    private final Map<Integer, Map<Integer, String>> sharedDevices = new HashMap<>();
    /** By gang, a fresh candidate: its nodes, with the slots on each. */
    private final Map<Integer, Map<Integer, Integer>> nodesOf = new LinkedHashMap<>();

    private Placer(CandidateSet candidates, int[] choice, DoubleSupplier secondsLeft) {
        this.secondsLeft = secondsLeft;
        this.candidates = candidates;
        this.clusterIndex = candidates.clusterIndex();
        this.choice = choice;
        this.remainingCluster = new ResidualCluster(clusterIndex, AggregatorCpus.of(candidates));
        clusterIndex.nodes().forEach(node -> devices.add(new ArrayList<>(node.devices())));
        reserveAggregators();
        keep();
        this.preference = new DevicePreference(candidates, choice, devices);
    }

    /** Places {@code choice}: the candidate of each job, -1 for waiting. */
    public static PlacementResult place(CandidateSet candidates, int[] choice) {
        return place(candidates, PartialPlacement.withoutPlaces(choice));
    }

    /** Places {@code placement} with known placements of some or all jobs. */
    public static PlacementResult place(CandidateSet candidates, PartialPlacement placement) {
        return place(candidates, placement, () -> Double.POSITIVE_INFINITY);
    }

    /**
     * Places {@code placement} within a time limit.
     *
     * @param secondsLeft seconds left for integer programs; without any, jobs that the greedy placer cannot place stay
     *     unplaced
     */
    public static PlacementResult place(
            CandidateSet candidates, PartialPlacement placement, DoubleSupplier secondsLeft) {
        Placer placer = new Placer(candidates, placement.choice(), secondsLeft);
        new TreeMap<>(placement.nodes())
                .forEach((j, nodes) ->
                        placer.putWhereKnown(j, nodes, placement.devices().getOrDefault(j, SharedDevices.ANY)));
        for (NodeClass nodeClass : candidates.clusterIndex().classes()) {
            placer.placeOn(nodeClass);
        }
        placer.moveToPreferredNodes();
        for (NodeClass nodeClass : candidates.clusterIndex().classes()) {
            placer.loseLeast(nodeClass);
        }
        placer.takeDevices();
        AggregationPlacer aggregators = new AggregationPlacer(candidates, placer.remainingCluster);
        Map<Integer, List<AggregationShare>> shares = aggregators.place(placer.allocations);
        placer.unplaced.addAll(aggregators.jobsWithoutPlace());
        Map<Integer, Allocation> complete = new HashMap<>();
        aggregators.jobsWithoutPlace().forEach(placer.allocations::remove);
        placer.allocations.forEach((j, allocation) -> complete.put(
                j,
                new Allocation(
                        allocation.configuration(),
                        allocation.placement(),
                        shares.getOrDefault(j, List.of()),
                        allocation.since())));
        return new PlacementResult(complete, placer.conflicts, placer.unplaced, placer.losses);
    }

    /** Reserves the CPUs of the aggregators, which are placed after the slots. */
    private void reserveAggregators() {
        for (int c : choice) {
            if (c >= 0) {
                ResourceDemand demand = ResourceDemand.of(candidates, candidates.get(c));
                remainingCluster.aggregatorCpus().add(demand.pool(), demand.aggregators(), 1);
            }
        }
    }

    private void keep() {
        for (int j = 0; j < choice.length; j++) {
            Allocation heldAllocation = candidates.job(j).allocation();
            if (choice[j] >= 0 && candidates.get(choice[j]).isRetained() && heldAllocation != null) {
                for (NodeShare share : heldAllocation.placement()) {
                    devices.get(clusterIndex.indexOf(share.node())).removeAll(share.devices());
                }
                Allocation retainedAllocation = heldAllocation.withConfiguration(
                        candidates.get(choice[j]).configuration());
                ResourceDemand demand = ResourceDemand.of(candidates, j, retainedAllocation);
                remainingCluster.take(demand, demand.nodes());
                allocations.put(j, retainedAllocation);
            }
        }
    }

    private void putWhereKnown(int j, List<Integer> nodes, int device) {
        Candidate candidate = candidates.get(choice[j]);
        ResourceDemand demand = ResourceDemand.of(candidates, candidate).onDevice(device);
        int[] on = nodes.stream().mapToInt(Integer::intValue).toArray();
        remainingCluster.take(demand, on);
        if (nodes.stream().anyMatch(remainingCluster::isExceeded)) {
            // Which shares fit on one device depends on their order where the devices are not known.
            remainingCluster.giveBack(demand, on);
            return;
        }
        Map<Integer, Integer> pieces = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            pieces.put(nodes.get(i), candidate.configuration().shape().get(i));
        }
        nodesOf.put(choice[j], pieces);
        noteDevice(choice[j], pieces);
    }

    private void placeOn(NodeClass nodeClass) {
        List<Integer> gangs = new ArrayList<>();
        for (int c : choice) {
            if (c >= 0
                    && !candidates.get(c).isRetained()
                    && candidates.get(c).nodeClass() == nodeClass.index()
                    && !nodesOf.containsKey(c)) {
                gangs.add(c);
            }
        }
        if (gangs.isEmpty()) {
            return;
        }
        GreedyPlacer greedy = new GreedyPlacer(candidates, nodeClass, remainingCluster);
        Map<Integer, Map<Integer, Integer>> nodes = greedy.place(gangs, preference);
        if (nodes.size() < gangs.size() && preference.concerns(gangs)) {
            greedy.release();
            nodes = greedy.place(gangs, DevicePreference.none(candidates));
        }
        if (nodes.size() < gangs.size()) {
            greedy.release();
            nodes = placeExactly(nodeClass, gangs, nodes);
            nodes.forEach((gang, on) -> move(gang, on, 1));
        }
        nodes.forEach(this::noteDevice);
        nodesOf.putAll(nodes);
    }

    private Map<Integer, Map<Integer, Integer>> placeExactly(
            NodeClass nodeClass, List<Integer> gangs, Map<Integer, Map<Integer, Integer>> greedy) {
        ExactPlacer exact = new ExactPlacer(candidates, nodeClass, remainingCluster);
        ExactPlacer.Answer answer = exact.solve(gangs, secondsLeft.getAsDouble());
        if (answer == ExactPlacer.Answer.FOUND) {
            Map<Integer, Map<Integer, Integer>> nodes = new LinkedHashMap<>();
            gangs.forEach(gang -> {
                nodes.put(gang, exact.nodesOf(gang));
                exact.deviceOf(gang).ifPresent(number -> sharedDevice.put(gang, number));
            });
            return nodes;
        }
        if (answer == ExactPlacer.Answer.NONE) {
            conflicts.add(everythingOn(nodeClass, gangs));
        }
        gangs.stream()
                .filter(gang -> !greedy.containsKey(gang))
                .forEach(gang -> unplaced.add(candidates.get(gang).job()));
        return greedy;
    }

    /** Returns the gangs and all kept jobs on the nodes of the class. */
    private List<Integer> everythingOn(NodeClass nodeClass, List<Integer> gangs) {
        List<Integer> together = new ArrayList<>(gangs);
        allocations.forEach((j, heldAllocation) -> {
            boolean isOnClass = candidates.get(choice[j]).isRetained()
                    && heldAllocation.placement().stream()
                            .anyMatch(share ->
                                    clusterIndex.classOf(clusterIndex.indexOf(share.node())) == nodeClass.index());
            if (isOnClass) {
                together.add(choice[j]);
            }
        });
        return together;
    }

    /** Moves gangs, one by one, to free nodes on which they have the utility of their change. */
    private void moveToPreferredNodes() {
        Map<Integer, GreedyPlacer> placers = new HashMap<>();
        nodesOf.replaceAll((gang, nodes) -> {
            if (preference.isMet(gang, nodes)) {
                return nodes;
            }
            Candidate candidate = candidates.get(gang);
            NodeClass nodeClass = clusterIndex.classes().get(candidate.nodeClass());
            GreedyPlacer greedy = placers.computeIfAbsent(
                    nodeClass.index(), k -> new GreedyPlacer(candidates, nodeClass, remainingCluster));
            move(gang, nodes, -1);
            Map<Integer, Integer> preferred =
                    greedy.place(List.of(gang), preference).getOrDefault(gang, Map.of());
            if (!preferred.isEmpty() && preference.isMet(gang, preferred)) {
                return preferred;
            }
            greedy.release();
            move(gang, nodes, 1);
            return nodes;
        });
    }

    /** Places the gangs of a class again with the least loss, if some of them miss the devices for their change. */
    private void loseLeast(NodeClass nodeClass) {
        List<Integer> gangs = nodesOf.keySet().stream()
                .filter(gang -> candidates.get(gang).nodeClass() == nodeClass.index())
                .toList();
        boolean isMet = gangs.stream().allMatch(gang -> preference.isMet(gang, nodes(gang)));
        if (isMet || (long) gangs.size() * nodeClass.nodes().size() > MAX_LOSS_VARIABLES) {
            return;
        }
        Map<Integer, Double> lost = new LinkedHashMap<>();
        for (int gang : gangs) {
            Candidate candidate = candidates.get(gang);
            double loss = candidate.mayLose() ? loss(candidate) : 0;
            if (loss > 0) {
                lost.put(gang, loss);
            }
        }
        gangs.forEach(gang -> move(gang, nodes(gang), -1));
        ExactPlacer exact = new ExactPlacer(candidates, nodeClass, remainingCluster);
        if (!lost.isEmpty()
                && exact.solve(gangs, lost, preference, secondsLeft.getAsDouble()) == ExactPlacer.Answer.FOUND) {
            gangs.forEach(gang -> {
                nodesOf.put(gang, exact.nodesOf(gang));
                exact.deviceOf(gang).ifPresent(number -> sharedDevice.put(gang, number));
            });
            lost.keySet().removeIf(exact::isMet);
            double utility = lost.values().stream().mapToDouble(loss -> loss).sum();
            if (utility > 0) {
                losses.add(new StallLoss(nodeClass.index(), everythingOn(nodeClass, gangs), utility));
            }
        }
        gangs.forEach(gang -> move(gang, nodes(gang), 1));
    }

    /** Returns the utility that {@code candidate} loses at least without the devices for its change. */
    private double loss(Candidate candidate) {
        Job job = candidates.job(candidate.job());
        NodeTerms terms = clusterIndex.terms(job, candidate.nodeClass(), candidate.access());
        double other = OTHER_CHANGES.stream()
                .filter(change -> change != candidate.change() && mayAdopt(job, candidate.configuration(), change))
                .mapToDouble(change ->
                        candidates.valuation().of(job, candidate.configuration(), candidate.goodput(), change, terms))
                .max()
                .orElse(Double.NEGATIVE_INFINITY);
        // without this limit, an excluded restart would have an infinite loss
        double most = Double.isInfinite(other) || candidate.utility() > 0
                ? 2 * Math.abs(candidate.utility())
                : Double.POSITIVE_INFINITY;
        return Math.min(candidate.utility() - other, most);
    }

    private static boolean mayAdopt(Job job, Configuration configuration, ChangeMechanism change) {
        Allocation heldAllocation = job.allocation();
        return switch (change) {
            case RESCALE ->
                heldAllocation != null
                        && job.spec().rescales()
                        && configuration.rescalesTo(heldAllocation.configuration());
            case MIGRATE -> job.spec().migratesTo(configuration);
            case UNCHANGED, RECONFIGURE, RESTART -> true;
        };
    }

    private Map<Integer, Integer> nodes(int gang) {
        return Objects.requireNonNull(nodesOf.get(gang));
    }

    private void move(int gang, Map<Integer, Integer> nodes, int sign) {
        ResourceDemand demand = ResourceDemand.of(candidates, candidates.get(gang))
                .onDevice(sharedDevice.getOrDefault(gang, SharedDevices.ANY));
        nodes.forEach((v, slots) -> remainingCluster.move(v, slots, demand, sign));
        if (sign > 0) {
            noteDevice(gang, nodes);
        }
    }

    /** Keeps the shared device of {@code gang}, so that the gang returns to it after a move. */
    private void noteDevice(int gang, Map<Integer, Integer> nodes) {
        Candidate candidate = candidates.get(gang);
        if (candidate.parts() < Elasticity.PARTS) {
            nodes.keySet()
                    .forEach(
                            v -> sharedDevice.put(gang, remainingCluster.rooms().deviceOf(v, candidate.job())));
        }
    }

    /** Gives each gang devices of its nodes, the migrated ones first, which cannot use all of them. */
    private void takeDevices() {
        int[] staying = Arrays.stream(choice)
                .map(c -> c >= 0 && losesRankZero(c) ? -1 : c)
                .toArray();
        DevicePreference device = new DevicePreference(candidates, staying, devices);
        nodesOf.keySet().stream()
                .sorted(Comparator.comparing((Integer gang) -> !hasOwnDevice(gang))
                        .thenComparing(gang -> candidates.get(gang).change() != ChangeMechanism.MIGRATE))
                .forEach(gang -> assignDevices(gang, nodes(gang), device));
    }

    private boolean hasOwnDevice(int gang) {
        return sharedDevice.getOrDefault(gang, SharedDevices.ANY) >= 0;
    }

    private boolean losesRankZero(int c) {
        return candidates.get(c).change() == ChangeMechanism.RESCALE
                && !preference.isMet(c, nodesOf.getOrDefault(c, Map.of()));
    }

    private void assignDevices(int gang, Map<Integer, Integer> nodes, DevicePreference device) {
        Candidate candidate = candidates.get(gang);
        Job job = candidates.job(candidate.job());
        List<NodeShare> pieces = new ArrayList<>();
        nodes.forEach((v, slots) -> {
            List<String> taken = candidate.parts() < Elasticity.PARTS
                    ? List.of(sharedDevice(v, candidate.job()))
                    : takeFree(v, slots, candidate.job(), device);
            pieces.add(new NodeShare(clusterIndex.nodes().get(v).id(), taken));
        });
        pieces.sort(Comparator.comparingInt(NodeShare::slots).reversed());
        double now = candidates.problem().now();
        Configuration configuration = clusterIndex.withCrossings(job, candidate.configuration(), pieces);
        Allocation allocation = new Allocation(configuration, pieces, List.of(), now);
        Allocation heldAllocation = job.allocation();
        allocations.put(candidate.job(), heldAllocation == null ? allocation : adopt(job, heldAllocation, allocation));
    }

    private List<String> takeFree(int v, int slots, int j, DevicePreference device) {
        List<String> free = devices.get(v);
        List<String> taken = List.copyOf(device.sort(j, v, free).subList(0, slots));
        free.removeAll(taken);
        return taken;
    }

    /** Returns the device of node {@code v} that job {@code j} shares: one that a job keeps, or any free one. */
    private String sharedDevice(int v, int j) {
        int number = remainingCluster.rooms().deviceOf(v, j);
        if (number >= 0) {
            String own = clusterIndex.nodes().get(v).devices().get(number);
            devices.get(v).remove(own);
            return own;
        }
        return sharedDevices
                .computeIfAbsent(v, node -> new HashMap<>())
                .computeIfAbsent(number, any -> devices.get(v).remove(0));
    }

    private static Allocation adopt(Job job, Allocation heldAllocation, Allocation allocation) {
        return switch (job.changeTo(allocation)) {
            case UNCHANGED, RECONFIGURE -> heldAllocation.withConfiguration(allocation.configuration());
            case RESCALE -> allocation.inRankOrderOf(heldAllocation);
            case MIGRATE, RESTART -> allocation;
        };
    }
}
