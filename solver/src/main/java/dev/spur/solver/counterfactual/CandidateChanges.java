package dev.spur.solver.counterfactual;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.whatif.AddNodes;
import dev.spur.model.whatif.Change;
import dev.spur.model.whatif.SetGroup;
import dev.spur.model.whatif.SetNodeState;
import dev.spur.model.whatif.SetPriority;
import dev.spur.model.whatif.SetQuota;
import dev.spur.model.whatif.SetWeight;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Candidate changes that may start a job. */
final class CandidateChanges {
    /** Maximum number of added slots. */
    private static final int MAX_SLOTS = 64;
    /** Maximum number of added aggregation slots. */
    private static final int MAX_AGGREGATION = 32;
    /** Maximum number of doublings of the weight. */
    private static final int MAX_DOUBLINGS = 10;

    private final RoundProblem problem;
    private final Job job;
    private final Set<String> types;

    CandidateChanges(RoundProblem problem, Job job) {
        this.problem = problem;
        this.job = job;
        this.types = new TreeSet<>(job.spec().profile().acceleratorTypes());
        types.removeIf(type -> !job.spec().elasticity().allowsType(type)
                || problem.acceleratorTypes().stream()
                        .noneMatch(knownType -> knownType.name().equals(type)));
    }

    /**
     * Returns the kinds of change in the order of proposal; each as series that ascend from the smallest change.
     *
     * @param outranked whether jobs of higher priority classes hold the slots: then the priority comes first, and no
     *     weight helps
     */
    List<List<List<Change>>> byKind(boolean outranked) {
        return List.of(
                outranked ? raisedPriorities() : List.of(),
                addedSlots(),
                addedAggregation(),
                raisedQuotas(),
                raisedCaps(),
                outranked ? List.of() : raisedWeights(),
                activatedNodes());
    }

    private List<List<Change>> addedSlots() {
        List<List<Change>> series = new ArrayList<>();
        for (String type : types) {
            for (String pool : poolsFor(type)) {
                series.add(IntStream.rangeClosed(1, MAX_SLOTS)
                        .<Change>mapToObj(slots -> new AddNodes(List.of(node(pool, type, slots))))
                        .toList());
            }
        }
        return series;
    }

    /** Returns the allowed pools with the type, or all allowed pools if none has it. */
    private List<String> poolsFor(String type) {
        Elasticity elasticity = job.spec().elasticity();
        List<String> with = problem.nodes().stream()
                .filter(node -> type.equals(node.acceleratorType()) && elasticity.allowsPool(node.pool()))
                .map(Node::pool)
                .distinct()
                .sorted()
                .toList();
        return with.isEmpty() ? allowedPools() : with;
    }

    private List<String> allowedPools() {
        return problem.pools().stream()
                .map(pool -> pool.name())
                .filter(job.spec().elasticity()::allowsPool)
                .toList();
    }

    /** Returns a node like those of its kind, with at least the host resources that the job needs. */
    private Node node(String pool, String type, int slots) {
        HostDemand demand = job.spec().host().plus(job.spec().roles().maxShare(slots));
        double cpus = demand.cpusPerSlot();
        double memory = demand.memoryGiBPerSlot();
        for (Node like : problem.nodes()) {
            if (type.equals(like.acceleratorType()) && like.slots() > 0) {
                cpus = Math.max(cpus, like.cpus() / like.slots());
                memory = Math.max(memory, like.memoryGiB() / like.slots());
            }
        }
        List<String> devices =
                IntStream.range(0, slots).mapToObj(d -> "added-" + d).toList();
        return new Node(
                freeId(), pool, null, type, devices, cpus * slots, memory * slots, 0, price(type), NodeState.ACTIVE);
    }

    private double price(String type) {
        return problem.nodes().stream()
                .filter(node -> type.equals(node.acceleratorType()))
                .mapToDouble(Node::pricePerSlotHour)
                .max()
                .orElse(0);
    }

    private String freeId() {
        String id = "added";
        for (int i = 1; isNode(id); i++) {
            id = "added-" + i;
        }
        return id;
    }

    private boolean isNode(String id) {
        return problem.nodes().stream().anyMatch(node -> node.id().equals(id));
    }

    private List<List<Change>> addedAggregation() {
        if (!job.spec().synchronization().parameterServer()) {
            return List.of();
        }
        List<List<Change>> series = new ArrayList<>();
        for (String pool : allowedPools()) {
            series.add(IntStream.rangeClosed(1, MAX_AGGREGATION)
                    .<Change>mapToObj(slots -> new AddNodes(List.of(
                            new Node(freeId(), pool, null, null, List.of(), slots, slots, slots, 0, NodeState.ACTIVE))))
                    .toList());
        }
        return series;
    }

    private List<List<Change>> raisedQuotas() {
        List<List<Change>> series = new ArrayList<>();
        for (Tenant tenant : path()) {
            for (String type : types) {
                Quota quota = tenant.quotas().get(type);
                if (quota != null) {
                    series.add(IntStream.rangeClosed(1, MAX_SLOTS)
                            .<Change>mapToObj(more -> new SetQuota(tenant.name(), type, raise(quota, more)))
                            .toList());
                }
            }
        }
        return series;
    }

    private static Quota raise(Quota quota, int more) {
        return new Quota(quota.nominal() + more, quota.borrowingLimit(), quota.lendingLimit());
    }

    /** Returns raised caps of the job's group: more slots, one more job, and both where both are limited. */
    private List<List<Change>> raisedCaps() {
        JobGroup group = problem.groups().stream()
                .filter(other -> other.name().equals(job.spec().group()))
                .findFirst()
                .orElse(null);
        if (group == null) {
            return List.of();
        }
        Integer slots = group.maxSlots();
        Integer jobs = group.maxJobs();
        List<List<Change>> series = new ArrayList<>();
        if (slots != null) {
            series.add(IntStream.rangeClosed(1, MAX_SLOTS)
                    .<Change>mapToObj(more -> new SetGroup(group.name(), slots + more, jobs))
                    .toList());
        }
        if (jobs != null) {
            series.add(List.of(new SetGroup(group.name(), slots, jobs + 1)));
        }
        if (slots != null && jobs != null) {
            series.add(IntStream.rangeClosed(1, MAX_SLOTS)
                    .<Change>mapToObj(more -> new SetGroup(group.name(), slots + more, jobs + 1))
                    .toList());
        }
        return series;
    }

    /** Returns the job's tenant and its ancestors. */
    private List<Tenant> path() {
        List<Tenant> path = new ArrayList<>();
        String name = job.tenant();
        while (name != null && path.size() <= problem.tenants().size()) {
            String desired = name;
            Tenant tenant = problem.tenants().stream()
                    .filter(other -> other.name().equals(desired))
                    .findFirst()
                    .orElse(null);
            if (tenant == null) {
                break;
            }
            path.add(tenant);
            name = tenant.parent();
        }
        return path;
    }

    /** Returns each higher priority: the first one above the holders of the slots starts the job. */
    private List<List<Change>> raisedPriorities() {
        int own = job.spec().priority();
        return own == JobSpec.MAX_PRIORITY
                ? List.of()
                : List.of(IntStream.rangeClosed(own + 1, JobSpec.MAX_PRIORITY)
                        .<Change>mapToObj(priority -> new SetPriority(job.id(), priority))
                        .toList());
    }

    /** Returns higher weights, which act within the class. */
    private List<List<Change>> raisedWeights() {
        return List.of(IntStream.rangeClosed(1, MAX_DOUBLINGS)
                .<Change>mapToObj(
                        doublings -> new SetWeight(job.id(), job.spec().weight() * Math.pow(2, doublings)))
                .toList());
    }

    /** Returns nodes that fit the job once activated, the smallest first. */
    private List<List<Change>> activatedNodes() {
        return problem.nodes().stream()
                .filter(node -> node.state() == NodeState.CORDONED || node.state() == NodeState.DRAINING)
                .filter(node -> node.acceleratorType() == null || types.contains(node.acceleratorType()))
                .sorted(Comparator.comparingInt(Node::slots).thenComparing(Node::id))
                .map(node -> List.<Change>of(new SetNodeState(node.id(), NodeState.ACTIVE)))
                .toList();
    }
}
