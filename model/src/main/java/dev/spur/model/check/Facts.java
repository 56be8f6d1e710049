package dev.spur.model.check;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Piece;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.TenantTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A problem, indexed for the judge. */
final class Facts {
    final RoundProblem problem;
    private final Map<String, Job> jobs = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, Set<String>> devices = new HashMap<>();
    private final Set<String> wholeNodePools = new HashSet<>();
    /** By node: reservations that hold now. */
    private final Map<String, List<Reservation>> holding = new HashMap<>();

    private final TenantTree tenants;

    Facts(RoundProblem problem) {
        this.problem = problem;
        problem.jobs().forEach(job -> jobs.put(job.id(), job));
        for (Node node : problem.nodes()) {
            nodes.put(node.id(), node);
            devices.put(node.id(), Set.copyOf(node.devices()));
        }
        problem.pools().stream().filter(Pool::wholeNodes).forEach(pool -> wholeNodePools.add(pool.name()));
        problem.reservations().stream()
                .filter(reservation -> reservation.holdsAt(problem.now()))
                .forEach(reservation -> reservation
                        .nodes()
                        .forEach(node -> holding.computeIfAbsent(node, n -> new ArrayList<>())
                                .add(reservation)));
        tenants = new TenantTree(problem.tenants());
    }

    /** @throws IllegalArgumentException for an id that is not in the problem */
    Job job(String id) {
        Job job = jobs.get(id);
        if (job == null) {
            throw new IllegalArgumentException("job %s is not in the problem".formatted(id));
        }
        return job;
    }

    boolean knowsJob(String id) {
        return jobs.containsKey(id);
    }

    @Nullable
    Node node(String id) {
        return nodes.get(id);
    }

    boolean hasDevice(String node, String device) {
        return devices.getOrDefault(node, Set.of()).contains(device);
    }

    double price(String node) {
        Node known = nodes.get(node);
        return known == null ? 0 : known.pricePerSlotHour();
    }

    boolean needsWholeNodes(String pool) {
        return wholeNodePools.contains(pool);
    }

    /** True if the job may neither be stopped nor moved nor resized now. */
    boolean mustStay(Job job) {
        return job.allocation() != null && (!job.spec().preemptible() || job.leftAloneAt(problem.now()));
    }

    /** True if no reservation keeps the job's tenant off the node. */
    boolean isOpenTo(Job job, String node) {
        return isOpenTo(job.tenant(), node);
    }

    /** True if no reservation keeps {@code tenant} off the node. */
    boolean isOpenTo(String tenant, String node) {
        return holding.getOrDefault(node, List.of()).stream()
                .allMatch(
                        reservation -> reservation.tenant() != null && tenants.isWithin(tenant, reservation.tenant()));
    }

    /** True if the job could keep what it holds: allowed by its request, on nodes that let it stay. */
    boolean mayStay(Job job) {
        Allocation held = job.allocation();
        return held != null
                && AllocationCheck.isAllowed(job, held.configuration())
                && held.placement().stream().map(Piece::node).allMatch(node -> letsStay(job, node));
    }

    private boolean letsStay(Job job, String id) {
        Node node = nodes.get(id);
        return node != null && node.state().letsJobsStay() && isOpenTo(job, id);
    }

    /**
     * Thousandths of aggregation slots on nodes of {@code pool} that take new jobs and are reserved for nobody, without what
     * the shares of untouchable jobs take of each.
     */
    long openAggregation(String pool) {
        Map<String, Long> taken = new HashMap<>();
        for (Job job : problem.jobs()) {
            if (job.allocation() != null && mustStay(job)) {
                job.allocation()
                        .aggregation()
                        .forEach(share -> taken.merge(share.node(), share.thousandths(), Long::sum));
            }
        }
        return problem.nodes().stream()
                .filter(node -> node.pool().equals(pool) && node.state().takesNewJobs())
                .filter(node -> !holding.containsKey(node.id()))
                .mapToLong(node ->
                        Math.max(0, Math.round(node.aggregationSlots() * 1000) - taken.getOrDefault(node.id(), 0L)))
                .sum();
    }
}
