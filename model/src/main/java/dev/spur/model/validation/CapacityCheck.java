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
 * What must hold for every node over all jobs together. A host may have shrunk below what jobs hold that may not be
 * touched: their use is always allowed, and nothing beside it.
 */
final class CapacityCheck {
    private static final double TOLERANCE = 1e-6;

    private final ProblemIndex facts;
    private final List<PlannedJob> running;
    private final List<Violation> violations;

    CapacityCheck(ProblemIndex facts, List<PlannedJob> running, List<Violation> violations) {
        this.facts = facts;
        this.running = running;
        this.violations = violations;
    }

    void run() {
        noDeviceIsHeldTwice();
        hostsAreNotOversubscribed();
        aggregationIsNotOversubscribed();
        newAggregationIsOnNodesThatTakeIt();
    }

    private void noDeviceIsHeldTwice() {
        Map<String, String> holders = new HashMap<>();
        for (PlannedJob planned : running) {
            for (NodeShare piece : planned.allocation().placement()) {
                for (String device : piece.devices()) {
                    String holder = holders.putIfAbsent(piece.node() + "\n" + device, planned.jobId());
                    if (holder != null) {
                        add(
                                "noDeviceIsHeldTwice",
                                piece.node(),
                                "device %s of node %s is held by %s and %s"
                                        .formatted(device, piece.node(), holder, planned.jobId()));
                    }
                    if (!facts.hasDevice(piece.node(), device)) {
                        add(
                                "noDeviceIsHeldTwice",
                                piece.node(),
                                "node %s has no device %s".formatted(piece.node(), device));
                    }
                }
            }
        }
    }

    void hostsAreNotOversubscribed() {
        Map<String, double[]> used = new HashMap<>();
        Map<String, double[]> untouchable = new HashMap<>();
        for (PlannedJob planned : running) {
            Job job = facts.job(planned.jobId());
            addHosts(used, job, planned.allocation());
            if (job.allocation() != null && facts.mustStay(job)) {
                addHosts(untouchable, job, job.allocation());
            }
        }
        used.forEach((id, sums) -> {
            Node node = facts.node(id);
            double[] least = untouchable.getOrDefault(id, new double[2]);
            if (node != null
                    && (sums[0] > Math.max(node.cpus(), least[0]) + TOLERANCE
                            || sums[1] > Math.max(node.memoryGiB(), least[1]) + TOLERANCE)) {
                add(
                        "hostsAreNotOversubscribed",
                        id,
                        "node %s gives %s of %s CPUs and %s of %s GiB"
                                .formatted(id, sums[0], node.cpus(), sums[1], node.memoryGiB()));
            }
        });
    }

    private static void addHosts(Map<String, double[]> used, Job job, Allocation given) {
        HostDemand demand = job.spec().hostIn(given.configuration());
        for (NodeShare piece : given.placement()) {
            double[] sums = used.computeIfAbsent(piece.node(), node -> new double[2]);
            sums[0] += piece.slots() * demand.cpusPerSlot();
            sums[1] += piece.slots() * demand.memoryGiBPerSlot();
        }
    }

    private void aggregationIsNotOversubscribed() {
        Map<String, Long> used = new HashMap<>();
        Map<String, Long> untouchable = new HashMap<>();
        for (PlannedJob planned : running) {
            Job job = facts.job(planned.jobId());
            addShares(used, planned.allocation());
            if (job.allocation() != null && facts.mustStay(job)) {
                addShares(untouchable, job.allocation());
            }
        }
        used.forEach((id, thousandths) -> {
            Node node = facts.node(id);
            long least = untouchable.getOrDefault(id, 0L);
            if (node != null && thousandths > Math.max(Math.round(node.aggregationSlots() * 1000), least)) {
                add(
                        "aggregationIsNotOversubscribed",
                        id,
                        "node %s gives %s thousandths of %s aggregation slots"
                                .formatted(id, thousandths, node.aggregationSlots()));
            }
        });
    }

    private static void addShares(Map<String, Long> used, Allocation given) {
        for (AggregationShare share : given.aggregation()) {
            used.merge(share.node(), share.thousandths(), Long::sum);
        }
    }

    private void newAggregationIsOnNodesThatTakeIt() {
        for (PlannedJob planned : running) {
            Job job = facts.job(planned.jobId());
            for (AggregationShare share : planned.allocation().aggregation()) {
                Node node = facts.node(share.node());
                boolean open = node != null && facts.takesAnything(node) && facts.isOpenTo(job, share.node());
                if (!open && !wasThere(job.allocation(), share)) {
                    add(
                            "newAggregationIsOnNodesThatTakeIt",
                            planned.jobId(),
                            "job %s may not aggregate on node %s".formatted(planned.jobId(), share.node()));
                }
            }
        }
    }

    private static boolean wasThere(@Nullable Allocation held, AggregationShare share) {
        return held != null
                && held.aggregation().stream()
                        .anyMatch(old -> old.node().equals(share.node()) && old.thousandths() >= share.thousandths());
    }

    private void add(String rule, String subject, String message) {
        violations.add(new Violation(rule, subject, message));
    }
}
