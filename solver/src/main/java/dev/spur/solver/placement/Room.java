package dev.spur.solver.placement;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.Piece;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.Hardware;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.quota.QuotaLedger;
import dev.spur.solver.quota.QuotaSystem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is left of the cluster while jobs are put on it one by one: slots, CPU and memory of each node, aggregation of each
 * pool, quotas. It answers whether a candidate still fits, and where.
 */
public final class Room {
    private static final double TOLERANCE = 1e-9;

    private final CandidateSet candidates;
    private final Hardware hardware;
    private final int[] slots;
    private final double[] cpus;
    private final double[] memory;
    private final Map<String, Long> aggregation = new HashMap<>();
    private final QuotaLedger quotas;

    /** The empty cluster, without the nodes' states: a kept job may be on a node that takes no new one. */
    public Room(CandidateSet candidates) {
        this.candidates = candidates;
        this.hardware = candidates.hardware();
        List<Node> nodes = hardware.nodes();
        slots = nodes.stream().mapToInt(Node::slots).toArray();
        cpus = nodes.stream().mapToDouble(Node::cpus).toArray();
        memory = nodes.stream().mapToDouble(Node::memoryGiB).toArray();
        candidates
                .problem()
                .pools()
                .forEach(pool -> aggregation.put(pool.name(), candidates.aggregationThousandths(pool.name())));
        quotas = new QuotaLedger(new QuotaSystem(candidates.problem()));
    }

    /** Free slots of node {@code v}. */
    public int slots(int v) {
        return slots[v];
    }

    /** Free host CPUs of node {@code v}; 0 also where untouchable jobs hold more than there are. */
    public double cpus(int v) {
        return Math.max(0, cpus[v]);
    }

    /** Free host memory of node {@code v}, GiB; 0 also where untouchable jobs hold more than there is. */
    public double memory(int v) {
        return Math.max(0, memory[v]);
    }

    /** Free slots over the nodes of a class. */
    public int slots(NodeClass nodeClass) {
        return nodeClass.nodes().stream().mapToInt(v -> slots[v]).sum();
    }

    /** Free thousandths of aggregation slots of a pool, for those who may be moved. */
    public long aggregation(String pool) {
        return aggregation.getOrDefault(pool, 0L);
    }

    /** True if the quotas leave room for {@code candidate}. */
    public boolean quotaAllows(Candidate candidate) {
        return quotas.allows(job(candidate).tenant(), candidate.configuration().acceleratorType(), candidate.slots());
    }

    /** True if the pool has enough aggregation left for {@code candidate}. */
    public boolean aggregationAllows(Candidate candidate) {
        long needed = candidate.configuration().aggregationThousandths();
        return needed == 0 || needed <= aggregation(candidate.configuration().pool());
    }

    /** Puts a fresh candidate where it fits best, if it fits; returns whether it did. */
    public boolean tryPlace(Candidate candidate) {
        if (!quotaAllows(candidate) || !aggregationAllows(candidate)) {
            return false;
        }
        List<Integer> nodes = nodesFor(candidate);
        if (nodes.isEmpty()) {
            return false;
        }
        List<Integer> shape = candidate.configuration().shape();
        for (int i = 0; i < nodes.size(); i++) {
            take(nodes.get(i), shape.get(i), job(candidate).spec().host());
        }
        book(candidate.job(), candidate.configuration(), 1);
        return true;
    }

    /** Puts a kept candidate where it is, if quotas, aggregation and hosts allow it or it must stay; returns whether it did. */
    public boolean tryKeep(Candidate candidate) {
        Allocation held = job(candidate).allocation();
        if (held == null || !(candidates.mustStay(candidate.job()) || mayKeep(candidate, held))) {
            return false;
        }
        for (Piece piece : held.placement()) {
            take(
                    hardware.indexOf(piece.node()),
                    piece.slots(),
                    job(candidate).spec().host());
        }
        book(candidate.job(), candidate.configuration(), 1);
        return true;
    }

    private boolean mayKeep(Candidate candidate, Allocation held) {
        HostDemand demand = job(candidate).spec().host();
        return quotaAllows(candidate)
                && aggregationAllows(candidate)
                && held.placement().stream()
                        .allMatch(piece -> holds(hardware.indexOf(piece.node()), piece.slots(), demand));
    }

    /** One node per piece of the candidate's shape, in its order, best fit first; empty if there are none. */
    public List<Integer> nodesFor(Candidate candidate) {
        NodeClass nodeClass = hardware.classes().get(candidate.nodeClass());
        HostDemand demand = job(candidate).spec().host();
        List<Integer> found = new ArrayList<>();
        for (int piece : candidate.configuration().shape()) {
            int best = -1;
            for (int v : nodeClass.nodes()) {
                boolean better = best < 0 || slots[v] < slots[best];
                if (better && holds(v, piece, demand) && !found.contains(v)) {
                    best = v;
                }
            }
            if (best < 0) {
                return List.of();
            }
            found.add(best);
        }
        return found;
    }

    /** True if node {@code v} has {@code piece} slots left and the host resources for them. */
    public boolean holds(int v, int piece, HostDemand demand) {
        return slots[v] >= piece
                && cpus(v) + TOLERANCE >= piece * demand.cpusPerSlot()
                && memory(v) + TOLERANCE >= piece * demand.memoryGiBPerSlot();
    }

    /** Gives back what {@code given}, an allocation of job {@code j}, takes. */
    public void giveBack(int j, Allocation given) {
        account(j, given, -1);
    }

    /** Takes what {@code given}, an allocation of job {@code j}, holds. */
    public void occupy(int j, Allocation given) {
        account(j, given, 1);
    }

    private void account(int j, Allocation given, int sign) {
        Job job = candidates.job(j);
        for (Piece piece : given.placement()) {
            take(
                    hardware.indexOf(piece.node()),
                    sign * piece.slots(),
                    job.spec().host());
        }
        book(j, given.configuration(), sign);
    }

    private void take(int v, int piece, HostDemand demand) {
        slots[v] -= piece;
        cpus[v] -= piece * demand.cpusPerSlot();
        memory[v] -= piece * demand.memoryGiBPerSlot();
    }

    private void book(int j, Configuration configuration, int sign) {
        quotas.add(candidates.job(j).tenant(), configuration.acceleratorType(), sign * configuration.slots());
        if (!candidates.mustStay(j)) {
            aggregation.merge(configuration.pool(), -sign * configuration.aggregationThousandths(), Long::sum);
        }
    }

    private Job job(Candidate candidate) {
        return candidates.job(candidate.job());
    }
}
