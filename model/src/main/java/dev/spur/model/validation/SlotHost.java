package dev.spur.model.validation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobRole;
import dev.spur.model.job.JobSpec;
import java.util.Comparator;
import java.util.List;

/** Host resources that a plan grants to each slot of a job, found by placing the replicas of its roles one by one. */
final class SlotHost {
    private SlotHost() {}

    /** Returns those of its rank and the largest share of replicas. */
    static HostDemand of(JobSpec spec, Allocation allocation) {
        HostDemand ofRank = spec.hostOfRankIn(allocation.configuration());
        if (spec.roles().list().isEmpty()) {
            return ofRank;
        }
        List<Integer> slots = allocation.placement().stream()
                .map(NodeShare::slots)
                .sorted(Comparator.reverseOrder())
                .toList();
        int[] replicas = new int[slots.size()];
        double[] cpus = new double[slots.size()];
        double[] memory = new double[slots.size()];
        for (JobRole role : spec.roles().list()) {
            for (int i = 0; i < role.count(); i++) {
                int node = nextNode(slots, replicas);
                replicas[node]++;
                cpus[node] += role.cpus();
                memory[node] += role.memoryGiB();
            }
        }
        double mostCpus = 0;
        double mostMemory = 0;
        for (int i = 0; i < replicas.length; i++) {
            mostCpus = Math.max(mostCpus, cpus[i] / slots.get(i));
            mostMemory = Math.max(mostMemory, memory[i] / slots.get(i));
        }
        return new HostDemand(ofRank.cpusPerSlot() + mostCpus, ofRank.memoryGiBPerSlot() + mostMemory);
    }

    /**
     * Returns the first node, in descending order of slots, with the lowest number of replicas per slot with one more.
     */
    private static int nextNode(List<Integer> slots, int[] replicas) {
        int next = 0;
        for (int i = 1; i < replicas.length; i++) {
            next = (replicas[i] + 1L) * slots.get(next) < (replicas[next] + 1L) * slots.get(i) ? i : next;
        }
        return next;
    }
}
