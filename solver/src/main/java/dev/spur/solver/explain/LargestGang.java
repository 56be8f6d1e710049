package dev.spur.solver.explain;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.cluster.Pool;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.IdleShapes;
import dev.spur.solver.candidate.NodeClassName;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Largest gang of a job on idle nodes, within one pool and accelerator type. Aggregation slots are ignored.
 *
 * @param shape its slots on each node, in descending order; empty if no node fits
 * @param place its pool and accelerator type; empty if no node fits
 */
record LargestGang(List<Integer> shape, String place) {
    LargestGang {
        shape = List.copyOf(shape);
    }

    /**
     * Returns the largest gang by the pools, nodes, accelerator types with a known speed, nodes per job and host demand
     * of {@code spec}, on those nodes that {@code which} accepts.
     */
    static LargestGang of(RoundProblem problem, JobSpec spec, Predicate<Node> which) {
        Elasticity elasticity = spec.elasticity();
        Map<NodeClassName, List<Node>> allowed = problem.nodes().stream()
                .filter(node -> node.acceleratorType() != null && which.test(node))
                .filter(node -> elasticity.allowsPool(node.pool())
                        && elasticity.allowsType(String.valueOf(node.acceleratorType()))
                        && elasticity.allowsNode(node)
                        && hasSpeed(spec, String.valueOf(node.acceleratorType())))
                .collect(Collectors.groupingBy(
                        NodeClassName::of,
                        () -> new TreeMap<>((a, b) -> a.place().compareTo(b.place())),
                        Collectors.toList()));
        LargestGang largest = new LargestGang(List.of(), "");
        for (Map.Entry<NodeClassName, List<Node>> entry : allowed.entrySet()) {
            boolean whole = needsWholeNodes(problem, entry.getKey().pool());
            for (HostLevel level : spec.hostLevels()) {
                LargestGang other = new LargestGang(
                        IdleShapes.largestWithin(elasticity, entry.getValue(), level, spec.roles(), whole),
                        entry.getKey().place() + domain(elasticity));
                largest = other.slots() > largest.slots() ? other : largest;
            }
        }
        return largest;
    }

    private static String domain(Elasticity elasticity) {
        TopologyRequest topology = elasticity.topology();
        return topology == null || !topology.requiresDomain() ? "" : " in one " + topology.level();
    }

    /** Returns whether the profile has the type; a profile without any type excludes none. */
    private static boolean hasSpeed(JobSpec spec, String type) {
        return spec.profile().acceleratorTypes().isEmpty()
                || spec.profile().acceleratorTypes().contains(type);
    }

    private static boolean needsWholeNodes(RoundProblem problem, String pool) {
        return problem.pools().stream().anyMatch(known -> known.name().equals(pool) && known.wholeNodes());
    }

    /** Returns its slots; 0 if no node fits. */
    int slots() {
        return shape.stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the message for a job that no configuration fits on the idle cluster {@code problem}. */
    static String unsatisfiable(RoundProblem problem, JobSpec spec) {
        LargestGang largest = of(problem, spec, node -> true);
        int needed = spec.elasticity().minCount().orElse(spec.elasticity().minSlots());
        String needs = "Needs %s; no configuration fits the idle cluster".formatted(count(needed));
        String types = problem.nodes().stream()
                .map(Node::acceleratorType)
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", ", " Registered accelerator types: ", "."));
        if (largest.slots() == 0) {
            return needs
                    + ": no allowed node has a slot with enough CPU and memory%s.".formatted(ofRoles(spec))
                    + requirements(spec)
                    + types;
        }
        return needs
                + ". The largest possible gang is " + largest.text()
                + (largest.slots() < needed ? "" : cause(problem, spec, needed))
                + "." + requirements(spec) + types;
    }

    private static String ofRoles(JobSpec spec) {
        return spec.roles().list().isEmpty() ? "" : ", also for its roles";
    }

    private static String requirements(JobSpec spec) {
        return spec.elasticity().requirements().isEmpty()
                ? ""
                : " Its nodes must meet: %s."
                        .formatted(NodeRequirement.describe(spec.elasticity().requirements()));
    }

    /** Returns what keeps a job off nodes with enough slots. */
    private static String cause(RoundProblem problem, JobSpec spec, int needed) {
        List<String> pools = problem.pools().stream()
                .filter(pool -> pool.wholeNodes() && spec.elasticity().allowsPool(pool.name()))
                .map(Pool::name)
                .toList();
        if (spec.synchronization().parameterServer()) {
            return ", but no pool that it allows has the aggregation slots that its parameter servers need (at least %s)"
                    .formatted(spec.synchronization().minAggregationSlots());
        }
        if (problem.acceleratorTypes().stream().anyMatch(type -> isTooSmall(type, spec, needed))) {
            return ", but AllReduce is not possible among that many";
        }
        return pools.isEmpty()
                ? ", but no allowed number of slots fits"
                : ", but jobs on several nodes of pool %s need whole nodes of one size"
                        .formatted(String.join(", ", pools));
    }

    private static boolean isTooSmall(AcceleratorType type, JobSpec spec, int needed) {
        return spec.elasticity().allowsType(type.name()) && !type.reducesOn(needed);
    }

    /** Returns its slots, place and shape: {@code 23 slots of main/A100 (2 × 8 + 7)}; without a shape on one node. */
    String text() {
        return "%s of %s%s".formatted(count(slots()), place, shape.size() == 1 ? "" : " (%s)".formatted(pieces(shape)));
    }

    private static String pieces(Collection<Integer> shape) {
        return shape.stream()
                .collect(Collectors.groupingBy(Function.identity(), LinkedHashMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(size -> size.getValue() == 1 ? "" + size.getKey() : size.getValue() + " × " + size.getKey())
                .collect(Collectors.joining(" + "));
    }

    private static String count(int slots) {
        return slots + (slots == 1 ? " slot" : " slots");
    }
}
