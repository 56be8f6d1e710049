package dev.spur.model.validation;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PlannedJob;
import java.util.ArrayList;
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

    /** The jobs on each device take at most the whole of it. */
    private void noDeviceIsHeldTwice() {
        Map<String, Map<String, DeviceHolders>> holders = new HashMap<>();
        for (PlannedJob planned : runningJobs) {
            int parts = index.job(planned.jobId()).spec().elasticity().partsPerDevice();
            for (NodeShare nodeShare : planned.allocation().placement()) {
                Map<String, DeviceHolders> ofNode = holders.computeIfAbsent(nodeShare.node(), node -> new HashMap<>());
                for (String device : nodeShare.devices()) {
                    DeviceHolders own =
                            ofNode.merge(device, new DeviceHolders(parts, planned.jobId()), DeviceHolders::plus);
                    if (own.exceedIt()) {
                        add(
                                "noDeviceIsHeldTwice",
                                nodeShare.node(),
                                "device %s of node %s is held by %s".formatted(device, nodeShare.node(), own.jobs()));
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
        Map<String, NodeAggregators> aggregators = aggregators(runningJobs);
        aggregators.forEach(
                (id, own) -> used.computeIfAbsent(id, node -> new double[2])[0] += own.cpus() - own.tolerance());
        aggregators(protectedJobs())
                .forEach((id, own) -> protectedUse.computeIfAbsent(id, node -> new double[2])[0] += own.cpus());
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
        HostDemand demand = SlotHost.of(job.spec(), allocation);
        for (NodeShare nodeShare : allocation.placement()) {
            double[] sums = used.computeIfAbsent(nodeShare.node(), node -> new double[2]);
            sums[0] += nodeShare.slots() * demand.cpusPerSlot();
            sums[1] += nodeShare.slots() * demand.memoryGiBPerSlot();
        }
    }

    private void aggregationIsNotOversubscribed() {
        Map<String, NodeAggregators> used = aggregators(runningJobs);
        Map<String, NodeAggregators> protectedUse = aggregators(protectedJobs());
        used.forEach((id, aggregators) -> {
            Node node = index.node(id);
            double min = protectedUse.getOrDefault(id, new NodeAggregators()).cpus();
            double limit = node == null ? 0 : Math.round(1000 * node.aggregationSlots()) / 1000.0;
            if (node != null && aggregators.cpus() > Math.max(limit, min) + aggregators.tolerance()) {
                add(
                        "aggregationIsNotOversubscribed",
                        id,
                        "node %s is oversubscribed: aggregators need %s CPUs, of which they may take %s"
                                .formatted(id, aggregators.cpus(), node.aggregationSlots()));
            }
        });
    }

    /** Returns the jobs that must stay, with their present allocations. */
    private List<PlannedJob> protectedJobs() {
        List<PlannedJob> stayingJobs = new ArrayList<>();
        for (PlannedJob planned : runningJobs) {
            Job job = index.job(planned.jobId());
            if (job.allocation() != null && index.mustStay(job)) {
                stayingJobs.add(new PlannedJob(job.id(), job.allocation(), ChangeKind.KEEP, 0, 0, ""));
            }
        }
        return stayingJobs;
    }

    private Map<String, NodeAggregators> aggregators(List<PlannedJob> someJobs) {
        Map<String, NodeAggregators> byNode = new HashMap<>();
        for (PlannedJob planned : someJobs) {
            SharedAggregation shared = SharedAggregation.of(index, index.job(planned.jobId()), planned.allocation());
            for (AggregationShare share : planned.allocation().aggregation()) {
                byNode.computeIfAbsent(share.node(), node -> new NodeAggregators())
                        .add(share.slots(), shared);
            }
        }
        return byNode;
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
