package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodePreference;
import dev.spur.model.cluster.TopologyLevel;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.model.utility.Utility;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** All configurations that the documentation of candidates promises, dominated ones included, each found by trying. */
final class AllConfigurations {
    private final RoundProblem problem;
    private final ClusterIndex clusterIndex;
    private final NodeSupplies supplies;
    private final Utility utility;

    private AllConfigurations(RoundProblem problem) {
        this.problem = problem;
        this.clusterIndex = new ClusterIndex(problem);
        this.supplies = new NodeSupplies(problem, clusterIndex);
        this.utility = new Utility(problem);
    }

    /** The candidates of {@code problem}, with what {@code generated} says of those that are kept. */
    static CandidateSet of(RoundProblem problem, CandidateSet generated) {
        AllConfigurations all = new AllConfigurations(problem);
        List<JobCandidates> byJob = new ArrayList<>();
        for (int j = 0; j < problem.jobs().size(); j++) {
            JobCandidates own = generated.of(j);
            List<Candidate> freshCandidates = own.pinned() ? List.of() : all.fresh(j);
            byJob.add(new JobCandidates(
                    j, freshCandidates, own.otherCandidates(), own.retainedCandidate(), own.pinned(), own.reason()));
        }
        return new CandidateSet(problem, all.clusterIndex, all.utility, byJob);
    }

    private List<Candidate> fresh(int j) {
        Job job = problem.jobs().get(j);
        List<Candidate> freshCandidates = new ArrayList<>();
        for (NodeClass nodeClass : clusterIndex.classes()) {
            boolean open = job.spec().elasticity().allowsType(nodeClass.acceleratorType())
                    && job.spec().elasticity().allowsPool(nodeClass.pool())
                    && clusterIndex.isOpen(nodeClass, job);
            for (HostLevel level : job.spec().hostLevels()) {
                Job granted = job.withSpec(
                        job.spec().edit().host(HostDemand.of(level), null).build());
                for (SyncStrategy strategy : SyncStrategy.values()) {
                    Set<NodeAccess> levels = open ? levels(nodeClass, job) : Set.of();
                    TopologyRequest topology = job.spec().elasticity().topology();
                    if (topology == null) {
                        addAll(freshCandidates, j, granted, nodeClass, levels, strategy, 0, shape -> true);
                        continue;
                    }
                    addAll(freshCandidates, j, granted, nodeClass, levels, strategy, 0, shape -> shape.size() == 1);
                    spans(nodeClass, topology)
                            .forEach((span, crossings) -> addAll(
                                    freshCandidates,
                                    j,
                                    granted,
                                    nodeClass,
                                    levels.stream()
                                            .map(access -> within(access, span, nodeClass))
                                            .filter(access -> !access.isEmpty())
                                            .collect(Collectors.toSet()),
                                    strategy,
                                    crossings,
                                    shape -> shape.size() > 1));
                }
            }
        }
        return freshCandidates;
    }

    private void addAll(
            List<Candidate> foundCandidates,
            int j,
            Job job,
            NodeClass nodeClass,
            Set<NodeAccess> accesses,
            SyncStrategy strategy,
            int crossings,
            Predicate<List<Integer>> offered) {
        Set<List<Integer>> union = new HashSet<>();
        accesses.forEach(access -> union.addAll(shapes(job, nodeClass, access, strategy)));
        for (NodeAccess access : accesses) {
            Set<List<Integer>> own = shapes(job, nodeClass, access, strategy);
            for (List<Integer> shape : clusterIndex.needsWholeNodes(nodeClass.pool()) ? own : union) {
                if (holds(job.spec(), nodeClass, access, shape) && offered.test(shape)) {
                    addAll(foundCandidates, j, job, nodeClass, access, strategy, shape, crossings);
                }
            }
        }
    }

    /**
     * The open nodes up to each price if prices count, and of each size where whole nodes are needed; all and the
     * preferred.
     */
    private Set<NodeAccess> levels(NodeClass nodeClass, Job job) {
        NodeAccess open = clusterIndex.open(nodeClass, job);
        boolean whole = clusterIndex.needsWholeNodes(nodeClass.pool());
        Set<NodeAccess> accesses = new HashSet<>();
        for (int v : nodeClass.nodes()) {
            Node top = problem.nodes().get(v);
            accesses.add(clusterIndex.select(open, nodeClass, atom -> {
                Node node = problem.nodes().get(atom.nodes().get(0));
                return isCheapEnough(node, top);
            }));
            if (whole) {
                accesses.add(clusterIndex.select(open, nodeClass, atom -> {
                    Node node = problem.nodes().get(atom.nodes().get(0));
                    return isCheapEnough(node, top) && node.slots() == top.slots();
                }));
            }
        }
        NodePreference preference = job.spec().elasticity().preferredNodes();
        if (preference != null) {
            List.copyOf(accesses)
                    .forEach(access -> accesses.add(clusterIndex.select(
                            access,
                            nodeClass,
                            atom -> preference.includes(
                                    problem.nodes().get(atom.nodes().get(0))))));
        }
        accesses.removeIf(NodeAccess::isEmpty);
        return accesses;
    }

    private NodeAccess within(NodeAccess access, Set<Integer> span, NodeClass nodeClass) {
        return clusterIndex.select(access, nodeClass, atom -> span.containsAll(atom.nodes()));
    }

    /** The nodes of the class by rack, by block and together, with the boundaries between them. */
    private Map<Set<Integer>, Integer> spans(NodeClass nodeClass, TopologyRequest topology) {
        Map<Set<Integer>, Integer> spans = new LinkedHashMap<>();
        boolean ofRacks = topology.level() == TopologyLevel.RACK;
        for (int v : nodeClass.nodes()) {
            Node node = problem.nodes().get(v);
            Object own = ofRacks ? node.rack() : node.block();
            if (own != null) {
                spans.putIfAbsent(
                        nodesLike(
                                nodeClass,
                                other -> Objects.equals(other.block(), node.block())
                                        && (!ofRacks || own.equals(other.rack()))),
                        0);
            }
        }
        if (!topology.requiresDomain() && ofRacks) {
            nodeClass.nodes().stream()
                    .map(v -> problem.nodes().get(v).block())
                    .forEach(block ->
                            spans.putIfAbsent(nodesLike(nodeClass, other -> Objects.equals(other.block(), block)), 1));
        }
        if (!topology.requiresDomain()) {
            spans.putIfAbsent(nodesLike(nodeClass, other -> true), ofRacks ? 2 : 1);
        }
        return spans;
    }

    private Set<Integer> nodesLike(NodeClass nodeClass, Predicate<Node> which) {
        return nodeClass.nodes().stream()
                .filter(v -> which.test(problem.nodes().get(v)))
                .collect(Collectors.toSet());
    }

    private boolean isCheapEnough(Node node, Node top) {
        return !clusterIndex.pricesCount() || node.pricePerSlotHour() <= top.pricePerSlotHour();
    }

    private Set<List<Integer>> shapes(Job job, NodeClass nodeClass, NodeAccess access, SyncStrategy strategy) {
        JobSpec spec = job.spec();
        Set<List<Integer>> shapes = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        boolean whole = clusterIndex.needsWholeNodes(nodeClass.pool());
        NodeSupply supply = supplies.of(nodeClass, access, spec.host());
        for (int slots = 1; slots <= supply.idleSizes().slots(); slots++) {
            if (!spec.elasticity().allowsCount(slots)) {
                continue;
            }
            List<List<Integer>> own = shapes(job, nodeClass, access, slots);
            List<List<Integer>> unlimited = shapes(job, nodeClass, access, HostDemand.NONE, slots);
            if (unlimited.isEmpty()) {
                continue;
            }
            int fewest = unlimited.get(0).size();
            int[] perNode = nodeSlots(nodeClass, access);
            own.stream()
                    .filter(shape -> !whole || shape.size() == 1 || isWhole(shape, perNode))
                    .filter(shape -> !spec.elasticity().consolidate() || shape.size() == fewest)
                    .forEach(shapes::add);
            for (int nodes = fewest + 1; !whole && !spec.elasticity().consolidate() && nodes <= slots; nodes++) {
                if (spec.profile()
                        .nodeCounts(nodeClass.acceleratorType(), strategy, slots)
                        .contains(nodes)) {
                    List<Integer> even = supply.idleSizes().even(slots, nodes);
                    if (holds(spec, nodeClass, access, even)) {
                        shapes.add(even);
                    }
                }
            }
        }
        shapes.removeIf(shape -> shape.isEmpty() || !spec.elasticity().allowsNodes(shape.size()));
        return shapes;
    }

    /** By the slots that hosts feed: for all counts if no piece is too large, and for the smallest count. */
    private List<List<Integer>> shapes(Job job, NodeClass nodeClass, NodeAccess access, int slots) {
        HostDemand host = job.spec().host();
        List<List<Integer>> unlimited = shapes(job, nodeClass, access, HostDemand.NONE, slots);
        List<List<Integer>> tried = unlimited;
        List<List<Integer>> all = fed(job.spec(), nodeClass, access, tried);
        boolean isSmallest = slots == job.spec().elasticity().minCount().orElse(0);
        HostDemand most = HostDemand.NONE;
        for (int i = 0; i < 100 && isSmallest && all.isEmpty() && !tried.isEmpty(); i++) {
            most = most.max(host.plus(job.spec().roles().largestShare(tried.get(0))));
            tried = shapes(job, nodeClass, access, most, slots);
            all = fed(job.spec(), nodeClass, access, tried);
        }
        return all;
    }

    private List<List<Integer>> fed(JobSpec spec, NodeClass nodeClass, NodeAccess access, List<List<Integer>> shapes) {
        return shapes.stream()
                .filter(shape -> holds(spec, nodeClass, access, shape))
                .toList();
    }

    /** Whether distinct nodes have the slots of each piece, with the host resources of ranks and roles. */
    private boolean holds(JobSpec spec, NodeClass nodeClass, NodeAccess access, List<Integer> shape) {
        HostDemand demand = spec.host().plus(spec.roles().largestShare(shape));
        return supplies.of(nodeClass, access, demand).idleSizes().hold(shape);
    }

    private List<List<Integer>> shapes(Job job, NodeClass nodeClass, NodeAccess access, HostDemand host, int slots) {
        NodeSupply supply = supplies.of(nodeClass, access, host);
        return supply.shapes(
                slots,
                job.allocation() == null
                        ? supply.freeSizes()
                        : supplies.freeFor(job.allocation(), supply, nodeClass, access, host),
                slots == job.spec().elasticity().minCount().orElse(0));
    }

    private static boolean isWhole(List<Integer> shape, int[] nodeSlots) {
        return nodeSlots.length == 1 && shape.stream().allMatch(piece -> piece == nodeSlots[0]);
    }

    private int[] nodeSlots(NodeClass nodeClass, NodeAccess access) {
        return nodeClass.nodes().stream()
                .filter(access::contains)
                .mapToInt(v -> problem.nodes().get(v).slots())
                .distinct()
                .toArray();
    }

    private void addAll(
            List<Candidate> foundCandidates,
            int j,
            Job job,
            NodeClass nodeClass,
            NodeAccess access,
            SyncStrategy strategy,
            List<Integer> shape,
            int crossings) {
        Job stated = problem.jobs().get(j);
        HostDemand host = job.spec().host();
        HostGrant grant =
                host.equals(stated.spec().host()) ? null : new HostGrant(host.cpusPerSlot(), host.memoryGiBPerSlot());
        for (double aggregation : aggregations(job.spec(), nodeClass, strategy, shape)) {
            int slots = shape.stream().mapToInt(Integer::intValue).sum();
            String type = nodeClass.acceleratorType();
            Goodput.bestBatch(job.spec(), type, slots, shape.size(), strategy, aggregation)
                    .ifPresent(batch -> {
                        int passes = job.spec().batch().accumulationSteps(batch, type, slots);
                        Configuration configuration = new Configuration(
                                nodeClass.pool(), type, shape, strategy, aggregation, batch, passes, grant, crossings);
                        double goodput = Goodput.of(stated.spec(), configuration);
                        Candidate best = changes(stated, nodeClass, configuration).stream()
                                .map(change -> new Candidate(
                                        j,
                                        configuration,
                                        nodeClass.index(),
                                        access,
                                        goodput,
                                        utility.of(stated)
                                                .of(
                                                        configuration,
                                                        goodput,
                                                        change,
                                                        clusterIndex.terms(stated, nodeClass.index(), access)),
                                        change))
                                .reduce((a, b) -> b.utility() > a.utility() ? b : a)
                                .orElseThrow();
                        if (Double.isFinite(best.utility())) {
                            foundCandidates.add(best);
                        }
                    });
        }
    }

    /** A restart, and the changes for which the nodes have devices once all jobs but the pinned ones have left. */
    private List<ChangeMechanism> changes(Job job, NodeClass nodeClass, Configuration configuration) {
        List<ChangeMechanism> changes = new ArrayList<>(List.of(ChangeMechanism.RESTART));
        Allocation heldAllocation = job.allocation();
        if (heldAllocation == null) {
            return changes;
        }
        List<Integer> others = new ArrayList<>();
        for (int v : nodeClass.nodes()) {
            Set<String> devices = new HashSet<>(problem.nodes().get(v).devices());
            problem.jobs().stream()
                    .filter(JobPins.of(problem)::isPinned)
                    .forEach(other -> devices.removeAll(devicesOf(other.allocation(), v)));
            if (v == clusterIndex.indexOf(heldAllocation.placement().get(0).node())
                    && job.spec().rescales()
                    && configuration.rescalesTo(heldAllocation.configuration())
                    && configuration.shape().get(configuration.nodes() - 1) <= devices.size()) {
                changes.add(ChangeMechanism.RESCALE);
            }
            devices.removeAll(devicesOf(heldAllocation, v));
            others.add(devices.size());
        }
        others.sort(Comparator.reverseOrder());
        List<Integer> shape = configuration.shape();
        if (job.spec().migratesTo(configuration)
                && IntStream.range(0, shape.size()).allMatch(i -> shape.get(i) <= others.get(i))) {
            changes.add(ChangeMechanism.MIGRATE);
        }
        return changes;
    }

    private List<String> devicesOf(Allocation heldAllocation, int v) {
        return heldAllocation.placement().stream()
                .filter(share -> clusterIndex.indexOf(share.node()) == v)
                .flatMap(share -> share.devices().stream())
                .toList();
    }

    private Set<Double> aggregations(JobSpec spec, NodeClass nodeClass, SyncStrategy strategy, List<Integer> shape) {
        Set<Double> steps = new TreeSet<>();
        if (strategy == SyncStrategy.ALL_REDUCE) {
            steps.add(0.0);
        } else {
            double offered = 0;
            for (Node node : problem.nodes()) {
                offered += node.pool().equals(nodeClass.pool()) && clusterIndex.offersAggregation(node)
                        ? Math.round(node.aggregationSlots() * 1000) / 1000.0
                        : 0;
            }
            offered = Math.min(offered, cpusNextTo(spec, nodeClass, shape));
            double max = Math.min(spec.synchronization().maxAggregationSlots(), offered);
            steps.add(spec.synchronization().minAggregationSlots());
            steps.add(max);
            for (double step = 1; step <= max; step++) {
                steps.add(step);
            }
            for (double step : spec.profile().aggregationSlots(nodeClass.acceleratorType())) {
                steps.add(step);
            }
            steps.removeIf(step -> step > max);
        }
        steps.removeIf(step -> !spec.synchronization().allows(strategy, step));
        return steps;
    }

    /** Where every node of the class offers aggregation, the slots and their aggregators share the CPUs of the pool. */
    private double cpusNextTo(JobSpec spec, NodeClass nodeClass, List<Integer> shape) {
        double left = 0;
        for (int v = 0; v < problem.nodes().size(); v++) {
            Node node = problem.nodes().get(v);
            boolean offers = node.aggregationSlots() > 0 && clusterIndex.offersAggregation(node);
            if (nodeClass.nodes().contains(v) && !offers) {
                return Double.POSITIVE_INFINITY;
            }
            left += offers && node.pool().equals(nodeClass.pool()) ? node.cpus() : 0;
        }
        int slots = shape.stream().mapToInt(Integer::intValue).sum();
        double taken = slots * spec.host().cpusPerSlot();
        return taken == 0 ? Double.POSITIVE_INFINITY : Math.floor(1000 * (left - taken) + 1e-6) / 1000;
    }
}
