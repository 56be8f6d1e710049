package dev.spur.model.validation;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.cluster.TopologyLevel;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.utility.Goodput;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Validates the allocation of one job, independent of all other jobs. */
final class AllocationCheck {
    private final ProblemIndex index;
    private final Job job;
    private final Allocation allocation;
    private final List<Violation> violations;

    AllocationCheck(ProblemIndex index, Job job, Allocation allocation, List<Violation> violations) {
        this.index = index;
        this.job = job;
        this.allocation = allocation;
        this.violations = violations;
    }

    /**
     * Returns true if the specification of the job allows {@code configuration} and its profile has a positive
     * throughput there.
     */
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
     * Returns true for the initial batch while the efficiency is unknown, and for any batch within the limits
     * afterwards, if the devices share it equally in each pass.
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
        boolean stays = job.changeTo(allocation).keepsProcesses();
        boolean mustStay = stays && index.mustStay(job);
        if (!mustStay) {
            specificationAllowsTheConfiguration();
            devicesSupportTheStrategy();
            nodesAdmitTheJob(stays);
            nodesMeetTheRequirements();
            nodesAreInOneDomain();
            crossingsAreThoseOfTheNodes();
            jobsLeaveBeforeReservations(stays);
            wholeNodesWhereThePoolRequiresThem();
        }
        hostGrantIsASensitivityLevel();
        jobsLeaveBeforeMaintenance(stays, mustStay);
        gangIsComplete();
        nodesMatchPoolAndType();
        aggregationIsComplete();
    }

    private void specificationAllowsTheConfiguration() {
        Configuration configuration = allocation.configuration();
        if (!isAllowed(job, configuration)) {
            add(
                    "specificationAllowsTheConfiguration",
                    "job %s does not allow the configuration %s".formatted(job.id(), configuration));
        }
    }

    /** A host grant may change at any time, but only to a level for which the job's speed is known. */
    private void hostGrantIsASensitivityLevel() {
        Configuration configuration = allocation.configuration();
        boolean isAsBefore = job.allocation() != null
                && Objects.equals(job.allocation().configuration().host(), configuration.host());
        if (!isAsBefore && job.spec().hostSpeed(configuration) == 0) {
            add(
                    "hostGrantIsASensitivityLevel",
                    "job %s has no hostSensitivity level for %s".formatted(job.id(), configuration.host()));
        }
    }

    private void devicesSupportTheStrategy() {
        Configuration configuration = allocation.configuration();
        if (!index.supportsStrategy(configuration)) {
            add(
                    "devicesSupportTheStrategy",
                    "job %s uses AllReduce on %d slots of type %s, above the maxAllReduceSlots of the type"
                            .formatted(job.id(), configuration.slots(), configuration.acceleratorType()));
        }
    }

    private void gangIsComplete() {
        List<Integer> slots = allocation.placement().stream()
                .map(NodeShare::slots)
                .sorted(Comparator.reverseOrder())
                .toList();
        if (!slots.equals(allocation.configuration().shape())) {
            add(
                    "gangIsComplete",
                    "job %s has %s slots on its nodes, but the shape %s"
                            .formatted(
                                    job.id(), slots, allocation.configuration().shape()));
        }
    }

    private void nodesMatchPoolAndType() {
        Configuration configuration = allocation.configuration();
        for (NodeShare nodeShare : allocation.placement()) {
            Node node = index.node(nodeShare.node());
            if (node == null
                    || !node.pool().equals(configuration.pool())
                    || !configuration.acceleratorType().equals(node.acceleratorType())) {
                add(
                        "nodesMatchPoolAndType",
                        "job %s: node %s is not in pool %s with type %s"
                                .formatted(
                                        job.id(),
                                        nodeShare.node(),
                                        configuration.pool(),
                                        configuration.acceleratorType()));
            }
        }
    }

    private void nodesAdmitTheJob(boolean stays) {
        for (NodeShare nodeShare : allocation.placement()) {
            Node node = index.node(nodeShare.node());
            boolean open = node != null
                    && (stays ? node.state().letsJobsStay() : node.state().takesNewJobs())
                    && index.admits(job, nodeShare.node());
            if (!open) {
                add(
                        "nodesAdmitTheJob",
                        "job %s may not run on node %s because of its state or a reservation"
                                .formatted(job.id(), nodeShare.node()));
            }
        }
    }

    /** The labels of each node meet the requirements of the job. */
    private void nodesMeetTheRequirements() {
        for (NodeShare nodeShare : allocation.placement()) {
            Node node = index.node(nodeShare.node());
            NodeRequirement unmet = node == null ? null : index.firstUnmet(job, node);
            if (unmet != null) {
                add(
                        "nodesMeetTheRequirements",
                        "job %s: node %s does not meet the requirement %s"
                                .formatted(job.id(), nodeShare.node(), unmet));
            }
        }
    }

    /** A job that requires a domain of the topology is on one node, or on nodes of one domain. */
    private void nodesAreInOneDomain() {
        TopologyRequest topology = job.spec().elasticity().topology();
        if (topology != null
                && topology.requiresDomain()
                && boundaries(topology.level() == TopologyLevel.RACK, topology.level() == TopologyLevel.BLOCK) > 0) {
            add(
                    "nodesAreInOneDomain",
                    "job %s requires one %s, but is on %s"
                            .formatted(
                                    job.id(),
                                    topology.level(),
                                    allocation.placement().stream()
                                            .map(NodeShare::node)
                                            .toList()));
        }
    }

    /** The configuration states the boundaries between the nodes, which determine the speed of the job. */
    private void crossingsAreThoseOfTheNodes() {
        TopologyRequest topology = job.spec().elasticity().topology();
        int actual = topology == null || topology.requiresDomain()
                ? 0
                : boundaries(topology.level() == TopologyLevel.RACK, true);
        int stated = allocation.configuration().boundaries();
        if (stated != actual) {
            add(
                    "crossingsAreThoseOfTheNodes",
                    "job %s states %d crossings, but its nodes have %d".formatted(job.id(), stated, actual));
        }
    }

    /**
     * Returns how many of the stated levels divide the nodes. A node without a rack has one of its own. A node without
     * a block has one of its own if racks do not count; otherwise nodes without blocks share one.
     */
    private int boundaries(boolean countsRacks, boolean countsBlocks) {
        Set<String> blocks = new HashSet<>();
        Set<List<String>> racks = new HashSet<>();
        for (NodeShare nodeShare : allocation.placement()) {
            Node node = index.node(nodeShare.node());
            String own = "without " + nodeShare.node();
            String block = node == null ? null : node.labels().get("block");
            String rack = node == null ? null : node.rack();
            blocks.add(block != null ? block : countsRacks ? "" : own);
            racks.add(rack != null ? List.of(String.valueOf(block), rack) : List.of(own));
        }
        return (countsRacks && racks.size() > 1 ? 1 : 0) + (countsBlocks && blocks.size() > 1 ? 1 : 0);
    }

    /**
     * No job is on a node under maintenance, and a preemptible job is on a node only if it leaves before maintenance.
     */
    private void jobsLeaveBeforeMaintenance(boolean stays, boolean mustStay) {
        for (NodeShare nodeShare : allocation.placement()) {
            if (index.isInMaintenance(nodeShare.node())) {
                add(
                        "jobsLeaveBeforeMaintenance",
                        "job %s is on node %s, which is in maintenance".formatted(job.id(), nodeShare.node()));
            } else if (!mustStay
                    && !index.leavesBeforeMaintenance(job, allocation.configuration(), stays, nodeShare.node())) {
                add(
                        "jobsLeaveBeforeMaintenance",
                        "job %s will not leave node %s before its maintenance".formatted(job.id(), nodeShare.node()));
            }
        }
        for (AggregationShare share : allocation.aggregation()) {
            if (index.isInMaintenance(share.node())) {
                add(
                        "jobsLeaveBeforeMaintenance",
                        "job %s aggregates on node %s, which is in maintenance".formatted(job.id(), share.node()));
            }
        }
    }

    /** A preemptible job is on a node that will be reserved for others only if it leaves before. */
    private void jobsLeaveBeforeReservations(boolean stays) {
        for (NodeShare nodeShare : allocation.placement()) {
            if (!index.leavesBeforeReservations(job, allocation.configuration(), stays, nodeShare.node())) {
                add(
                        "jobsLeaveBeforeReservations",
                        "job %s will not leave node %s before its reservation for others"
                                .formatted(job.id(), nodeShare.node()));
            }
        }
    }

    private void wholeNodesWhereThePoolRequiresThem() {
        if (allocation.placement().size() < 2
                || !index.needsWholeNodes(allocation.configuration().pool())) {
            return;
        }
        for (NodeShare nodeShare : allocation.placement()) {
            Node node = index.node(nodeShare.node());
            if (node != null && nodeShare.slots() != node.slots()) {
                add(
                        "wholeNodesWhereThePoolRequiresThem",
                        "job %s uses %d of %d slots of node %s, but the pool requires whole nodes"
                                .formatted(job.id(), nodeShare.slots(), node.slots(), node.id()));
            }
        }
    }

    private void aggregationIsComplete() {
        long thousandths = allocation.aggregation().stream()
                .mapToLong(AggregationShare::thousandths)
                .sum();
        if (thousandths != allocation.configuration().aggregationThousandths()) {
            add(
                    "aggregationIsComplete",
                    "job %s holds %d thousandths of aggregation slots, but its configuration has %d"
                            .formatted(
                                    job.id(),
                                    thousandths,
                                    allocation.configuration().aggregationThousandths()));
        }
        for (AggregationShare share : allocation.aggregation()) {
            Node node = index.node(share.node());
            if (node == null || !node.pool().equals(allocation.configuration().pool())) {
                add(
                        "aggregationIsComplete",
                        "job %s: node %s is not in pool %s"
                                .formatted(
                                        job.id(),
                                        share.node(),
                                        allocation.configuration().pool()));
            }
        }
    }

    private void add(String rule, String message) {
        violations.add(new Violation(rule, job.id(), message));
    }
}
