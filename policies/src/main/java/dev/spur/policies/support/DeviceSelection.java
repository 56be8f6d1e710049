package dev.spur.policies.support;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
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
     * @param placedCandidates candidate by job, null for a waiting job
     * @param nodesOf by job, one node for each element of the shape; only for jobs that do not keep their allocation
     */
    static Map<String, Allocation> of(
            RoundView view, @Nullable Candidate[] placedCandidates, Map<Integer, List<Integer>> nodesOf) {
        Map<String, Allocation> allocations = new HashMap<>();
        Map<String, List<String>> free = new HashMap<>();
        nodesOf.values()
                .forEach(nodes -> nodes.forEach(v -> {
                    Node node = view.clusterIndex().nodes().get(v);
                    free.computeIfAbsent(node.id(), id -> new ArrayList<>(node.devices()));
                }));
        for (int j = 0; j < placedCandidates.length; j++) {
            Candidate ownCandidate = placedCandidates[j];
            Allocation heldAllocation = view.job(j).allocation();
            if (ownCandidate != null && ownCandidate.isRetained() && heldAllocation != null) {
                allocations.put(view.job(j).id(), heldAllocation);
                take(heldAllocation, free);
            }
        }
        for (int j = 0; j < placedCandidates.length && !nodesOf.isEmpty(); j++) {
            Candidate ownCandidate = placedCandidates[j];
            if (ownCandidate != null && !ownCandidate.isRetained()) {
                allocations.put(
                        view.job(j).id(), fresh(view, j, ownCandidate, nodesOf.getOrDefault(j, List.of()), free));
            }
        }
        return allocations;
    }

    private static void take(Allocation heldAllocation, Map<String, List<String>> free) {
        if (free.isEmpty()) {
            return;
        }
        for (NodeShare share : heldAllocation.placement()) {
            List<String> devices = free.get(share.node());
            if (devices != null) {
                devices.removeAll(share.devices());
            }
        }
    }

    private static Allocation fresh(
            RoundView view, int j, Candidate ownCandidate, List<Integer> nodes, Map<String, List<String>> free) {
        List<NodeShare> pieces = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            String node = view.clusterIndex().nodes().get(nodes.get(i)).id();
            List<String> devices = free.getOrDefault(node, new ArrayList<>());
            List<String> taken =
                    devices.subList(0, ownCandidate.configuration().shape().get(i));
            pieces.add(new NodeShare(node, taken));
            taken.clear();
        }
        Configuration configuration =
                view.clusterIndex().withCrossings(view.job(j), ownCandidate.configuration(), pieces);
        Allocation allocation = new Allocation(configuration, pieces, List.of(), view.now());
        Allocation heldAllocation = view.job(j).allocation();
        return heldAllocation != null && allocation.sameRunAs(heldAllocation)
                ? heldAllocation.withHost(ownCandidate.configuration().host())
                : allocation;
    }

    /**
     * Returns the allocations where some jobs have aggregation slots or shares of devices, which the solver's placer
     * distributes.
     */
    static Map<String, Allocation> byPlacer(
            RoundView view, @Nullable Candidate[] placedCandidates, Map<Integer, List<Integer>> nodesOf) {
        List<JobCandidates> own = new ArrayList<>(placedCandidates.length);
        int[] choice = new int[placedCandidates.length];
        Arrays.fill(choice, -1);
        int count = 0;
        for (int j = 0; j < placedCandidates.length; j++) {
            Candidate given = placedCandidates[j];
            boolean pinned = view.isPinned(j);
            if (given != null) {
                choice[j] = count++;
            }
            List<Candidate> freshCandidates = given == null || given.isRetained() ? List.of() : List.of(given);
            own.add(new JobCandidates(
                    j,
                    freshCandidates,
                    given != null && given.isRetained() ? given : null,
                    pinned,
                    NoCandidateReason.NONE));
        }
        CandidateSet chosen = new CandidateSet(view.problem(), view.clusterIndex(), new Utility(view.problem()), own);
        Map<String, Allocation> byId = new HashMap<>();
        Placer.place(chosen, new PartialPlacement(choice, nodesOf))
                .allocations()
                .forEach((j, allocation) -> byId.put(view.job(j).id(), allocation));
        return byId;
    }
}
