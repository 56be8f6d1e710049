package dev.spur.solver.heuristic;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PieceCost;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.relaxation.CouplingConstraints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plan with its residual capacity, changed job by job: candidate and nodes of each job, number of restarts, objective
 * value. It never exceeds a capacity. The restart limit is counted but not enforced.
 */
public final class PlanState {
    private static final int[] NO_NODES = {};
    private static final List<Integer> NO_JOBS = List.of();
    private static final int ANY_DEVICE = -1;

    private final CouplingConstraints constraints;
    private final CandidateSet candidates;
    private final ResidualCapacity residual;
    private final ResidualCluster cluster;
    private final int[] choice;
    private final int[][] nodes;
    private final JobLists jobsByNode;
    private final JobLists jobsByAccount;
    private final JobLists jobsByGroup;
    private int restarts;
    private double objective;

    /** Creates a plan in which all jobs wait. */
    PlanState(CouplingConstraints constraints) {
        this.constraints = constraints;
        this.candidates = constraints.candidates();
        this.residual = new ResidualCapacity(candidates);
        this.cluster = residual.cluster();
        this.choice = new int[candidates.jobs()];
        Arrays.fill(choice, -1);
        this.nodes = new int[choice.length][];
        Arrays.fill(nodes, NO_NODES);
        this.jobsByNode = new JobLists(candidates.clusterIndex().nodes().size(), choice.length);
        this.jobsByAccount = new JobLists(candidates.quotas().size(), choice.length);
        this.jobsByGroup = new JobLists(candidates.groups().all().size(), choice.length);
        this.restarts = constraints.restarts().retainableJobs();
    }

    /**
     * Creates a plan that satisfies all constraints.
     *
     * @param chosen candidate by job; -1 for waiting
     * @param on nodes by job, one for each piece
     */
    PlanState(CouplingConstraints constraints, int[] chosen, int[][] on) {
        this(constraints);
        for (int j = 0; j < chosen.length; j++) {
            if (chosen[j] >= 0) {
                putOn(chosen[j], on[j]);
            }
        }
    }

    /**
     * Returns the plan {@code chosenPlacement} as far as it fits. Kept allocations stay, candidates with known nodes
     * get them, and the others are placed in descending order of utility per slot.
     */
    public static PlanState of(CouplingConstraints constraints, PartialPlacement chosenPlacement) {
        PlanState plan = new PlanState(constraints);
        CandidateSet candidates = constraints.candidates();
        IntStream.of(chosenPlacement.choice())
                .filter(c -> c >= 0 && candidates.get(c).isRetained())
                .boxed()
                .sorted(Comparator.comparing(
                        c -> !candidates.isPinned(candidates.get(c).job())))
                .forEach(plan::put);
        new TreeMap<>(chosenPlacement.nodes())
                .forEach((j, nodes) -> plan.putOn(
                        chosenPlacement.choice()[j],
                        array(nodes),
                        chosenPlacement.devices().getOrDefault(j, ANY_DEVICE)));
        IntStream.of(chosenPlacement.choice())
                .filter(c -> c >= 0 && plan.choice[candidates.get(c).job()] < 0)
                .filter(c -> !candidates.get(c).isRetained())
                .boxed()
                .sorted(Comparator.comparingDouble(
                        c -> -constraints.worth(c) / candidates.get(c).devices()))
                .forEach(plan::put);
        return plan;
    }

    private static int[] array(List<Integer> nodes) {
        return nodes.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Returns the residual capacity. */
    ResidualCapacity residual() {
        return residual;
    }

    /** Returns the candidate of job {@code j}; -1 if it waits. */
    public int choiceOf(int j) {
        return choice[j];
    }

    /** Returns the candidate of each job, -1 for waiting. */
    public int[] choice() {
        return choice.clone();
    }

    /** Returns the nodes of job {@code j}, one for each piece; empty if it waits. Not to be changed. */
    int[] nodesOf(int j) {
        return nodes[j];
    }

    /** Returns the nodes of each job. The inner arrays are not to be changed. */
    int[][] nodes() {
        return nodes.clone();
    }

    /** Copies candidates and nodes of all jobs to the given arrays. */
    void copyTo(int[] choice, int[][] nodes) {
        System.arraycopy(this.choice, 0, choice, 0, choice.length);
        System.arraycopy(this.nodes, 0, nodes, 0, nodes.length);
    }

    /** Returns the demand of candidate {@code c}. */
    ResourceDemand demand(int c) {
        return constraints.demand(c);
    }

    double objective() {
        return objective;
    }

    /** Returns the number of keepable jobs that do not keep their allocation. */
    int restarts() {
        return restarts;
    }

    /** Returns the jobs on each node; a job is listed once for each of its pieces there. */
    JobLists jobsByNode() {
        return jobsByNode;
    }

    /** Returns the running jobs that count in each quota account, also those of the accounts below. */
    JobLists jobsByAccount() {
        return jobsByAccount;
    }

    /** Returns the running jobs under each cap of a group. */
    JobLists jobsByGroup() {
        return jobsByGroup;
    }

    /**
     * Returns whether node {@code v} holds {@code piece} slots of {@code demand} once some pieces have left it.
     *
     * @param evicted bits by position in the list of the node: 1 for a piece that leaves
     */
    boolean holdsWithout(int v, int piece, ResourceDemand demand, long evicted) {
        int slots = 0;
        long cpus = 0;
        long memory = 0;
        List<Integer> sharing = NO_JOBS;
        for (int i = 0; i < Math.min(Long.SIZE, jobsByNode.size(v)); i++) {
            if ((evicted >> i & 1) != 0) {
                ResourceDemand own = demand(choice[jobsByNode.get(v, i)]);
                int left = own.pieces()[jobsByNode.rank(v, i)];
                if (own.share() == null) {
                    slots += left;
                } else {
                    sharing = sharing.isEmpty() ? new ArrayList<>() : sharing;
                    sharing.add(own.share().job());
                }
                cpus += left * own.cpuUnits();
                memory += left * own.memoryUnits();
            }
        }
        return cluster.holdsWith(slots, sharing, cpus, memory, v, piece, demand);
    }

    /** Returns nodes on which candidate {@code c} of a waiting job fits; null if some capacity does not suffice. */
    int @Nullable [] nodesFor(int c, PieceCost cost) {
        return residual.nodesFor(demand(c), cost);
    }

    /** Gives a waiting job candidate {@code c} on the fullest nodes if it fits; returns whether it fits. */
    boolean put(int c) {
        return put(c, ResidualCluster.FREE);
    }

    /** Gives a waiting job candidate {@code c} on the cheapest nodes if it fits; returns whether it fits. */
    boolean put(int c, PieceCost cost) {
        int[] on = nodesFor(c, cost);
        if (on != null) {
            putOn(c, on);
        }
        return on != null;
    }

    /** Gives a waiting job candidate {@code c} on {@code on}, a node for each piece, which must fit. */
    void putOn(int c, int[] on) {
        putOn(c, on, ANY_DEVICE);
    }

    private void putOn(int c, int[] on, int device) {
        ResourceDemand demand = demand(c).onDevice(device);
        int j = candidates.get(c).job();
        residual.add(demand, on);
        choice[j] = c;
        nodes[j] = on;
        for (int i = 0; i < on.length; i++) {
            jobsByNode.add(on[i], j, i);
        }
        int depth = 0;
        for (int a = demand.account(); a >= 0; a = candidates.quotas().above(a)) {
            jobsByAccount.add(a, j, depth++);
        }
        for (int a = demand.nonPreemptibleAccount();
                a >= 0;
                a = candidates.quotas().above(a)) {
            jobsByAccount.add(a, j, depth++);
        }
        if (demand.cap() != null) {
            jobsByGroup.add(demand.cap().index(), j, 0);
        }
        restarts += constraints.restarts().coefficient(candidates.get(c));
        objective += constraints.worth(c);
    }

    /**
     * Gives waiting jobs the candidates {@code chosen} on their nodes. If some capacity does not suffice, nothing
     * changes and the result is false.
     *
     * @param chosen nodes by candidate; ignored for a kept one
     */
    boolean putAll(Map<Integer, List<Integer>> chosen) {
        List<Integer> retainedFirst = chosen.keySet().stream()
                .sorted(Comparator.comparing(c -> !candidates.get(c).isRetained()))
                .toList();
        for (int i = 0; i < retainedFirst.size(); i++) {
            int c = retainedFirst.get(i);
            ResourceDemand demand = demand(c);
            int[] on = demand.isFixed() ? demand.nodes() : array(chosen.getOrDefault(c, List.of()));
            if (!residual.fits(demand, on)) {
                retainedFirst
                        .subList(0, i)
                        .forEach(done -> remove(candidates.get(done).job()));
                return false;
            }
            putOn(c, on);
        }
        return true;
    }

    /** Removes the allocation of job {@code j}, which then waits. */
    void remove(int j) {
        int c = choice[j];
        if (c < 0) {
            return;
        }
        ResourceDemand demand = demand(c);
        residual.remove(demand, nodes[j]);
        for (int i = 0; i < nodes[j].length; i++) {
            jobsByNode.remove(nodes[j][i], j, i);
        }
        int depth = 0;
        for (int a = demand.account(); a >= 0; a = candidates.quotas().above(a)) {
            jobsByAccount.remove(a, j, depth++);
        }
        for (int a = demand.nonPreemptibleAccount();
                a >= 0;
                a = candidates.quotas().above(a)) {
            jobsByAccount.remove(a, j, depth++);
        }
        if (demand.cap() != null) {
            jobsByGroup.remove(demand.cap().index(), j, 0);
        }
        restarts -= constraints.restarts().coefficient(candidates.get(c));
        objective -= constraints.worth(c);
        choice[j] = -1;
        nodes[j] = NO_NODES;
    }

    /** Returns the placement with devices. */
    public PlacementResult placement() {
        Map<Integer, List<Integer>> known = new HashMap<>();
        Map<Integer, Integer> devices = new HashMap<>();
        for (int j = 0; j < choice.length; j++) {
            if (choice[j] >= 0 && !candidates.get(choice[j]).isRetained()) {
                known.put(j, IntStream.of(nodes[j]).boxed().toList());
                if (demand(choice[j]).share() != null) {
                    devices.put(j, cluster.rooms().deviceOf(nodes[j][0], j));
                }
            }
        }
        return Placer.place(candidates, new PartialPlacement(choice, known, devices));
    }
}
