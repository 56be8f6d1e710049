package dev.spur.benchmarks.reality;

import dev.spur.model.cluster.Reservation;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.replay.ClusterConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Tenants of a scenario and their rights. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are unmodifiable
enum Tenancy {
    /** One tenant that may use everything. */
    ONE(List.of("a"), List.of(1.0), List.of()),
    /** Three tenants with half, a quarter and a quarter of the slots; each may borrow half of the slots. */
    QUOTAS(List.of("a", "b", "c"), List.of(0.4, 0.3, 0.3), List.of(0.5, 0.25, 0.25)),
    /** Two tenants; the first node is reserved for the first of them, the others are open to both. */
    RESERVED_NODE(List.of("a", "b"), List.of(0.5, 0.5), List.of());

    private static final String ROOT = "root";

    private final List<String> names;
    /** Probabilities that a job belongs to each tenant. */
    private final List<Double> shares;
    /** Nominal quota of each tenant as a fraction of the slots; empty for no quotas. */
    private final List<Double> quotas;

    Tenancy(List<String> names, List<Double> shares, List<Double> quotas) {
        this.names = List.copyOf(names);
        this.shares = List.copyOf(shares);
        this.quotas = List.copyOf(quotas);
    }

    /** Returns the tenant of a random job. */
    String draw(RandomGenerator random) {
        double point = random.nextDouble();
        int tenant = 0;
        while (tenant < names.size() - 1 && point >= shares.get(tenant)) {
            point -= shares.get(tenant++);
        }
        return names.get(tenant);
    }

    /** Returns the largest gang that each tenant could run on an empty cluster of {@code slots}. */
    int largestGang(int slots) {
        return switch (this) {
            case ONE -> slots;
            case QUOTAS -> (int) (slots * (quotas.get(2) + 0.5));
            case RESERVED_NODE -> slots - Hardware.LARGEST_NODE;
        };
    }

    ClusterConfig config(ClusterFile nodes) {
        List<Tenant> tenants = new ArrayList<>(List.of(new Tenant(ROOT, null, 1, Map.of())));
        for (int i = 0; i < names.size(); i++) {
            tenants.add(new Tenant(names.get(i), ROOT, 1, quota(i, nodes.slots())));
        }
        List<Reservation> reservations = this == RESERVED_NODE
                ? List.of(new Reservation(
                        "own-node", List.of(nodes.allNodes().get(0).id()), names.get(0), null, null, null, null))
                : List.of();
        return new ClusterConfig(
                nodes.acceleratorTypes(),
                nodes.pools(),
                nodes.allNodes(),
                reservations,
                List.of(),
                tenants,
                List.of(),
                List.of());
    }

    private Map<String, Quota> quota(int tenant, int slots) {
        return quotas.isEmpty()
                ? Map.of()
                : Map.of(Hardware.TYPE, new Quota((int) (quotas.get(tenant) * slots), slots / 2, null));
    }
}
