package dev.spur.policies.support;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.utility.Utility;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.JobCandidates;
import dev.spur.solver.candidate.NoCandidateReason;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.Placer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Selection of devices for placed jobs. */
final class DeviceSelection {
    private DeviceSelection() {}

    /**
     * Returns the allocations of placed jobs without aggregation. Only nodes that receive a new placement are examined.
     *
     * @param placed candidate by job, null for a waiting job
     * @param nodesOf by job, one node for each element of the shape; only for jobs that do not keep their allocation
     */
    static Map<String, Allocation> of(
            RoundView view, @Nullable Candidate[] placed, Map<Integer, List<Integer>> nodesOf) {
        Map<String, Allocation> allocations = new HashMap<>();
        Map<String, List<String>> free = new HashMap<>();
        nodesOf.values()
                .forEach(nodes -> nodes.forEach(v -> {
                    Node node = view.hardware().nodes().get(v);
                    free.computeIfAbsent(node.id(), id -> new ArrayList<>(node.devices()));
                }));
        for (int j = 0; j < placed.length; j++) {
            Candidate own = placed[j];
            Allocation held = view.job(j).allocation();
            if (own != null && own.isRetained() && held != null) {
                allocations.put(view.job(j).id(), held);
                take(held, free);
            }
        }
        for (int j = 0; j < placed.length && !nodesOf.isEmpty(); j++) {
            Candidate own = placed[j];
            if (own != null && !own.isRetained()) {
                allocations.put(view.job(j).id(), fresh(view, j, own, nodesOf.getOrDefault(j, List.of()), free));
            }
        }
        return allocations;
    }

    private static void take(Allocation held, Map<String, List<String>> free) {
        if (free.isEmpty()) {
            return;
        }
        for (NodeShare piece : held.placement()) {
            List<String> devices = free.get(piece.node());
            if (devices != null) {
                devices.removeAll(piece.devices());
            }
        }
    }

    private static Allocation fresh(
            RoundView view, int j, Candidate own, List<Integer> nodes, Map<String, List<String>> free) {
        List<NodeShare> pieces = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            String node = view.hardware().nodes().get(nodes.get(i)).id();
            List<String> devices = free.getOrDefault(node, new ArrayList<>());
            List<String> taken = devices.subList(0, own.configuration().shape().get(i));
            pieces.add(new NodeShare(node, taken));
            taken.clear();
        }
        Allocation given = new Allocation(own.configuration(), pieces, List.of(), view.now());
        Allocation held = view.job(j).allocation();
        return held != null && given.sameRunAs(held)
                ? held.withHost(own.configuration().host())
                : given;
    }

    /**
     * Returns the allocations where some jobs have aggregation slots, which the solver's placer distributes over nodes.
     */
    static Map<String, Allocation> withAggregation(
            RoundView view, @Nullable Candidate[] placed, Map<Integer, List<Integer>> nodesOf) {
        List<JobCandidates> own = new ArrayList<>(placed.length);
        int[] choice = new int[placed.length];
        Arrays.fill(choice, -1);
        int count = 0;
        for (int j = 0; j < placed.length; j++) {
            Candidate given = placed[j];
            boolean pinned = view.isPinned(j);
            if (given != null) {
                choice[j] = count++;
            }
            List<Candidate> fresh = given == null || given.isRetained() ? List.of() : List.of(given);
            own.add(new JobCandidates(
                    j, fresh, given != null && given.isRetained() ? given : null, pinned, NoCandidateReason.NONE));
        }
        CandidateSet chosen = new CandidateSet(view.problem(), view.hardware(), new Utility(view.problem()), own);
        Map<String, Allocation> byId = new HashMap<>();
        Placer.place(chosen, new PartialPlacement(choice, nodesOf))
                .allocations()
                .forEach((j, given) -> byId.put(view.job(j).id(), given));
        return byId;
    }
}
