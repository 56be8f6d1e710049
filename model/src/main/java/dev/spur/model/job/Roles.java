package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The roles of a job, and where their replicas run. Each replica, in the order of the roles, runs on the node with the
 * lowest number of replicas per slot, itself included; among these on that with the most slots. This rule, that of
 * D'Hondt, minimizes the largest number of replicas per slot. Immutable and thread-safe.
 */
public final class Roles {
    /** Maximum number of roles. */
    public static final int MAX_ROLES = 16;

    /** No roles. */
    public static final Roles NONE = new Roles(List.of());

    private final List<JobRole> list;
    /** By shape: the largest share of a slot. */
    private final Map<List<Integer>, HostDemand> knownShares = new ConcurrentHashMap<>();

    private Roles(List<JobRole> list) {
        this.list = list;
        Checks.require(list.size() <= MAX_ROLES, "roles (%s) must be at most %s", list.size(), MAX_ROLES);
        for (JobRole role : list) {
            Checks.require(
                    list.stream()
                                    .filter(other -> other.name().equals(role.name()))
                                    .count()
                            == 1,
                    "the name of role %s must be unique",
                    role.name());
        }
    }

    /** Returns these roles; null, which JSON may contain, becomes none. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Roles of(@Nullable List<JobRole> list) {
        return list == null || list.isEmpty() ? NONE : new Roles(List.copyOf(list));
    }

    /** The roles in the order of the specification. */
    @JsonValue
    public List<JobRole> list() {
        return list;
    }

    /**
     * Returns the host resources that each slot of a gang of {@code shape} reserves on its node for replicas: the
     * largest share of a slot over all nodes, of CPUs and of memory. An empty shape reserves none.
     */
    public HostDemand largestShare(List<Integer> shape) {
        return list.isEmpty() || shape.isEmpty()
                ? HostDemand.NONE
                : knownShares.computeIfAbsent(shape, this::findLargestShare);
    }

    private HostDemand findLargestShare(List<Integer> shape) {
        double[] cpus = new double[shape.size()];
        double[] memory = new double[shape.size()];
        int[] nodes = nodes(shape);
        int at = 0;
        for (JobRole role : list) {
            for (int i = 0; i < role.count(); i++) {
                cpus[nodes[at]] += role.cpus();
                memory[nodes[at]] += role.memoryGiB();
                at++;
            }
        }
        return new HostDemand(largest(cpus, shape), largest(memory, shape));
    }

    private static double largest(double[] amounts, List<Integer> shape) {
        return IntStream.range(0, amounts.length)
                .mapToDouble(i -> amounts[i] / shape.get(i))
                .max()
                .orElse(0);
    }

    /**
     * Returns an upper limit on {@link #largestShare} over all gangs of {@code slots} or more slots: D'Hondt's rule
     * gives no slot more replicas than {@code (replicas - 1) / slots + 1}, nor more than there are.
     */
    public HostDemand maxShare(int slots) {
        int replicas = list.stream().mapToInt(JobRole::count).sum();
        double perSlot = (replicas - 1.0) / Math.max(1, slots) + 1;
        double cpus = 0;
        double memory = 0;
        double mostCpus = 0;
        double mostMemory = 0;
        for (JobRole role : list) {
            cpus += role.count() * role.cpus();
            memory += role.count() * role.memoryGiB();
            mostCpus = Math.max(mostCpus, role.cpus());
            mostMemory = Math.max(mostMemory, role.memoryGiB());
        }
        return new HostDemand(Math.min(cpus, perSlot * mostCpus), Math.min(memory, perSlot * mostMemory));
    }

    /**
     * Returns the indices of the replicas of each role, in the order of the roles, on node {@code node} of a gang.
     *
     * @param slots slots of the gang on each of its nodes, in any order
     */
    public List<List<Integer>> replicasOn(int node, List<Integer> slots) {
        int[] descending = IntStream.range(0, slots.size())
                .boxed()
                .sorted(Comparator.comparingInt(v -> -slots.get(v)))
                .mapToInt(Integer::intValue)
                .toArray();
        int[] nodes = nodes(IntStream.of(descending).mapToObj(slots::get).toList());
        List<List<Integer>> replicas = new ArrayList<>();
        int at = 0;
        for (JobRole role : list) {
            List<Integer> own = new ArrayList<>();
            for (int i = 0; i < role.count(); i++) {
                if (descending[nodes[at++]] == node) {
                    own.add(i);
                }
            }
            replicas.add(List.copyOf(own));
        }
        return replicas;
    }

    /** Returns the number of the node of each replica on nodes with {@code slots} slots, in descending order. */
    private int[] nodes(List<Integer> slots) {
        int[] taken = new int[slots.size()];
        Comparator<Integer> byReplicas =
                (a, b) -> Long.compare((taken[a] + 1L) * slots.get(b), (taken[b] + 1L) * slots.get(a));
        PriorityQueue<Integer> order = new PriorityQueue<>(byReplicas.thenComparing(Comparator.naturalOrder()));
        IntStream.range(0, taken.length).forEach(order::add);
        int[] nodes = new int[list.stream().mapToInt(JobRole::count).sum()];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = order.remove();
            taken[nodes[i]]++;
            order.add(nodes[i]);
        }
        return nodes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Roles roles && list.equals(roles.list);
    }

    @Override
    public int hashCode() {
        return list.hashCode();
    }

    @Override
    public String toString() {
        return list.toString();
    }
}
