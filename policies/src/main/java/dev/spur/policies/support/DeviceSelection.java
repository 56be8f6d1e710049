package dev.spur.policies.support;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
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

/** Chooses the devices behind what was seated. */
final class DeviceSelection {
    private DeviceSelection() {}

    /**
     * The allocations of seated jobs, none of which has aggregation. Only the nodes to which somebody comes are looked
     * at.
     *
     * @param seated by job, null for who has no place
     * @param nodesOf nodes of those who do not keep what they hold, a node per piece of the shape, by job
     */
    static Map<String, Allocation> of(
            RoundView snapshot, @Nullable Candidate[] seated, Map<Integer, List<Integer>> nodesOf) {
        Map<String, Allocation> allocations = new HashMap<>();
        Map<String, List<String>> free = new HashMap<>();
        nodesOf.values()
                .forEach(nodes -> nodes.forEach(v -> {
                    Node node = snapshot.hardware().nodes().get(v);
                    free.computeIfAbsent(node.id(), id -> new ArrayList<>(node.devices()));
                }));
        for (int j = 0; j < seated.length; j++) {
            Candidate own = seated[j];
            Allocation held = snapshot.job(j).allocation();
            if (own != null && own.kept() && held != null) {
                allocations.put(snapshot.job(j).id(), held);
                take(held, free);
            }
        }
        for (int j = 0; j < seated.length && !nodesOf.isEmpty(); j++) {
            Candidate own = seated[j];
            if (own != null && !own.kept()) {
                allocations.put(
                        snapshot.job(j).id(), fresh(snapshot, j, own, nodesOf.getOrDefault(j, List.of()), free));
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
            RoundView snapshot, int j, Candidate own, List<Integer> nodes, Map<String, List<String>> free) {
        List<NodeShare> pieces = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            String node = snapshot.hardware().nodes().get(nodes.get(i)).id();
            List<String> devices = free.getOrDefault(node, new ArrayList<>());
            List<String> taken = devices.subList(0, own.configuration().shape().get(i));
            pieces.add(new NodeShare(node, taken));
            taken.clear();
        }
        Allocation given = new Allocation(own.configuration(), pieces, List.of(), snapshot.now());
        Allocation held = snapshot.job(j).allocation();
        return held != null && given.sameRunAs(held)
                ? held.withHost(own.configuration().host())
                : given;
    }

    /** The same where some have aggregation, which the placer of the solver spreads over nodes. */
    static Map<String, Allocation> withAggregation(
            RoundView snapshot, @Nullable Candidate[] seated, Map<Integer, List<Integer>> nodesOf) {
        List<JobCandidates> own = new ArrayList<>(seated.length);
        int[] choice = new int[seated.length];
        Arrays.fill(choice, -1);
        int count = 0;
        for (int j = 0; j < seated.length; j++) {
            Candidate given = seated[j];
            boolean pinned = snapshot.isPinned(j);
            if (given != null) {
                choice[j] = count++;
            }
            List<Candidate> fresh = given == null || given.kept() ? List.of() : List.of(given);
            own.add(new JobCandidates(
                    j, fresh, given != null && given.kept() ? given : null, pinned, NoCandidateReason.NONE));
        }
        CandidateSet chosen = new CandidateSet(snapshot.problem(), snapshot.hardware(), own);
        Map<String, Allocation> byId = new HashMap<>();
        Placer.place(chosen, new PartialPlacement(choice, nodesOf))
                .allocations()
                .forEach((j, given) -> byId.put(snapshot.job(j).id(), given));
        return byId;
    }
}
