package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodePreference;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.model.utility.NodeTerms;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The nodes of a problem, numbered in its order, their classes, and which of them a job may use. */
public final class ClusterIndex {
    private final List<Node> nodes;
    private final NodeClassification classification;
    private final NodeAdmission admission;
    private final Map<String, Integer> indexOf = new HashMap<>();
    private final Set<String> wholeNodePools = new HashSet<>();
    private final Map<String, Long> aggregation = new HashMap<>();
    private final Map<String, Double> cpusWithAggregation = new HashMap<>();
    /** Classes of which every node has aggregation slots for new jobs. */
    private final BitSet withAggregation = new BitSet();

    private final Map<String, AcceleratorType> types = new HashMap<>();
    private final boolean pricesCount;
    private final TopologySpans spans = new TopologySpans(this);
    /** By atoms of one class, not all of them: the access to these. */
    private final Map<BitSet, NodeAccess> knownAccesses = new ConcurrentHashMap<>();

    public ClusterIndex(RoundProblem problem) {
        this(problem, Map.of());
    }

    /** @param reservedFrom by id of a node that accepts only jobs that are expected to end in time: the time */
    ClusterIndex(RoundProblem problem, Map<String, Double> reservedFrom) {
        nodes = problem.nodes();
        admission = new NodeAdmission(problem, reservedFrom);
        pricesCount = problem.settings().objective().countsPrices();
        problem.acceleratorTypes().forEach(type -> types.put(type.name(), type));
        problem.pools().stream().filter(Pool::wholeNodes).forEach(pool -> wholeNodePools.add(pool.name()));
        classification = new NodeClassification(nodes);
        List<Integer> members = new ArrayList<>();
        for (int v = 0; v < nodes.size(); v++) {
            Node node = nodes.get(v);
            indexOf.put(node.id(), v);
            if (hasAggregation(v)) {
                cpusWithAggregation.merge(node.pool(), node.cpus(), Double::sum);
                aggregation.merge(node.pool(), Math.round(node.aggregationSlots() * 1000), Long::sum);
            }
            if (node.slots() > 0 && node.state().takesNewJobs() && !admission.isClosed(node.id())) {
                members.add(v);
            }
        }
        classification.classify(members, new NodeDistinction());
        for (NodeClass nodeClass : classes()) {
            withAggregation.set(nodeClass.index(), nodeClass.nodes().stream().allMatch(this::hasAggregation));
        }
    }

    private final class NodeDistinction implements NodeClassification.Distinction {
        @Override
        public NodeAdmission.Rules rules(Node node) {
            return admission.rules(node);
        }

        @Override
        public boolean pricesCount() {
            return pricesCount;
        }

        @Override
        public boolean needsWholeNodes(String pool) {
            return wholeNodePools.contains(pool);
        }
    }

    /** All nodes, in the order of the problem. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Returns the classes of schedulable nodes, in the order of their first nodes. */
    public List<NodeClass> classes() {
        return classification.classes();
    }

    /** Returns the atoms of all classes, class by class. */
    public List<NodeAtom> atoms() {
        return classification.atoms();
    }

    /** Returns the index of the class of node {@code v}; -1 if the node accepts no jobs. */
    public int classOf(int v) {
        return classification.classOf(v);
    }

    /** Returns the index of the atom of node {@code v}; -1 if the node accepts no jobs. */
    public int atomOf(int v) {
        return classification.atomOf(v);
    }

    /** Number of the node {@code id}; the id is one of the problem. */
    public int indexOf(String id) {
        Integer index = indexOf.get(id);
        if (index == null) {
            throw new IllegalArgumentException("node %s is not in the problem".formatted(id));
        }
        return index;
    }

    /** Returns the access to the atom of node {@code v}, which accepts jobs. */
    public NodeAccess accessOf(int v) {
        return NodeAccess.of(
                List.of(atoms().get(atomOf(v))), classes().get(classOf(v)).atoms());
    }

    /**
     * Returns the nodes of the class to which requirements and active reservations admit {@code job}; possibly none.
     */
    public NodeAccess open(NodeClass nodeClass, Job job) {
        return select(NodeAccess.WHOLE, nodeClass, atom -> admission.includes(job, atom.firstNode()));
    }

    /**
     * Returns {@code candidate}, which is not kept, across all domains of the topology: with access to all nodes of its
     * class to which requirements and active reservations admit its job.
     */
    public Candidate acrossDomains(Candidate candidate, Job job) {
        return candidate.withAccess(open(classes().get(candidate.nodeClass()), job));
    }

    /**
     * Returns those nodes of {@code access} to which coming maintenance and reservations admit {@code job} at
     * {@code goodput} effective samples per second; possibly none.
     */
    NodeAccess admit(NodeAccess access, NodeClass nodeClass, Job job, double goodput) {
        return select(
                access, nodeClass, atom -> !atom.isLimitedInTime() || admission.admits(atom.firstNode(), job, goodput));
    }

    /** Returns the atoms of {@code access} that {@code which} accepts. */
    NodeAccess select(NodeAccess access, NodeClass nodeClass, Predicate<NodeAtom> which) {
        BitSet retained = new BitSet();
        boolean retainsAll = true;
        for (NodeAtom atom : nodeClass.atoms()) {
            if (access.containsAtom(atom.index())) {
                boolean accepted = which.test(atom);
                retained.set(atom.index(), accepted);
                retainsAll &= accepted;
            }
        }
        if (retainsAll) {
            return access;
        }
        NodeAccess known = knownAccesses.get(retained);
        return known != null
                ? known
                : knownAccesses.computeIfAbsent(
                        retained,
                        atoms -> NodeAccess.of(
                                nodeClass.atoms().stream()
                                        .filter(atom -> atoms.get(atom.index()))
                                        .toList(),
                                nodeClass.atoms()));
    }

    /**
     * Returns the nodes of {@code access} to {@code nodeClass} that {@code otherAccess} to the same class contains as
     * well; possibly none.
     */
    NodeAccess intersect(NodeAccess access, NodeAccess otherAccess, NodeClass nodeClass) {
        return otherAccess.isWhole()
                ? access
                : access.isWhole()
                        ? otherAccess
                        : select(access, nodeClass, atom -> otherAccess.containsAtom(atom.index()));
    }

    /** Returns the parts of a class on which gangs may lie. */
    TopologySpans spans() {
        return spans;
    }

    /** Returns {@code configuration} of {@code job} with the crossings of its nodes, those of {@code nodeShares}. */
    public Configuration withCrossings(Job job, Configuration configuration, List<NodeShare> nodeShares) {
        return job.spec().elasticity().topology() == null && configuration.boundaries() == 0
                ? configuration
                : configuration.withCrossings(job.spec().elasticity().crossings(nodesOf(nodeShares)));
    }

    private List<Node> nodesOf(List<NodeShare> nodeShares) {
        return nodeShares.stream()
                .map(share -> nodes.get(indexOf(share.node())))
                .toList();
    }

    /** Returns whether the objective counts the prices of nodes. */
    boolean pricesCount() {
        return pricesCount;
    }

    /**
     * Returns what the nodes of a start or change of {@code job} with {@code access} to the class contribute: the price
     * of the highest-priced node where prices count, otherwise 0, and the factor of the least preferred one.
     */
    public NodeTerms terms(Job job, int nodeClass, NodeAccess access) {
        NodePreference preference = job.spec().elasticity().preferredNodes();
        if (nodeClass < 0 || (!pricesCount && preference == null)) {
            return NodeTerms.ofPrice(0);
        }
        double price = 0;
        double factor = 1;
        for (NodeAtom atom : classes().get(nodeClass).atoms()) {
            if (access.containsAtom(atom.index())) {
                price = pricesCount ? Math.max(price, atom.price()) : 0;
                factor = preference == null || prefers(job, atom) ? factor : preference.factorElsewhere();
            }
        }
        return new NodeTerms(price, factor);
    }

    /** Returns what the nodes of {@code allocation} contribute; those that the job keeps count as preferred. */
    public NodeTerms terms(Job job, Allocation allocation) {
        NodePreference preference = job.spec().elasticity().preferredNodes();
        double price = nodesOf(allocation.placement()).stream()
                .mapToDouble(Node::pricePerSlotHour)
                .max()
                .orElse(0);
        return preference == null || job.changeTo(allocation).keepsProcesses() || prefersAll(job, allocation)
                ? NodeTerms.ofPrice(price)
                : new NodeTerms(price, preference.factorElsewhere());
    }

    /** Returns whether {@code job} prefers all nodes of {@code allocation}, or has no preference. */
    public boolean prefersAll(Job job, Allocation allocation) {
        return allocation.placement().stream().allMatch(share -> admission.prefers(job, share.node()));
    }

    /** Returns whether {@code job} prefers the nodes of {@code atom}, or has no preference. */
    boolean prefers(Job job, NodeAtom atom) {
        return admission.prefers(job, atom.firstNode());
    }

    /** Returns whether requirements and active reservations admit {@code job} to some node of the class. */
    public boolean isOpen(NodeClass nodeClass, Job job) {
        for (NodeAtom atom : nodeClass.atoms()) {
            if (admission.includes(job, atom.firstNode())) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether requirements and active reservations admit {@code job} to node {@code v}. */
    public boolean isOpen(int v, Job job) {
        String id = nodes.get(v).id();
        return !admission.isClosed(id) && admission.includes(job, id);
    }

    /**
     * Returns the reservation that keeps {@code job} off {@code node}, active or because the job would not leave in
     * time; null if there is none.
     */
    public @Nullable Reservation keepsOff(String node, Job job) {
        return admission.keepsOff(node, job);
    }

    /** Returns whether node {@code v} accepts only jobs that are expected to end before a starving job starts. */
    boolean isReservedLater(int v) {
        return admission.isReservedLater(nodes.get(v).id());
    }

    /** Returns whether {@code job} may be placed on node {@code v} at any speed. */
    public boolean admitsAnyway(int v, Job job) {
        return admission.admits(nodes.get(v).id(), job, 0);
    }

    /** Returns whether workers on {@code slots} devices of {@code type} may combine gradients by {@code strategy}. */
    public boolean canSum(String type, SyncStrategy strategy, int slots) {
        AcceleratorType knownType = types.get(type);
        return strategy != SyncStrategy.ALL_REDUCE || knownType == null || knownType.reducesOn(slots);
    }

    /** Returns whether jobs on several nodes of {@code pool} need whole nodes. */
    public boolean needsWholeNodes(String pool) {
        return wholeNodePools.contains(pool);
    }

    /** Returns the thousandths of aggregation slots on the schedulable, unreserved nodes of {@code pool}. */
    public long aggregationThousandths(String pool) {
        return aggregation.getOrDefault(pool, 0L);
    }

    /** Returns the CPUs of the nodes of {@code pool} that have aggregation slots for new jobs. */
    double cpusWithAggregation(String pool) {
        return cpusWithAggregation.getOrDefault(pool, 0.0);
    }

    /** Returns whether node {@code v} has aggregation slots for new jobs. */
    public boolean hasAggregation(int v) {
        return nodes.get(v).aggregationSlots() > 0 && offersAggregation(nodes.get(v));
    }

    /** Returns whether every node of the class has aggregation slots for new jobs. */
    boolean haveAggregation(NodeClass nodeClass) {
        return withAggregation.get(nodeClass.index());
    }

    /** Returns whether new aggregation may be placed on {@code node}. */
    public boolean offersAggregation(Node node) {
        return admission.offersAggregation(node);
    }

    /**
     * Returns whether {@code job} could stay on its devices with {@code heldAllocation}, its allocation or one that
     * differs in the batch size: its request allows it, and its nodes let it stay.
     */
    public boolean mayStay(Job job, Allocation heldAllocation) {
        return allows(job.spec(), heldAllocation.configuration())
                && job.spec().elasticity().allowsTogether(nodesOf(heldAllocation.placement()))
                && letStay(job, heldAllocation);
    }

    private boolean allows(JobSpec spec, Configuration configuration) {
        String type = configuration.acceleratorType();
        return spec.elasticity().allowsType(type)
                && spec.elasticity().allowsPool(configuration.pool())
                && spec.elasticity().allowsCount(configuration.slots())
                && spec.elasticity().allowsNodes(configuration.nodes())
                && allowsBatch(spec, configuration)
                && spec.synchronization().allows(configuration.strategy(), configuration.aggregationSlots())
                && canSum(type, configuration.strategy(), configuration.slots())
                && spec.hostSpeed(configuration) > 0
                && (spec.profile().runsEverywhere(type, configuration.strategy())
                        || Goodput.of(spec, configuration) > 0);
    }

    /** Also false for a batch whose gradient accumulation the devices cannot share equally. */
    private static boolean allowsBatch(JobSpec spec, Configuration configuration) {
        int batch = configuration.batchSize();
        long shares = (long) configuration.slots() * (configuration.accumulationSteps() + 1);
        return batch % shares == 0
                && spec.plannedBatch().allows(batch, configuration.acceleratorType(), configuration.slots());
    }

    private boolean letStay(Job job, Allocation heldAllocation) {
        for (NodeShare share : heldAllocation.placement()) {
            if (!nodes.get(indexOf(share.node())).state().letsJobsStay()) {
                return false;
            }
        }
        return admission.letStay(job, heldAllocation);
    }
}
