package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.RoundProblem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A maintenance window, in place of one of the same name if there is one; if it has begun, what runs on its nodes
 * stops. Times are seconds on the clock of the problem.
 *
 * @param window its name
 * @param nodes ids of the nodes; empty if {@code pool} says which
 * @param pool name of the pool whose nodes are meant, as far as they are there by now; null if {@code nodes} says which
 * @param start from when on nothing may be there
 * @param end until before when; later than {@code start} and than the time of the problem
 * @param leadSeconds time before {@code start} from which on the nodes drain; at least 0
 */
public record SetMaintenance(
        String window, List<String> nodes, @Nullable String pool, double start, double end, double leadSeconds)
        implements Change {
    private static final int MOST_OVERLAPS = 10;

    public SetMaintenance {
        Checks.named("window", window);
        nodes = Checks.copy(nodes);
        Checks.require(
                nodes.isEmpty() == (pool != null),
                "nodes (%s) or pool (%s): one of them says what is meant",
                nodes,
                pool);
        Checks.require(end > start, "end (%s) must be later than start (%s)", end, start);
        Checks.atLeast("leadSeconds", leadSeconds, 0);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        ChangeValidator fit = new ChangeValidator(problem, held)
                .nodes(nodes)
                .pool("/pool", pool)
                .require(end > problem.now(), "/end", "has passed: it is %.0f", problem.now());
        List<String> meant = pool == null ? nodes : nodesOf(pool, problem);
        isAlone(meant, problem, fit);
        fit.demand();
        return NodeLossHandling.stopJobs(problem.withMaintenance(NamedLists.put(
                problem.maintenance(),
                MaintenanceWindow::name,
                new MaintenanceWindow(window, meant, start, end, leadSeconds))));
    }

    private static List<String> nodesOf(String pool, RoundProblem problem) {
        return problem.nodes().stream()
                .filter(node -> node.pool().equals(pool))
                .map(Node::id)
                .toList();
    }

    /** No node is in two windows at a time; of many overlaps the first are told. */
    private void isAlone(List<String> meant, RoundProblem problem, ChangeValidator fit) {
        Set<String> own = new HashSet<>(meant);
        problem.maintenance().stream()
                .filter(other -> !other.name().equals(window) && other.start() < end && other.end() > start)
                .flatMap(other -> other.nodes().stream().filter(own::contains).map(node -> List.of(node, other.name())))
                .limit(MOST_OVERLAPS)
                .forEach(overlap -> fit.require(
                        false,
                        pool == null ? "/nodes/" + nodes.indexOf(overlap.get(0)) : "/pool",
                        "node %s is in maintenance window %s at that time",
                        overlap.get(0),
                        overlap.get(1)));
    }

    @Override
    public String words() {
        return "work on " + (pool == null ? "the nodes " + String.join(", ", nodes) : "all nodes of pool " + pool);
    }
}
