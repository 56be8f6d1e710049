package dev.spur.solver.counterfactual;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.whatif.AddNodes;
import dev.spur.model.whatif.Change;
import dev.spur.model.whatif.SetNodeState;
import dev.spur.model.whatif.WithheldJobs;
import dev.spur.solver.dataprep.PreparationPlanner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the smallest change that would start a preparation, by planning again beside the training jobs as they run:
 * memory that others lend, then a node with room for it, then nodes that take nothing new at this time. More of the
 * same helps no less, so the least of it is found by halving.
 */
public final class PreparationCounterfactualSearch {
    private static final String LENDER = "added-lender";
    private static final String HOST = "added-host";

    private final RoundProblem problem;
    private final Preparation preparation;
    private final Map<String, Allocation> training;

    private PreparationCounterfactualSearch(
            RoundProblem problem, Preparation preparation, Map<String, Allocation> training) {
        this.problem = problem;
        this.preparation = preparation;
        this.training = training;
    }

    /**
     * What was found.
     *
     * @param changes the change, as one list; empty if it runs as things are
     * @param plan a plan for the changed problem that runs it
     * @param verified true if every best plan does; false if this one is not proved to be the best, or others are as
     *     good
     * @param message the change in words
     */
    public record Found(List<Change> changes, PreparationPlan plan, boolean verified, String message) {
        public Found {
            changes = List.copyOf(changes);
        }
    }

    /**
     * Searches among changes of each kind for the least one; empty if none of them starts it.
     *
     * @param id a preparation of the problem that waits
     * @param training by job id, what the training jobs hold
     * @throws IllegalArgumentException if there is no such preparation
     */
    public static Optional<Found> search(RoundProblem problem, String id, Map<String, Allocation> training) {
        Preparation preparation = problem.preparations().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("preparation %s does not exist".formatted(id)));
        return Optional.ofNullable(new PreparationCounterfactualSearch(problem, preparation, training).search());
    }

    private @Nullable Found search() {
        Found asItIs = under(List.of(), "Nothing is needed: the next plan for the state as it is runs it.");
        if (asItIs != null) {
            return asItIs;
        }
        for (String pool : pools()) {
            Found lent = least(spec().workingSetGiB() - spec().minLocalGiB(), gib -> lender(pool, gib));
            if (lent != null) {
                return lent;
            }
        }
        for (String pool : pools()) {
            int more = spec().workingSetGiB() - spec().minLocalGiB();
            Found host = least(more + 1, extra -> host(pool, spec().minLocalGiB() + extra - 1));
            if (host != null) {
                return host;
            }
        }
        return activated();
    }

    private PreparationSpec spec() {
        return preparation.spec();
    }

    private List<String> pools() {
        return problem.pools().stream()
                .map(pool -> pool.name())
                .filter(spec()::mayUse)
                .toList();
    }

    /** A change, and how people call it. */
    private record Trial(List<Change> changes, String message) {}

    /** The least of a change that comes in sizes from 1 to {@code most}; null if not even that starts it. */
    private @Nullable Found least(int most, IntFunction<Trial> sizes) {
        Found found = most < 1 ? null : under(sizes.apply(most));
        int refuted = 0;
        int enough = most;
        while (found != null && enough - refuted > 1) {
            int middle = (refuted + enough) / 2;
            Found smaller = under(sizes.apply(middle));
            if (smaller == null) {
                refuted = middle;
            } else {
                enough = middle;
                found = smaller;
            }
        }
        return found;
    }

    /** More memory to lend: that of a node on which nothing can run. */
    private Trial lender(String pool, int gib) {
        double memory = gib + problem.settings().lending().headroomGiB();
        double share = problem.settings().lending().headroomShare();
        if (share < 1) {
            memory = Math.max(memory, Math.ceil(gib / (1 - share)));
        }
        Change change = new AddNodes(List.of(node(LENDER, pool, 0, memory)));
        return new Trial(
                List.of(change), "It would start if nodes of pool %s had %d GiB more to lend.".formatted(pool, gib));
    }

    private Trial host(String pool, int gib) {
        Change change = new AddNodes(List.of(node(HOST, pool, spec().cpus(), gib)));
        return new Trial(
                List.of(change),
                "It would start with %d GiB and %s CPUs free on one more node of pool %s."
                        .formatted(gib, spec().cpus(), pool));
    }

    private static Node node(String id, String pool, double cpus, double memoryGiB) {
        return new Node(id, pool, null, null, List.of(), cpus, memoryGiB, 0, 0, NodeState.ACTIVE);
    }

    private @Nullable Found activated() {
        List<Node> candidates = problem.nodes().stream()
                .filter(node -> node.state() == NodeState.CORDONED || node.state() == NodeState.DRAINING)
                .filter(node -> spec().mayUse(node.pool()))
                .sorted(Comparator.comparingDouble(Node::memoryGiB).thenComparing(Node::id))
                .toList();
        for (Node node : candidates) {
            Found found = under(
                    List.of(new SetNodeState(node.id(), NodeState.ACTIVE)),
                    "It would start if node %s took new work again.".formatted(node.id()));
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Found under(Trial trial) {
        return under(trial.changes(), trial.message());
    }

    /** What a plan for the changed problem says; null if it does not run the preparation. */
    private @Nullable Found under(List<Change> changes, String sentence) {
        RoundProblem changed = problem;
        for (Change change : changes) {
            changed = change.applyTo(changed, WithheldJobs.NOTHING);
        }
        PreparationPlan plan = PreparationPlanner.plan(changed, training);
        boolean runs = plan.running().stream()
                .anyMatch(planned -> planned.preparationId().equals(preparation.id()));
        return runs ? new Found(changes, plan, isBetterWith(plan, changed), sentence) : null;
    }

    /** True if no plan without it is worth as much, so that every best plan runs it. */
    private boolean isBetterWith(PreparationPlan plan, RoundProblem changed) {
        List<Preparation> others = new ArrayList<>(changed.preparations());
        others.removeIf(one -> one.id().equals(preparation.id()));
        SolutionQuality without = PreparationPlanner.plan(changed.withPreparations(others), training)
                .quality();
        double best = without.bestBound();
        return CounterfactualSearch.isProved(plan.quality())
                && plan.quality().objectiveValue() > best + CounterfactualSearch.tolerance(best);
    }
}
