package dev.spur.solver.placement;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;

/**
 * Placement of a choice on devices. Kept jobs keep their devices. Gangs are placed larger shares first, on the fullest
 * nodes that hold them, if possible in the racks of their other shares. Where share sizes divide each other, this finds
 * a placement whenever one exists; elsewhere an integer program continues.
 */
public final class Placer {
    private final CandidateSet candidates;
    private final ClusterIndex hardware;
    private final int[] choice;
    private final ResidualCluster room;
    private final List<List<String>> devices = new ArrayList<>();
    private final Map<Integer, Allocation> allocations = new TreeMap<>();
    private final List<List<Integer>> conflicts = new ArrayList<>();
    private final List<Integer> unplaced = new ArrayList<>();
    private final DoubleSupplier secondsLeft;
    private final RescalePreference rescaling;

    private Placer(CandidateSet candidates, int[] choice, DoubleSupplier secondsLeft) {
        this.secondsLeft = secondsLeft;
        this.candidates = candidates;
        this.hardware = candidates.hardware();
        this.choice = choice;
        this.room = new ResidualCluster(hardware);
        this.rescaling = new RescalePreference(candidates, choice);
        hardware.nodes().forEach(node -> devices.add(new ArrayList<>(node.devices())));
    }

    /** Places {@code choice}: the candidate of each job, -1 for waiting. */
    public static PlacementResult place(CandidateSet candidates, int[] choice) {
        return place(candidates, PartialPlacement.withoutPlaces(choice));
    }

    /** Places {@code choice} with known placements of some or all jobs. */
    public static PlacementResult place(CandidateSet candidates, PartialPlacement choice) {
        return place(candidates, choice, () -> Double.POSITIVE_INFINITY);
    }

    /**
     * Places {@code choice} within a time limit.
     *
     * @param secondsLeft seconds left for integer programs; without any, jobs that the greedy placer cannot place stay
     *     unplaced
     */
    public static PlacementResult place(CandidateSet candidates, PartialPlacement choice, DoubleSupplier secondsLeft) {
        Placer placer = new Placer(candidates, choice.choice(), secondsLeft);
        placer.keep();
        new TreeMap<>(choice.nodes()).forEach(placer::putWhereKnown);
        for (NodeClass nodeClass : candidates.hardware().classes()) {
            placer.placeOn(nodeClass);
        }
        Map<Integer, List<AggregationShare>> shares = AggregationPlacer.place(candidates, placer.allocations);
        Map<Integer, Allocation> complete = new HashMap<>();
        placer.allocations.forEach((j, given) -> complete.put(
                j,
                new Allocation(
                        given.configuration(), given.placement(), shares.getOrDefault(j, List.of()), given.since())));
        return new PlacementResult(complete, placer.conflicts, placer.unplaced);
    }

    private void keep() {
        for (int j = 0; j < choice.length; j++) {
            Allocation held = candidates.job(j).allocation();
            if (choice[j] >= 0 && candidates.get(choice[j]).kept() && held != null) {
                for (NodeShare piece : held.placement()) {
                    devices.get(hardware.indexOf(piece.node())).removeAll(piece.devices());
                }
                ResourceDemand demand = ResourceDemand.of(candidates, j, held);
                room.take(demand, demand.nodes());
                allocations.put(
                        j, held.withConfiguration(candidates.get(choice[j]).configuration()));
            }
        }
    }

    private void putWhereKnown(int j, List<Integer> nodes) {
        Candidate candidate = candidates.get(choice[j]);
        room.take(
                ResourceDemand.of(candidates, candidate),
                nodes.stream().mapToInt(Integer::intValue).toArray());
        Map<Integer, Integer> pieces = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            pieces.put(nodes.get(i), candidate.configuration().shape().get(i));
        }
        settle(choice[j], pieces);
    }

    private void placeOn(NodeClass nodeClass) {
        List<Integer> gangs = new ArrayList<>();
        for (int c : choice) {
            if (c >= 0
                    && !candidates.get(c).kept()
                    && candidates.get(c).nodeClass() == nodeClass.index()
                    && !allocations.containsKey(candidates.get(c).job())) {
                gangs.add(c);
            }
        }
        if (gangs.isEmpty()) {
            return;
        }
        GreedyPlacer greedy = new GreedyPlacer(candidates, nodeClass, room);
        Map<Integer, Integer> stays = rescaling.nodesOf(gangs);
        Map<Integer, Map<Integer, Integer>> nodes = greedy.place(gangs, stays);
        if (nodes.size() < gangs.size() && !stays.isEmpty()) {
            greedy.release();
            nodes = greedy.place(gangs, Map.of());
        }
        if (nodes.size() < gangs.size()) {
            greedy.release();
            nodes = placeExactly(nodeClass, gangs, nodes);
        }
        nodes.forEach(this::settle);
    }

    private Map<Integer, Map<Integer, Integer>> placeExactly(
            NodeClass nodeClass, List<Integer> gangs, Map<Integer, Map<Integer, Integer>> greedy) {
        ExactPlacer exact = new ExactPlacer(candidates, nodeClass, room);
        ExactPlacer.Answer answer = exact.solve(gangs, secondsLeft.getAsDouble());
        if (answer == ExactPlacer.Answer.FOUND) {
            Map<Integer, Map<Integer, Integer>> nodes = new LinkedHashMap<>();
            gangs.forEach(gang -> nodes.put(gang, exact.nodesOf(gang)));
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
        allocations.forEach((j, held) -> {
            boolean here = candidates.get(choice[j]).kept()
                    && held.placement().stream()
                            .anyMatch(piece -> hardware.classOf(hardware.indexOf(piece.node())) == nodeClass.index());
            if (here) {
                together.add(choice[j]);
            }
        });
        return together;
    }

    private void settle(int gang, Map<Integer, Integer> nodes) {
        Candidate candidate = candidates.get(gang);
        Job job = candidates.job(candidate.job());
        List<NodeShare> pieces = new ArrayList<>();
        nodes.forEach((v, slots) -> {
            List<String> free = devices.get(v);
            List<String> taken = rescaling.preferred(candidate.job(), v, free).subList(0, slots);
            free.removeAll(taken);
            pieces.add(new NodeShare(hardware.nodes().get(v).id(), taken));
        });
        pieces.sort(Comparator.comparingInt(NodeShare::slots).reversed());
        double now = candidates.problem().now();
        Allocation given = new Allocation(candidate.configuration(), pieces, List.of(), now);
        Allocation held = job.allocation();
        allocations.put(candidate.job(), held == null ? given : adopted(job, held, given));
    }

    private static Allocation adopted(Job job, Allocation held, Allocation given) {
        return switch (job.changeTo(given)) {
            case UNCHANGED, RECONFIGURE -> held.withConfiguration(given.configuration());
            case RESCALE -> given.inRankOrderOf(held);
            case MIGRATE, RESTART -> given;
        };
    }
}
