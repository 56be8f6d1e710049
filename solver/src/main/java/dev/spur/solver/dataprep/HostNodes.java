package dev.spur.solver.dataprep;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.dataprep.MemoryUse;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.round.Maintenance;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.TenantTree;
import dev.spur.model.utility.PreparationUtility;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Nodes by number, in the order of the problem, with the host resources that training and other processes leave. */
final class HostNodes {
    /** A value below an integer by at most this rounding error counts as that integer. */
    private static final double ROUNDING = 1e-9;

    private final List<Node> nodes;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final LendingSettings settings;
    private final TenantTree tenants;
    private final List<List<Reservation>> reservations = new ArrayList<>();
    private final Maintenance maintenance;
    private final double[] cpus;
    private final int[] memory;
    private final int[] lendable;
    private final boolean[] lends;
    private final int[] racks;
    private final double[] nearLoss;
    private final double[] farLoss;

    /** @param trainingAllocations by job id, the allocation of the training jobs */
    HostNodes(RoundProblem problem, Map<String, Allocation> trainingAllocations) {
        nodes = problem.nodes();
        settings = problem.settings().lending();
        tenants = new TenantTree(problem.tenants());
        maintenance = new Maintenance(problem);
        cpus = new double[nodes.size()];
        memory = new int[nodes.size()];
        lendable = new int[nodes.size()];
        lends = new boolean[nodes.size()];
        Arrays.fill(lends, settings.enabled());
        racks = new int[nodes.size()];
        nearLoss = new double[nodes.size()];
        farLoss = new double[nodes.size()];
        for (int v = 0; v < nodes.size(); v++) {
            numbers.put(nodes.get(v).id(), v);
            reservations.add(new ArrayList<>());
        }
        for (Reservation reservation : problem.reservations()) {
            if (reservation.holdsAt(problem.now())) {
                reservation
                        .nodes()
                        .forEach(node -> reservations.get(number(node)).add(reservation));
            }
        }
        countHosts(problem, trainingAllocations);
        measureLosses(new PreparationUtility(problem));
    }

    private void countHosts(RoundProblem problem, Map<String, Allocation> trainingAllocations) {
        double[] gib = new double[nodes.size()];
        for (int v = 0; v < nodes.size(); v++) {
            cpus[v] = nodes.get(v).cpus();
            gib[v] = nodes.get(v).memoryGiB();
        }
        for (Job job : problem.jobs()) {
            Allocation heldAllocation = trainingAllocations.get(job.id());
            if (heldAllocation != null) {
                HostDemand demand = job.spec().hostIn(heldAllocation.configuration());
                for (NodeShare share : heldAllocation.placement()) {
                    cpus[number(share.node())] -= share.slots() * demand.cpusPerSlot();
                    gib[number(share.node())] -= share.slots() * demand.memoryGiBPerSlot();
                }
                heldAllocation.aggregation().forEach(share -> cpus[number(share.node())] -= share.slots());
            }
        }
        for (MemoryUse use : problem.memoryUse()) {
            gib[number(use.node())] -= use.usedGiB();
            lends[number(use.node())] &= use.lendingRefusal() == null;
        }
        for (int v = 0; v < nodes.size(); v++) {
            double headroom = settings.headroom(nodes.get(v).memoryGiB());
            memory[v] = (int) Math.floor(gib[v] + ROUNDING);
            lendable[v] = lends[v] ? (int) Math.floor(gib[v] - headroom + ROUNDING) : 0;
        }
    }

    private void measureLosses(PreparationUtility utility) {
        Map<String, Integer> known = new HashMap<>();
        for (int v = 0; v < nodes.size(); v++) {
            Node node = nodes.get(v);
            // A node without a rack shares a rack with no other node.
            racks[v] = known.computeIfAbsent(node.rack() == null ? "\n" + node.id() : node.rack(), r -> known.size());
            nearLoss[v] = utility.lossOf(node.id(), node.id());
            farLoss[v] = Math.max(nearLoss[v], utility.lossOf(node.id(), ""));
        }
    }

    int count() {
        return nodes.size();
    }

    String id(int v) {
        return nodes.get(v).id();
    }

    /** @throws IllegalArgumentException for an id that is not in the problem */
    int number(String id) {
        Integer number = numbers.get(id);
        if (number == null) {
            throw new IllegalArgumentException("node %s is not in the problem".formatted(id));
        }
        return number;
    }

    /** Returns the host CPUs that training leaves. */
    double cpus(int v) {
        return cpus[v];
    }

    /**
     * Returns the memory that training and other processes leave, whole GiB; below 0 if they use more than the node
     * has.
     */
    int memoryGiB(int v) {
        return memory[v];
    }

    /** Returns the same memory less the headroom of a lender; 0 if the node may not lend. */
    int lendableGiB(int v) {
        return lendable[v];
    }

    int rack(int v) {
        return racks[v];
    }

    /** Returns the loss of utility of a preparation on {@code host} for a working set lent by {@code lender}. */
    double loss(int lender, int host) {
        return racks[lender] == racks[host] ? nearLoss[lender] : farLoss[lender];
    }

    /** Returns the minimum loss, within the same rack. */
    double leastLoss(int lender) {
        return nearLoss[lender];
    }

    /** Returns the loss for a lender in another rack. */
    double mostLoss(int lender) {
        return farLoss[lender];
    }

    int fanOut() {
        return settings.fanOut();
    }

    boolean mayStart(Preparation preparation, int v) {
        return takesNewJobs(v) && isFor(preparation, v);
    }

    boolean mayLend(Preparation preparation, int v) {
        return lends[v] && mayStart(preparation, v);
    }

    /** Returns whether the memory that {@code v} lends may remain lent. */
    boolean mayGoOnLending(Preparation preparation, int v) {
        boolean isCordoned = nodes.get(v).state() == NodeState.CORDONED;
        return lends[v] && (takesNewJobs(v) || isCordoned) && isFor(preparation, v);
    }

    /** Returns whether the node is in a pool that the preparation may use. */
    boolean isInItsPools(Preparation preparation, int v) {
        return preparation.spec().mayUse(nodes.get(v).pool());
    }

    boolean takesNewJobs(int v) {
        return nodes.get(v).state().takesNewJobs()
                && !maintenance.closes(nodes.get(v).id());
    }

    /** Returns the memory that the empty node could lend, GiB. */
    int lendableWhenEmpty(int v) {
        double memoryGiB = nodes.get(v).memoryGiB();
        return lends[v] ? (int) Math.floor(Math.max(0, memoryGiB - settings.headroom(memoryGiB))) : 0;
    }

    /** Returns the memory of the empty node for the preparation, whole GiB. */
    int localWhenEmpty(Preparation preparation, int v) {
        return (int) Math.min(preparation.spec().workingSetGiB(), nodes.get(v).memoryGiB());
    }

    /** Returns whether the empty node has enough CPUs and memory. */
    boolean couldHold(Preparation preparation, int v) {
        return preparation.spec().cpus() <= nodes.get(v).cpus()
                && preparation.spec().minLocalGiB() <= nodes.get(v).memoryGiB();
    }

    private boolean isFor(Preparation preparation, int v) {
        return isInItsPools(preparation, v)
                && !maintenance.holds(nodes.get(v).id())
                && reservations.get(v).stream()
                        .allMatch(reservation -> reservation.job() == null
                                && reservation.tenant() != null
                                && tenants.isWithin(preparation.tenant(), reservation.tenant()));
    }
}
