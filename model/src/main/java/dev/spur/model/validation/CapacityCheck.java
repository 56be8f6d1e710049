package dev.spur.model.validation;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.round.PlannedJob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Validates the capacity of every node over all jobs. If a host has shrunk below the use of protected jobs, this use
 * remains allowed, but no other use.
 */
final class CapacityCheck {
    private static final double TOLERANCE = 1e-6;

    private final ProblemIndex index;
    private final List<PlannedJob> runningJobs;
    private final List<Violation> violations;

    CapacityCheck(ProblemIndex index, List<PlannedJob> runningJobs, List<Violation> violations) {
        this.index = index;
        this.runningJobs = runningJobs;
        this.violations = violations;
    }

    void run() {
        noDeviceIsHeldTwice();
        hostsAreNotOversubscribed();
        aggregationIsNotOversubscribed();
        newAggregationIsOnAvailableNodes();
    }

    private void noDeviceIsHeldTwice() {
        Map<String, Map<String, String>> holders = new HashMap<>();
        for (PlannedJob planned : runningJobs) {
            for (NodeShare nodeShare : planned.allocation().placement()) {
                Map<String, String> ofNode = holders.computeIfAbsent(nodeShare.node(), node -> new HashMap<>());
                for (String device : nodeShare.devices()) {
                    String holder = ofNode.putIfAbsent(device, planned.jobId());
                    if (holder != null) {
                        add(
                                "noDeviceIsHeldTwice",
                                nodeShare.node(),
                                "device %s of node %s is held by %s and %s"
                                        .formatted(device, nodeShare.node(), holder, planned.jobId()));
                    }
                    if (!index.hasDevice(nodeShare.node(), device)) {
                        add(
                                "noDeviceIsHeldTwice",
                                nodeShare.node(),
                                "node %s has no device %s".formatted(nodeShare.node(), device));
                    }
                }
            }
        }
    }

    void hostsAreNotOversubscribed() {
        Map<String, double[]> used = new HashMap<>();
        Map<String, double[]> protectedUse = new HashMap<>();
        for (PlannedJob planned : runningJobs) {
            Job job = index.job(planned.jobId());
            addHosts(used, job, planned.allocation());
            if (job.allocation() != null && index.mustStay(job)) {
                addHosts(protectedUse, job, job.allocation());
            }
        }
        used.forEach((id, sums) -> {
            Node node = index.node(id);
            double[] min = protectedUse.getOrDefault(id, new double[2]);
            if (node != null
                    && (sums[0] > Math.max(node.cpus(), min[0]) + TOLERANCE
                            || sums[1] > Math.max(node.memoryGiB(), min[1]) + TOLERANCE)) {
                add(
                        "hostsAreNotOversubscribed",
                        id,
                        "node %s is oversubscribed: %s of %s CPUs, with those of aggregators, and %s of %s GiB are granted"
                                .formatted(id, sums[0], node.cpus(), sums[1], node.memoryGiB()));
            }
        });
    }

    private static void addHosts(Map<String, double[]> used, Job job, Allocation allocation) {
        HostDemand demand = job.spec().hostIn(allocation.configuration());
        for (NodeShare nodeShare : allocation.placement()) {
            double[] sums = used.computeIfAbsent(nodeShare.node(), node -> new double[2]);
            sums[0] += nodeShare.slots() * demand.cpusPerSlot();
            sums[1] += nodeShare.slots() * demand.memoryGiBPerSlot();
        }
        for (AggregationShare share : allocation.aggregation()) {
            used.computeIfAbsent(share.node(), node -> new double[2])[0] += share.slots();
        }
    }

    private void aggregationIsNotOversubscribed() {
        Map<String, Long> used = new HashMap<>();
        Map<String, Long> protectedUse = new HashMap<>();
        for (PlannedJob planned : runningJobs) {
            Job job = index.job(planned.jobId());
            addShares(used, planned.allocation());
            if (job.allocation() != null && index.mustStay(job)) {
                addShares(protectedUse, job.allocation());
            }
        }
        used.forEach((id, thousandths) -> {
            Node node = index.node(id);
            long min = protectedUse.getOrDefault(id, 0L);
            if (node != null && thousandths > Math.max(Math.round(node.aggregationSlots() * 1000), min)) {
                add(
                        "aggregationIsNotOversubscribed",
                        id,
                        "node %s is oversubscribed: %s thousandths of its %s aggregation slots are granted"
                                .formatted(id, thousandths, node.aggregationSlots()));
            }
        });
    }

    private static void addShares(Map<String, Long> used, Allocation allocation) {
        for (AggregationShare share : allocation.aggregation()) {
            used.merge(share.node(), share.thousandths(), Long::sum);
        }
    }

    private void newAggregationIsOnAvailableNodes() {
        for (PlannedJob planned : runningJobs) {
            Job job = index.job(planned.jobId());
            for (AggregationShare share : planned.allocation().aggregation()) {
                Node node = index.node(share.node());
                boolean open = node != null && index.acceptsWork(node) && index.admits(job, share.node());
                if (!open && !wasThere(job.allocation(), share)) {
                    add(
                            "newAggregationIsOnAvailableNodes",
                            planned.jobId(),
                            "job %s may not use new aggregation slots of node %s"
                                    .formatted(planned.jobId(), share.node()));
                }
            }
        }
    }

    private static boolean wasThere(@Nullable Allocation heldAllocation, AggregationShare share) {
        return heldAllocation != null
                && heldAllocation.aggregation().stream()
                        .anyMatch(old -> old.node().equals(share.node()) && old.thousandths() >= share.thousandths());
    }

    private void add(String rule, String subject, String message) {
        violations.add(new Violation(rule, subject, message));
    }
}
