package dev.spur.model.validation;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.performance.MeasuredFamily;
import dev.spur.model.round.Maintenance;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.PastUsage;
import dev.spur.model.tenant.Tenant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Validates the consistency of a problem: names are unique and defined, and allocated devices exist and are allocated
 * once.
 */
public final class ProblemCheck {
    private final RoundProblem problem;
    private final List<Violation> violations = new ArrayList<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, DeviceHolders> holders = new HashMap<>();
    private final Maintenance maintenance;

    private ProblemCheck(RoundProblem problem) {
        this.problem = problem;
        this.maintenance = new Maintenance(problem);
    }

    /**
     * Returns all violations, each with a JSON pointer into the problem as its subject; empty if the problem is
     * consistent.
     */
    public static List<Violation> violations(RoundProblem problem) {
        ProblemCheck check = new ProblemCheck(problem);
        check.run();
        return List.copyOf(check.violations);
    }

    private void run() {
        namesAreUnique("/acceleratorTypes", problem.acceleratorTypes(), AcceleratorType::name);
        namesAreUnique("/pools", problem.pools(), Pool::name);
        namesAreUnique("/nodes", problem.nodes(), Node::id);
        namesAreUnique("/reservations", problem.reservations(), Reservation::name);
        namesAreUnique("/maintenance", problem.maintenance(), MaintenanceWindow::name);
        namesAreUnique("/tenants", problem.tenants(), Tenant::name);
        namesAreUnique("/groups", problem.groups(), JobGroup::name);
        namesAreUnique("/jobs", problem.jobs(), Job::id);
        namesAreUnique("/families", problem.families(), MeasuredFamily::name);
        problem.nodes().forEach(node -> nodes.put(node.id(), node));
        checkNodes();
        checkTenants();
        checkGroups();
        checkPastUsage();
        checkReservations();
        checkMaintenance();
        checkJobs();
        new PreparationProblemCheck(problem, violations).run();
    }

    private <T> void namesAreUnique(String pointer, List<T> list, Function<T, String> name) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            String own = name.apply(list.get(i));
            if (!seen.add(own)) {
                add("namesAreUnique", pointer + "/" + i, "%s appears twice".formatted(own));
            }
        }
    }

    private void checkNodes() {
        Set<String> pools = namesOf(problem.pools(), Pool::name);
        Set<String> types = namesOf(problem.acceleratorTypes(), AcceleratorType::name);
        for (int i = 0; i < problem.nodes().size(); i++) {
            Node node = problem.nodes().get(i);
            String pointer = "/nodes/" + i;
            requireKnown(pools, node.pool(), pointer + "/pool", "pool");
            if (node.acceleratorType() != null) {
                requireKnown(types, node.acceleratorType(), pointer + "/acceleratorType", "accelerator type");
            }
        }
    }

    private void checkTenants() {
        Map<String, Tenant> tenantsByName = new HashMap<>();
        problem.tenants().forEach(tenant -> tenantsByName.put(tenant.name(), tenant));
        for (int i = 0; i < problem.tenants().size(); i++) {
            Tenant tenant = problem.tenants().get(i);
            String pointer = "/tenants/" + i + "/parent";
            if (tenant.parent() != null) {
                requireKnown(tenantsByName.keySet(), tenant.parent(), pointer, "tenant");
                if (isOwnAncestor(tenant, tenantsByName)) {
                    add("tenantsAreATree", pointer, "tenant %s is its own ancestor".formatted(tenant.name()));
                }
            }
        }
    }

    private static boolean isOwnAncestor(Tenant tenant, Map<String, Tenant> tenantsByName) {
        Set<String> seen = new HashSet<>();
        for (Tenant at = tenant; at != null && at.parent() != null; at = tenantsByName.get(at.parent())) {
            if (!seen.add(at.name())) {
                return true;
            }
        }
        return false;
    }

    private void checkPastUsage() {
        namesAreUnique("/pastUsage", problem.pastUsage(), PastUsage::tenant);
        Set<String> tenants = namesOf(problem.tenants(), Tenant::name);
        for (int i = 0; i < problem.pastUsage().size(); i++) {
            requireKnown(tenants, problem.pastUsage().get(i).tenant(), "/pastUsage/" + i + "/tenant", "tenant");
        }
    }

    private void checkReservations() {
        Set<String> tenants = namesOf(problem.tenants(), Tenant::name);
        for (int i = 0; i < problem.reservations().size(); i++) {
            Reservation reservation = problem.reservations().get(i);
            String pointer = "/reservations/" + i;
            for (int n = 0; n < reservation.nodes().size(); n++) {
                requireKnown(nodes.keySet(), reservation.nodes().get(n), pointer + "/nodes/" + n, "node");
            }
            requireFinite(reservation.start(), pointer + "/start");
            requireFinite(reservation.end(), pointer + "/end");
            if (reservation.tenant() != null) {
                requireKnown(tenants, reservation.tenant(), pointer + "/tenant", "tenant");
            }
        }
    }

    private void checkMaintenance() {
        for (int i = 0; i < problem.maintenance().size(); i++) {
            MaintenanceWindow window = problem.maintenance().get(i);
            String pointer = "/maintenance/" + i;
            for (int n = 0; n < window.nodes().size(); n++) {
                requireKnown(nodes.keySet(), window.nodes().get(n), pointer + "/nodes/" + n, "node");
            }
            requireFinite(window.start(), pointer + "/start");
            requireFinite(window.end(), pointer + "/end");
        }
    }

    private void checkGroups() {
        Set<String> tenants = namesOf(problem.tenants(), Tenant::name);
        for (int i = 0; i < problem.groups().size(); i++) {
            requireKnown(tenants, problem.groups().get(i).tenant(), "/groups/" + i + "/tenant", "tenant");
        }
    }

    private void checkJobs() {
        Set<String> tenants = namesOf(problem.tenants(), Tenant::name);
        Set<String> groups = namesOf(problem.groups(), JobGroup::name);
        for (int i = 0; i < problem.jobs().size(); i++) {
            Job job = problem.jobs().get(i);
            String pointer = "/jobs/" + i;
            requireKnown(tenants, job.tenant(), pointer + "/tenant", "tenant");
            if (job.spec().group() != null) {
                requireKnown(groups, job.spec().group(), pointer + "/spec/group", "group");
            }
            requireFinite(job.arrival(), pointer + "/arrival");
            requireFinite(job.deadline(), pointer + "/deadline");
            requireFinite(job.history().firstStart(), pointer + "/history/firstStart");
            requireFinite(job.history().waitingSince(), pointer + "/history/waitingSince");
            if (job.allocation() != null) {
                requireFinite(job.allocation().since(), pointer + "/allocation/since");
                checkAllocation(job, job.allocation(), pointer + "/allocation");
            }
        }
    }

    private void checkAllocation(Job job, Allocation heldAllocation, String pointer) {
        List<Integer> slots = heldAllocation.placement().stream()
                .map(NodeShare::slots)
                .sorted(Comparator.reverseOrder())
                .toList();
        if (!slots.equals(heldAllocation.configuration().shape())) {
            add(
                    "allocationsAreComplete",
                    pointer,
                    "job %s holds %s slots on its nodes, but the shape is %s"
                            .formatted(
                                    job.id(),
                                    slots,
                                    heldAllocation.configuration().shape()));
        }
        long shares = heldAllocation.aggregation().stream()
                .mapToLong(AggregationShare::thousandths)
                .sum();
        if (shares != heldAllocation.configuration().aggregationThousandths()) {
            add(
                    "allocationsAreComplete",
                    pointer,
                    "job %s holds %d thousandths of aggregation slots, but its configuration has %d"
                            .formatted(
                                    job.id(),
                                    shares,
                                    heldAllocation.configuration().aggregationThousandths()));
        }
        for (int p = 0; p < heldAllocation.placement().size(); p++) {
            checkNodeShare(job, heldAllocation, heldAllocation.placement().get(p), pointer + "/placement/" + p);
        }
        for (int a = 0; a < heldAllocation.aggregation().size(); a++) {
            checkShare(
                    job, heldAllocation, heldAllocation.aggregation().get(a), pointer + "/aggregation/" + a + "/node");
        }
    }

    private void checkShare(Job job, Allocation heldAllocation, AggregationShare share, String pointer) {
        Node node = nodes.get(share.node());
        requireKnown(nodes.keySet(), share.node(), pointer, "node");
        if (node != null && isDown(node)) {
            add(
                    "allocationsAreOnLiveNodes",
                    pointer,
                    "job %s aggregates on node %s, which is lost or in maintenance".formatted(job.id(), node.id()));
        }
        if (node != null && !node.pool().equals(heldAllocation.configuration().pool())) {
            add(
                    "allocationsFitTheirNodes",
                    pointer,
                    "node %s is not in pool %s"
                            .formatted(node.id(), heldAllocation.configuration().pool()));
        }
    }

    private void checkNodeShare(Job job, Allocation heldAllocation, NodeShare nodeShare, String pointer) {
        Node node = nodes.get(nodeShare.node());
        if (node == null) {
            requireKnown(nodes.keySet(), nodeShare.node(), pointer + "/node", "node");
            return;
        }
        if (isDown(node)) {
            add(
                    "allocationsAreOnLiveNodes",
                    pointer + "/node",
                    "job %s holds slots of node %s, which is lost or in maintenance".formatted(job.id(), node.id()));
        }
        if (!node.pool().equals(heldAllocation.configuration().pool())
                || !heldAllocation.configuration().acceleratorType().equals(node.acceleratorType())) {
            add(
                    "allocationsFitTheirNodes",
                    pointer + "/node",
                    "node %s is not in pool %s with type %s"
                            .formatted(
                                    node.id(),
                                    heldAllocation.configuration().pool(),
                                    heldAllocation.configuration().acceleratorType()));
        }
        for (String device : nodeShare.devices()) {
            if (!node.devices().contains(device)) {
                add(
                        "allocationsFitTheirNodes",
                        pointer + "/devices",
                        "node %s has no device %s".formatted(node.id(), device));
            }
            DeviceHolders own = holders.merge(
                    node.id() + "\n" + device,
                    new DeviceHolders(job.spec().elasticity().partsPerDevice(), job.id()),
                    DeviceHolders::plus);
            if (own.exceedIt()) {
                add(
                        "devicesAreHeldOnce",
                        pointer + "/devices",
                        "device %s of node %s is held by %s".formatted(device, node.id(), own.jobs()));
            }
        }
    }

    private boolean isDown(Node node) {
        return node.state() == NodeState.LOST || maintenance.holds(node.id());
    }

    private static <T> Set<String> namesOf(List<T> list, Function<T, String> name) {
        Set<String> names = new HashSet<>();
        list.forEach(element -> names.add(name.apply(element)));
        return names;
    }

    private void requireFinite(@Nullable Double time, String pointer) {
        if (time != null && !Double.isFinite(time)) {
            add("timesAreFinite", pointer, "%s is not a finite time".formatted(time));
        }
    }

    private void requireKnown(Set<String> known, String name, String pointer, String what) {
        if (!known.contains(name)) {
            add("namesAreKnown", pointer, "there is no %s %s".formatted(what, name));
        }
    }

    private void add(String rule, String pointer, String message) {
        violations.add(new Violation(rule, pointer, message));
    }
}
