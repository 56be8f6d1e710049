package dev.spur.solver.placement;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nodes and devices on which jobs change the number of their slots without a restart: those that they hold. Other jobs
 * take these devices last.
 */
final class RescalePreference {
    private final CandidateSet candidates;
    /** Held devices of jobs that may change their ranks: the job and its rank, by node and device. */
    private final Map<Integer, Map<String, Owner>> owners = new HashMap<>();

    private final Map<Integer, Integer> nodeOfJob = new HashMap<>();

    private record Owner(int job, int rank) {}

    /** @param choice the candidate of each job, -1 for waiting */
    RescalePreference(CandidateSet candidates, int[] choice) {
        this.candidates = candidates;
        for (int j = 0; j < choice.length; j++) {
            if (choice[j] >= 0) {
                add(j, candidates.get(choice[j]));
            }
        }
    }

    private void add(int j, Candidate candidate) {
        Job job = candidates.job(j);
        Allocation held = job.allocation();
        if (held == null
                || candidate.kept()
                || !job.spec().rescales()
                || !candidate.configuration().rescalesTo(held.configuration())) {
            return;
        }
        NodeShare share = held.placement().get(0);
        int node = candidates.hardware().indexOf(share.node());
        if (candidates.hardware().classOf(node) != candidate.nodeClass()) {
            return;
        }
        nodeOfJob.put(j, node);
        Map<String, Owner> here = owners.computeIfAbsent(node, v -> new HashMap<>());
        for (int rank = 0; rank < share.devices().size(); rank++) {
            here.put(share.devices().get(rank), new Owner(j, rank));
        }
    }

    /** Returns the held nodes of those gangs that stay there if possible. */
    Map<Integer, Integer> nodesOf(List<Integer> gangs) {
        Map<Integer, Integer> nodes = new HashMap<>();
        for (int gang : gangs) {
            Integer node = nodeOfJob.get(candidates.get(gang).job());
            if (node != null) {
                nodes.put(gang, node);
            }
        }
        return nodes;
    }

    /** Returns the devices {@code free} of node {@code v} in the order in which job {@code j} should take them. */
    List<String> preferred(int j, int v, List<String> free) {
        Map<String, Owner> here = owners.get(v);
        List<String> ordered = new ArrayList<>(free);
        if (here != null) {
            ordered.sort(Comparator.comparingInt(device -> order(j, here.get(device))));
        }
        return ordered;
    }

    private static int order(int j, @Nullable Owner owner) {
        if (owner == null) {
            return Integer.MAX_VALUE - 1;
        }
        return owner.job() == j ? owner.rank() : Integer.MAX_VALUE;
    }
}
