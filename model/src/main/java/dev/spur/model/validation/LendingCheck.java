package dev.spur.model.validation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.MemoryUse;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.round.PlannedPreparation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Validates the capacity of every node over training jobs, preparations and loans together. If a host has shrunk below
 * the use of running jobs, or other processes use its memory, the existing use remains allowed, but no further use.
 */
final class LendingCheck {
    private static final double TOLERANCE = 1e-6;

    private final ProblemIndex index;
    private final LendingSettings settings;
    private final Map<String, Allocation> trainingAllocations;
    private final Map<String, Preparation> preparations;
    private final List<PlannedPreparation> runningPreparations;
    private final List<Violation> violations;
    private final Map<String, Host> hosts = new TreeMap<>();
    private final Set<String> refusingNodes = new HashSet<>();

    /** Resources granted on a node. */
    private static final class Host {
        private double cpus;
        private double trainingGiB;
        private long localGiB;
        private long newLocalGiB;
        private long lentGiB;
        private double protectedCpus;
        private double protectedGiB;
        private boolean hostsPreparations;
    }

    LendingCheck(
            ProblemIndex index,
            Map<String, Allocation> trainingAllocations,
            Map<String, Preparation> preparations,
            List<PlannedPreparation> runningPreparations,
            List<Violation> violations) {
        this.index = index;
        this.settings = index.problem.settings().lending();
        this.trainingAllocations = trainingAllocations;
        this.preparations = preparations;
        this.runningPreparations = runningPreparations;
        this.violations = violations;
    }

    void run() {
        trainingAllocations.forEach((id, allocation) -> addTraining(index.job(id), allocation));
        runningPreparations.forEach(planned -> addPreparation(planned.grant(), grantOf(planned)));
        Map<String, Double> used = new HashMap<>();
        for (MemoryUse use : index.problem.memoryUse()) {
            used.put(use.node(), use.usedGiB());
            if (use.lendingRefusal() != null) {
                refusingNodes.add(use.node());
            }
        }
        hosts.forEach((id, host) -> {
            Node node = index.node(id);
            if (node != null) {
                hostsAreNotOversubscribed(node, host, used.getOrDefault(id, 0.0));
                lendersKeepTheirHeadroom(node, host, used.getOrDefault(id, 0.0));
            }
        });
        for (PlannedPreparation planned : runningPreparations) {
            fanOutIsLimited(planned);
            planned.grant().loans().forEach(loan -> lendersMayLend(planned, loan));
        }
    }

    private void addTraining(Job job, Allocation allocation) {
        HostDemand demand = SlotHost.of(job.spec(), allocation);
        for (NodeShare nodeShare : allocation.placement()) {
            Host host = host(nodeShare.node());
            host.cpus += nodeShare.slots() * demand.cpusPerSlot();
            host.trainingGiB += nodeShare.slots() * demand.memoryGiBPerSlot();
        }
        if (job.allocation() != null && index.mustStay(job)) {
            HostDemand demanded = SlotHost.of(job.spec(), job.allocation());
            for (NodeShare nodeShare : job.allocation().placement()) {
                Host host = host(nodeShare.node());
                host.protectedCpus += nodeShare.slots() * demanded.cpusPerSlot();
                host.protectedGiB += nodeShare.slots() * demanded.memoryGiBPerSlot();
            }
        }
    }

    private void addPreparation(PreparationAllocation allocation, @Nullable PreparationAllocation heldAllocation) {
        Host host = host(allocation.node());
        host.hostsPreparations = true;
        host.cpus += allocation.cpus();
        host.localGiB += allocation.localGiB();
        host.newLocalGiB += allocation.localGiB() - (heldAllocation == null ? 0 : heldAllocation.localGiB());
        if (heldAllocation != null) {
            host.protectedCpus += heldAllocation.cpus();
            host.protectedGiB += heldAllocation.localGiB();
        }
        allocation.loans().forEach(loan -> host(loan.lender()).lentGiB += loan.gib());
    }

    private void hostsAreNotOversubscribed(Node node, Host host, double usedGiB) {
        if (!host.hostsPreparations) {
            return;
        }
        double gib = host.trainingGiB + host.localGiB;
        boolean isFull = host.cpus > Math.max(node.cpus(), host.protectedCpus) + TOLERANCE
                || gib > Math.max(node.memoryGiB(), host.protectedGiB) + TOLERANCE;
        boolean growsIntoUsedMemory = host.newLocalGiB > 0 && gib + usedGiB > node.memoryGiB() + TOLERANCE;
        if (isFull || growsIntoUsedMemory) {
            add(
                    "hostsAreNotOversubscribed",
                    node.id(),
                    "node %s is oversubscribed: %s of %s CPUs and %s of %s GiB are granted, other use is %s GiB"
                            .formatted(node.id(), host.cpus, node.cpus(), gib, node.memoryGiB(), usedGiB));
        }
    }

    private void lendersKeepTheirHeadroom(Node node, Host host, double usedGiB) {
        double free = node.memoryGiB() - usedGiB - host.trainingGiB - host.localGiB - host.lentGiB;
        if (host.lentGiB > 0 && free < settings.headroom(node.memoryGiB()) - TOLERANCE) {
            add(
                    "lendersKeepTheirHeadroom",
                    node.id(),
                    "node %s lends %s GiB and keeps %s GiB free, below its headroom of %s GiB"
                            .formatted(node.id(), host.lentGiB, free, settings.headroom(node.memoryGiB())));
        }
    }

    /**
     * A preparation that borrowed from more nodes before the limit decreased keeps its lenders, but gets no new one.
     */
    private void fanOutIsLimited(PlannedPreparation planned) {
        PreparationAllocation heldAllocation = grantOf(planned);
        List<Loan> loans = planned.grant().loans();
        boolean hasNewLender = loans.stream()
                .anyMatch(loan -> heldAllocation == null || heldAllocation.borrowedFrom(loan.lender()) == 0);
        if (loans.size() > settings.fanOut() && hasNewLender) {
            add(
                    "fanOutIsLimited",
                    planned.jobId(),
                    "preparation %s borrows from %s nodes, but fanOut is %s"
                            .formatted(planned.jobId(), loans.size(), settings.fanOut()));
        }
    }

    private void lendersMayLend(PlannedPreparation planned, Loan loan) {
        Preparation preparation = preparations.get(planned.jobId());
        Node node = index.node(loan.lender());
        PreparationAllocation heldAllocation = grantOf(planned);
        boolean more = heldAllocation == null || loan.gib() > heldAllocation.borrowedFrom(loan.lender());
        boolean mayLend = settings.enabled()
                && !refusingNodes.contains(loan.lender())
                && node != null
                && preparation != null
                && (index.acceptsWork(node) || (!more && node.state() == NodeState.CORDONED))
                && preparation.spec().mayUse(node.pool())
                && index.admits(preparation.tenant(), node.id());
        if (!mayLend) {
            add(
                    "lendersMayLend",
                    planned.jobId(),
                    "node %s may not lend %s GiB to preparation %s"
                            .formatted(loan.lender(), loan.gib(), planned.jobId()));
        }
    }

    private @Nullable PreparationAllocation grantOf(PlannedPreparation planned) {
        Preparation preparation = preparations.get(planned.jobId());
        return preparation == null ? null : preparation.grant();
    }

    private Host host(String node) {
        return hosts.computeIfAbsent(node, id -> new Host());
    }

    private void add(String rule, String subject, String message) {
        violations.add(new Violation(rule, subject, message));
    }
}
