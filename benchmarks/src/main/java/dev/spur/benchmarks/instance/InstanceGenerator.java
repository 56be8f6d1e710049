package dev.spur.benchmarks.instance;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Generator of clusters and jobs. Half of the slots have type A in nodes of 8, three tenths type B in nodes of 8, the
 * rest type C in nodes of 4. Nodes without accelerators provide aggregation slots. The jobs request several times the
 * available slots.
 */
public final class InstanceGenerator {
    static final double NOW = 1_000_000;
    private static final int LARGE_NODE = 8;
    private static final int SMALL_NODE = 4;
    private static final List<Integer> UNEVEN_NODES = List.of(8, 8, 7, 6, 4);
    private static final int DEPARTMENTS = 5;
    private static final int MAX_TENANTS = 50;
    /** Sum of the nominal quotas, as a multiple of the slots: the tenants cannot all use their quotas at once. */
    private static final double QUOTA_SHARE = 1.2;

    private final long seed;
    private final Random random;
    private final HyperparameterSearches searches;
    private final Set<Feature> features;

    private InstanceGenerator(long seed, Set<Feature> features) {
        this.seed = seed;
        this.random = new Random(seed);
        this.searches = new HyperparameterSearches(seed);
        this.features = features;
    }

    /**
     * Returns an instance of {@code jobs} waiting jobs on exactly {@code slots} slots; deterministic for the same
     * arguments.
     */
    public static RoundProblem waiting(long seed, int jobs, int slots, Set<Feature> features, RoundSettings settings) {
        return new InstanceGenerator(seed, features).build(jobs, slots, settings);
    }

    private RoundProblem build(int jobs, int slots, RoundSettings settings) {
        List<Node> nodes = RequiredNodes.withPlaces(nodes(slots));
        List<Tenant> tenants = tenants(nodes, Math.max(DEPARTMENTS, Math.min(MAX_TENANTS, jobs / 8)));
        List<Reservation> reservations =
                features.contains(Feature.CLOSED_NODES) ? reservations(nodes, tenants) : List.of();
        RequiredNodes required = RequiredNodes.of(seed, features, nodes);
        JobFactory factory = new JobFactory(random, features, largestJob(slots));
        List<Job> list = IntStream.range(0, jobs)
                .mapToObj(i -> job(factory, "j" + i, someTenant(tenants).name()))
                .map(required::next)
                .toList();
        return new RoundProblem(
                RoundProblem.FORMAT,
                NOW,
                features.contains(Feature.RESTART_LIMIT) ? settings.withMaxRestarts(Math.max(1, jobs / 10)) : settings,
                List.of(new AcceleratorType("A", 80), new AcceleratorType("B", 40), new AcceleratorType("C", 16)),
                List.of(new Pool("main", false)),
                nodes,
                reservations,
                tenants,
                searches.groups(),
                list,
                RoundMemory.EMPTY);
    }

    private Job job(JobFactory factory, String id, String tenant) {
        return factory.waiting(id, tenant, features.contains(Feature.GROUPS) ? searches.next(tenant) : null, NOW);
    }

    private static int largestJob(int slots) {
        return Math.min(64, Integer.highestOneBit(Math.max(1, slots / 4)));
    }

    /** Returns a random leaf of the tenant tree; later leaves get more jobs than earlier ones. */
    private Tenant someTenant(List<Tenant> tenants) {
        int leaves = features.contains(Feature.QUOTAS) ? tenants.size() - 1 - DEPARTMENTS : tenants.size();
        double drawn = random.nextDouble();
        return tenants.get(tenants.size() - 1 - (int) (leaves * drawn * drawn));
    }

    private List<Node> nodes(int slots) {
        List<Node> nodes = new ArrayList<>();
        int ofA = wholeNodes(slots / 2.0, LARGE_NODE);
        int ofB = wholeNodes((slots - ofA) * 0.6, LARGE_NODE);
        addNodes(nodes, "A", LARGE_NODE, ofA);
        addNodes(nodes, "B", LARGE_NODE, ofB);
        addNodes(nodes, "C", SMALL_NODE, slots - ofA - ofB);
        int aggregating = Math.max(1, slots / 256);
        double each = features.contains(Feature.AGGREGATION) ? slots / 24.0 / aggregating : 0;
        for (int i = 0; i < aggregating; i++) {
            double rounded = Math.rint(each * 1000) / 1000;
            nodes.add(new Node(
                    "cpu-" + i, "main", "rack-" + i % 20, null, List.of(), 128, 512, rounded, 0, NodeState.ACTIVE));
        }
        return nodes;
    }

    /** Returns the multiple of {@code size} nearest to {@code slots}; ties are rounded down. */
    private static int wholeNodes(double slots, int size) {
        return (int) Math.ceil(slots / size - 0.5) * size;
    }

    /**
     * Adds nodes of {@code size} slots, {@code slots} in total; the last node is smaller if {@code slots} is not a
     * multiple. Uneven large nodes have the slots of {@link #UNEVEN_NODES} in turn.
     */
    private void addNodes(List<Node> nodes, String type, int size, int slots) {
        boolean uneven = features.contains(Feature.UNEVEN) && size == LARGE_NODE;
        int left = slots;
        for (int i = 0; left > 0; i++) {
            boolean closed = features.contains(Feature.CLOSED_NODES) && (i == 1 || random.nextInt(50) == 0);
            NodeState state = closed ? NodeState.DRAINING : NodeState.ACTIVE;
            int own = Math.min(uneven ? UNEVEN_NODES.get(i % UNEVEN_NODES.size()) : size, left);
            left -= own;
            List<String> devices =
                    IntStream.range(0, own).mapToObj(Integer::toString).toList();
            nodes.add(
                    new Node(type + "-" + i, "main", "rack-" + i / 16, type, devices, own * 8, own * 64, 0, 1, state));
        }
    }

    /**
     * Reserves the first node and one in a hundred for the tenant with the lowest job count, or for no tenant if there
     * is only one.
     */
    private List<Reservation> reservations(List<Node> nodes, List<Tenant> tenants) {
        List<String> reserved = IntStream.range(0, nodes.size())
                .filter(v -> nodes.get(v).slots() > 0 && (v == 0 || random.nextInt(100) == 0))
                .mapToObj(v -> nodes.get(v).id())
                .toList();
        String keeper =
                tenants.size() == 1 ? null : tenants.get(1 + DEPARTMENTS).name();
        return List.of(new Reservation("reserved", reserved, keeper, NOW - 1000, NOW + 100_000));
    }

    /** Returns the root, its departments, and the leaf tenants whose nominal quotas add up to the quota total. */
    private List<Tenant> tenants(List<Node> nodes, int leaves) {
        List<Tenant> tenants = new ArrayList<>(List.of(new Tenant("root", null, 1, Map.of())));
        if (!features.contains(Feature.QUOTAS)) {
            return tenants;
        }
        Map<String, Integer> slots = new TreeMap<>();
        nodes.stream()
                .filter(node -> node.acceleratorType() != null)
                .forEach(node -> slots.merge(String.valueOf(node.acceleratorType()), node.slots(), Integer::sum));
        for (int d = 0; d < DEPARTMENTS; d++) {
            tenants.add(new Tenant("department-" + d, "root", 1, Map.of()));
        }
        for (int t = 0; t < leaves; t++) {
            Map<String, Quota> quotas = new TreeMap<>();
            slots.forEach((type, all) -> quotas.put(type, quota(QUOTA_SHARE * all / leaves)));
            tenants.add(new Tenant("tenant-" + t, "department-" + t % DEPARTMENTS, 0.5 + random.nextDouble(), quotas));
        }
        return tenants;
    }

    private Quota quota(double share) {
        int nominal = Math.max(1, (int) (share * (0.5 + random.nextDouble())));
        Integer borrow = random.nextInt(3) == 0 ? Integer.valueOf(nominal / 4) : null;
        Integer lend = random.nextInt(3) == 0 ? Integer.valueOf(nominal / 2) : null;
        return new Quota(nominal, borrow, lend);
    }
}
