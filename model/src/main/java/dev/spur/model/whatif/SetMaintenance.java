package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.RoundProblem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * A maintenance window that replaces one of the same name, if there is one. If it has started, the jobs on its nodes
 * stop. Times are seconds on the clock of the problem.
 *
 * @param window its name
 * @param nodes ids of the nodes; empty if {@code pool} selects them
 * @param pool name of the pool whose present nodes are selected; null if {@code nodes} selects them
 * @param start time from which the nodes must be empty
 * @param end end, exclusive; later than {@code start} and than the time of the problem
 * @param leadSeconds time before {@code start} at which the nodes begin to drain; at least 0
 */
public record SetMaintenance(
        String window,
        List<String> nodes,
        @Nullable String pool,

        @JsonSerialize(using = Rfc3339.TimeSerializer.class) @JsonDeserialize(using = Rfc3339.TimeDeserializer.class)
        double start,

        @JsonSerialize(using = Rfc3339.TimeSerializer.class) @JsonDeserialize(using = Rfc3339.TimeDeserializer.class)
        double end,

        double leadSeconds)
        implements Change {
    private static final int MAX_OVERLAPS = 10;

    public SetMaintenance {
        Checks.nonBlank("window", window);
        nodes = Checks.copy(nodes);
        Checks.require(
                nodes.isEmpty() == (pool != null),
                "nodes (%s) or pool (%s): exactly one of them is required",
                nodes,
                pool);
        Checks.require(end > start, "end (%s) must be later than start (%s)", end, start);
        Checks.atLeast("leadSeconds", leadSeconds, 0);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        ChangeValidator validator = new ChangeValidator(problem, withheldJobs)
                .nodes(nodes)
                .pool("/pool", pool)
                .require(end > problem.now(), "/end", "is in the past; the time of the problem is %.0f", problem.now());
        List<String> selected = pool == null ? nodes : nodesOf(pool, problem);
        requireNoOverlap(selected, problem, validator);
        validator.throwIfInvalid();
        return NodeLossHandling.stopJobs(problem.withMaintenance(NamedLists.put(
                problem.maintenance(),
                MaintenanceWindow::name,
                new MaintenanceWindow(window, selected, start, end, leadSeconds))));
    }

    private static List<String> nodesOf(String pool, RoundProblem problem) {
        return problem.nodes().stream()
                .filter(node -> node.pool().equals(pool))
                .map(Node::id)
                .toList();
    }

    /** Requires that no node is in two windows at the same time; reports the first {@value #MAX_OVERLAPS} overlaps. */
    private void requireNoOverlap(List<String> selected, RoundProblem problem, ChangeValidator validator) {
        Set<String> own = new HashSet<>(selected);
        problem.maintenance().stream()
                .filter(other -> !other.name().equals(window) && other.start() < end && other.end() > start)
                .flatMap(other -> other.nodes().stream().filter(own::contains).map(node -> List.of(node, other.name())))
                .limit(MAX_OVERLAPS)
                .forEach(overlap -> validator.require(
                        false,
                        pool == null ? "/nodes/" + nodes.indexOf(overlap.get(0)) : "/pool",
                        "node %s is in maintenance window %s at that time",
                        overlap.get(0),
                        overlap.get(1)));
    }

    @Override
    public String describe() {
        return "maintain " + (pool == null ? "the nodes " + String.join(", ", nodes) : "all nodes of pool " + pool);
    }
}
