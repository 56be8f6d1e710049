package dev.spur.solver.placement;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Nodes and devices on which the chosen candidates have the utility of their change. A rescaled job takes the device of
 * rank 0, and prefers the others that it holds. A migrated job takes none of these. All others take what neither needs.
 */
final class DevicePreference {
    private final CandidateSet candidates;
    /** By node and device: the rescaled or migrated job that holds it. */
    private final Map<Integer, Map<String, Holder>> holders = new HashMap<>();

    /** By node: devices that no job keeps. */
    private final List<List<String>> open;

    private record Holder(int job, int rank, ChangeMechanism change) {}

    /**
     * @param choice the candidate of each job, -1 for waiting
     * @param open by node: devices that no job keeps
     */
    DevicePreference(CandidateSet candidates, int[] choice, List<List<String>> open) {
        this.candidates = candidates;
        this.open = open;
        for (int c : choice) {
            if (c >= 0) {
                add(candidates.get(c));
            }
        }
    }

    private void add(Candidate candidate) {
        Allocation heldAllocation = candidates.job(candidate.job()).allocation();
        ChangeMechanism change = candidate.change();
        if (heldAllocation == null || !candidate.mayLose()) {
            return;
        }
        int rank = 0;
        for (NodeShare share : heldAllocation.placement()) {
            Map<String, Holder> onNode =
                    holders.computeIfAbsent(candidates.clusterIndex().indexOf(share.node()), v -> new HashMap<>());
            for (String device : share.devices()) {
                onNode.put(device, new Holder(candidate.job(), rank++, change));
            }
        }
    }

    /** Returns the nodes that a rescaled gang holds, first that of rank 0; empty for other gangs. */
    List<Integer> nodesOf(int gang) {
        Candidate candidate = candidates.get(gang);
        Allocation heldAllocation = candidates.job(candidate.job()).allocation();
        if (heldAllocation == null || holders.isEmpty() || candidate.change() != ChangeMechanism.RESCALE) {
            return List.of();
        }
        return heldAllocation.placement().stream()
                .map(share -> candidates.clusterIndex().indexOf(share.node()))
                .toList();
    }

    /** Returns true if one of {@code gangs} is rescaled or migrated. */
    boolean concerns(List<Integer> gangs) {
        return !holders.isEmpty()
                && gangs.stream().anyMatch(gang -> candidates.get(gang).mayLose());
    }

    /**
     * Returns false if {@code gang} is migrated and finds fewer than {@code size} devices for that on node {@code v}.
     */
    boolean allows(int gang, int v, int size) {
        return holders.isEmpty()
                || candidates.get(gang).change() != ChangeMechanism.MIGRATE
                || size <= notHeld(gang, v) - rescaledOn(v).size();
    }

    /** Returns the number of devices of node {@code v} that no job keeps and {@code gang} does not hold. */
    long notHeld(int gang, int v) {
        return open.get(v).size() - heldOn(v, candidates.get(gang).job());
    }

    /** Returns the rescaled jobs with rank 0 on node {@code v}. */
    Set<Integer> rescaledOn(int v) {
        return holders.getOrDefault(v, Map.of()).values().stream()
                .filter(holder -> holder.change() == ChangeMechanism.RESCALE && holder.rank() == 0)
                .map(Holder::job)
                .collect(Collectors.toSet());
    }

    private long heldOn(int v, int job) {
        return holders.getOrDefault(v, Map.of()).values().stream()
                .filter(holder -> holder.job() == job)
                .count();
    }

    /**
     * Returns true if {@code gang} has the utility of its change on {@code nodes}, its nodes with the slots on each.
     */
    boolean isMet(int gang, Map<Integer, Integer> nodes) {
        List<Integer> held = nodesOf(gang);
        return (held.isEmpty() || nodes.containsKey(held.get(0)))
                && nodes.entrySet().stream().allMatch(share -> allows(gang, share.getKey(), share.getValue()));
    }

    /** Returns the absence of preferences. */
    static DevicePreference none(CandidateSet candidates) {
        return new DevicePreference(candidates, new int[0], List.of());
    }

    /** Returns the devices {@code free} of node {@code v} in the order in which job {@code j} should take them. */
    List<String> sort(int j, int v, List<String> free) {
        Map<String, Holder> onNode = holders.get(v);
        List<String> ordered = new ArrayList<>(free);
        if (onNode != null) {
            ordered.sort(Comparator.comparingInt(device -> order(j, onNode.get(device))));
        }
        return ordered;
    }

    /**
     * Returns the place of a device: first those that a migrated job leaves, then those that no job holds, and the rank
     * 0 of a rescaled job at last.
     */
    private static int order(int j, @Nullable Holder holder) {
        if (holder == null) {
            return Integer.MAX_VALUE - 3;
        }
        boolean leaves = holder.change() == ChangeMechanism.MIGRATE;
        if (holder.job() == j) {
            return leaves ? Integer.MAX_VALUE : holder.rank();
        }
        return Integer.MAX_VALUE - (leaves ? 4 : holder.rank() > 0 ? 2 : 1);
    }
}
