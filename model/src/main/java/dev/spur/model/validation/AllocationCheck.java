package dev.spur.model.validation;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.utility.Goodput;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** What must hold for the allocation of one job, whatever the others hold. */
final class AllocationCheck {
    private final ProblemIndex facts;
    private final Job job;
    private final Allocation given;
    private final List<Violation> violations;

    AllocationCheck(ProblemIndex facts, Job job, Allocation given, List<Violation> violations) {
        this.facts = facts;
        this.job = job;
        this.given = given;
        this.violations = violations;
    }

    /** True if the job's request allows {@code configuration} and its profile says that it runs. */
    static boolean isAllowed(Job job, Configuration configuration) {
        JobSpec spec = job.spec();
        String type = configuration.acceleratorType();
        return spec.elasticity().allowsType(type)
                && spec.elasticity().allowsPool(configuration.pool())
                && spec.elasticity().allowsCount(configuration.slots())
                && spec.elasticity().allowsNodes(configuration.nodes())
                && allowsBatch(spec, configuration)
                && spec.synchronization().allows(configuration.strategy(), configuration.aggregationSlots())
                && Goodput.of(spec, configuration) > 0;
    }

    /**
     * The initial batch until efficiency is known, then any within the limits; the devices share it equally in each
     * pass.
     */
    private static boolean allowsBatch(JobSpec spec, Configuration configuration) {
        BatchLimits limits = spec.batch();
        int batch = configuration.batchSize();
        long passes = configuration.accumulationSteps() + 1L;
        long shares = configuration.slots() * passes;
        int memory = limits.maxPerDeviceByType().getOrDefault(configuration.acceleratorType(), limits.maxPerDevice());
        boolean isKnown = spec.efficiency().noiseScale() != null
                || !spec.efficiency().table().isEmpty();
        return (isKnown ? batch >= limits.min() && batch <= limits.max() : batch == limits.initial())
                && batch % (shares * limits.multipleOf()) == 0
                && batch / shares <= memory
                && (passes == 1 || limits.accumulation());
    }

    void run() {
        boolean stays = job.allocation() != null && given.sameRunAs(job.allocation());
        boolean mustStay = stays && facts.mustStay(job);
        if (!mustStay) {
            theRequestAllowsTheConfiguration();
            devicesCanSumGradientsAsPlanned();
            nodesAreOpenToTheJob(stays);
            reservationsFindTheirNodesFree(stays);
            wholeNodesWhereThePoolDemandsThem();
        }
        theJobCanUseWhatItIsGranted();
        maintenanceFindsItsNodesEmpty(stays, mustStay);
        theGangIsComplete();
        nodesAreOfThePoolAndType();
        aggregationIsComplete();
    }

    private void theRequestAllowsTheConfiguration() {
        Configuration configuration = given.configuration();
        if (!isAllowed(job, configuration)) {
            add("theRequestAllowsTheConfiguration", "job %s may not run as %s".formatted(job.id(), configuration));
        }
    }

    /** What is granted of the hosts may change at any time, but only to what the job's speed is known with. */
    private void theJobCanUseWhatItIsGranted() {
        Configuration configuration = given.configuration();
        boolean isAsBefore = job.allocation() != null
                && Objects.equals(job.allocation().configuration().host(), configuration.host());
        if (!isAsBefore && job.spec().hostSpeed(configuration) == 0) {
            add(
                    "theJobCanUseWhatItIsGranted",
                    "job %s has no level of speed at %s".formatted(job.id(), configuration.host()));
        }
    }

    private void devicesCanSumGradientsAsPlanned() {
        Configuration configuration = given.configuration();
        if (!facts.canSum(configuration)) {
            add(
                    "devicesCanSumGradientsAsPlanned",
                    "job %s reduces on %d slots of type %s, which cannot do so"
                            .formatted(job.id(), configuration.slots(), configuration.acceleratorType()));
        }
    }

    private void theGangIsComplete() {
        List<Integer> pieces = given.placement().stream()
                .map(NodeShare::slots)
                .sorted(Comparator.reverseOrder())
                .toList();
        if (!pieces.equals(given.configuration().shape())) {
            add(
                    "theGangIsComplete",
                    "job %s has pieces %s for shape %s"
                            .formatted(job.id(), pieces, given.configuration().shape()));
        }
    }

    private void nodesAreOfThePoolAndType() {
        Configuration configuration = given.configuration();
        for (NodeShare piece : given.placement()) {
            Node node = facts.node(piece.node());
            if (node == null
                    || !node.pool().equals(configuration.pool())
                    || !configuration.acceleratorType().equals(node.acceleratorType())) {
                add(
                        "nodesAreOfThePoolAndType",
                        "job %s: node %s is not of pool %s and type %s"
                                .formatted(
                                        job.id(), piece.node(), configuration.pool(), configuration.acceleratorType()));
            }
        }
    }

    private void nodesAreOpenToTheJob(boolean stays) {
        for (NodeShare piece : given.placement()) {
            Node node = facts.node(piece.node());
            boolean open = node != null
                    && (stays ? node.state().letsJobsStay() : node.state().takesNewJobs())
                    && facts.isOpenTo(job, piece.node());
            if (!open) {
                add("nodesAreOpenToTheJob", "job %s may not be on node %s".formatted(job.id(), piece.node()));
            }
        }
    }

    /** Nobody is on a node in maintenance, and who may leave is there only if it will have left in time. */
    private void maintenanceFindsItsNodesEmpty(boolean stays, boolean mustStay) {
        for (NodeShare piece : given.placement()) {
            if (facts.isInMaintenance(piece.node())) {
                add(
                        "maintenanceFindsItsNodesEmpty",
                        "job %s is on node %s, which is in maintenance".formatted(job.id(), piece.node()));
            } else if (!mustStay && !facts.leavesInTime(job, given.configuration(), stays, piece.node())) {
                add(
                        "maintenanceFindsItsNodesEmpty",
                        "job %s will not leave node %s before its maintenance".formatted(job.id(), piece.node()));
            }
        }
        for (AggregationShare share : given.aggregation()) {
            if (facts.isInMaintenance(share.node())) {
                add(
                        "maintenanceFindsItsNodesEmpty",
                        "job %s aggregates on node %s, which is in maintenance".formatted(job.id(), share.node()));
            }
        }
    }

    /** Who may leave is on a node that will be kept for others only if it will have left in time. */
    private void reservationsFindTheirNodesFree(boolean stays) {
        for (NodeShare piece : given.placement()) {
            if (!facts.leavesForOthersInTime(job, given.configuration(), stays, piece.node())) {
                add(
                        "reservationsFindTheirNodesFree",
                        "job %s will not leave node %s before it is kept for others".formatted(job.id(), piece.node()));
            }
        }
    }

    private void wholeNodesWhereThePoolDemandsThem() {
        if (given.placement().size() < 2
                || !facts.needsWholeNodes(given.configuration().pool())) {
            return;
        }
        for (NodeShare piece : given.placement()) {
            Node node = facts.node(piece.node());
            if (node != null && piece.slots() != node.slots()) {
                add(
                        "wholeNodesWhereThePoolDemandsThem",
                        "job %s takes %d of %d slots of node %s"
                                .formatted(job.id(), piece.slots(), node.slots(), node.id()));
            }
        }
    }

    private void aggregationIsComplete() {
        long thousandths = given.aggregation().stream()
                .mapToLong(AggregationShare::thousandths)
                .sum();
        if (thousandths != given.configuration().aggregationThousandths()) {
            add(
                    "aggregationIsComplete",
                    "job %s has %d thousandths of an aggregation slot for %d"
                            .formatted(
                                    job.id(), thousandths, given.configuration().aggregationThousandths()));
        }
        for (AggregationShare share : given.aggregation()) {
            Node node = facts.node(share.node());
            if (node == null || !node.pool().equals(given.configuration().pool())) {
                add(
                        "aggregationIsComplete",
                        "job %s: node %s is not of pool %s"
                                .formatted(
                                        job.id(),
                                        share.node(),
                                        given.configuration().pool()));
            }
        }
    }

    private void add(String rule, String message) {
        violations.add(new Violation(rule, job.id(), message));
    }
}
