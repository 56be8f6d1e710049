package dev.spur.model.check;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Piece;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.round.PlannedJob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What must hold for every node over all jobs together. */
final class CapacityCheck {
    private static final double TOLERANCE = 1e-6;

    private final Facts facts;
    private final List<PlannedJob> running;
    private final List<Violation> violations;

    CapacityCheck(Facts facts, List<PlannedJob> running, List<Violation> violations) {
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
            for (Piece piece : planned.allocation().placement()) {
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

    private void hostsAreNotOversubscribed() {
        Map<String, double[]> used = new HashMap<>();
        for (PlannedJob planned : running) {
            HostDemand demand = facts.job(planned.jobId()).spec().host();
            for (Piece piece : planned.allocation().placement()) {
                double[] sums = used.computeIfAbsent(piece.node(), node -> new double[2]);
                sums[0] += piece.slots() * demand.cpusPerSlot();
                sums[1] += piece.slots() * demand.memoryGiBPerSlot();
            }
        }
        used.forEach((id, sums) -> {
            Node node = facts.node(id);
            if (node != null && (sums[0] > node.cpus() + TOLERANCE || sums[1] > node.memoryGiB() + TOLERANCE)) {
                add(
                        "hostsAreNotOversubscribed",
                        id,
                        "node %s gives %s of %s CPUs and %s of %s GiB"
                                .formatted(id, sums[0], node.cpus(), sums[1], node.memoryGiB()));
            }
        });
    }

    private void aggregationIsNotOversubscribed() {
        Map<String, Long> used = new HashMap<>();
        for (PlannedJob planned : running) {
            for (AggregationShare share : planned.allocation().aggregation()) {
                used.merge(share.node(), share.thousandths(), Long::sum);
            }
        }
        used.forEach((id, thousandths) -> {
            Node node = facts.node(id);
            if (node != null && thousandths > Math.round(node.aggregationSlots() * 1000)) {
                add(
                        "aggregationIsNotOversubscribed",
                        id,
                        "node %s gives %s thousandths of %s aggregation slots"
                                .formatted(id, thousandths, node.aggregationSlots()));
            }
        });
    }

    private void newAggregationIsOnNodesThatTakeIt() {
        for (PlannedJob planned : running) {
            Job job = facts.job(planned.jobId());
            for (AggregationShare share : planned.allocation().aggregation()) {
                Node node = facts.node(share.node());
                boolean open = node != null && node.state().takesNewJobs() && facts.isOpenTo(job, share.node());
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
