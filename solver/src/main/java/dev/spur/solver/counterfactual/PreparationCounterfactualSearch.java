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
 * Search for the smallest change that would start a data preparation, by planning again with the running training jobs
 * fixed: remote memory, then a node with room for it, then unavailable nodes. More of the same never helps less, so the
 * smallest size is found by bisection.
 */
public final class PreparationCounterfactualSearch {
    private static final String LENDER = "added-lender";
    private static final String HOST = "added-host";

    private final RoundProblem problem;
    private final Preparation preparation;
    private final Map<String, Allocation> trainingAllocations;

    private PreparationCounterfactualSearch(
            RoundProblem problem, Preparation preparation, Map<String, Allocation> trainingAllocations) {
        this.problem = problem;
        this.preparation = preparation;
        this.trainingAllocations = trainingAllocations;
    }

    /**
     * Result of the search.
     *
     * @param changes the change, as one list; empty if it runs without a change
     * @param plan a plan of the changed problem that runs it
     * @param verified whether every optimal plan runs it; false if this plan is not proved optimal or is not the only
     *     one
     * @param message message that describes the change
     */
    public record Found(List<Change> changes, PreparationPlan plan, boolean verified, String message) {
        public Found {
            changes = List.copyOf(changes);
        }
    }

    /**
     * Searches the changes of each kind for the smallest one; empty if none starts it.
     *
     * @param id a pending preparation of the problem
     * @param trainingAllocations allocation by training job
     * @throws IllegalArgumentException if the preparation does not exist
     */
    public static Optional<Found> search(RoundProblem problem, String id, Map<String, Allocation> trainingAllocations) {
        Preparation preparation = problem.preparations().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("preparation %s does not exist".formatted(id)));
        return Optional.ofNullable(
                new PreparationCounterfactualSearch(problem, preparation, trainingAllocations).search());
    }

    private @Nullable Found search() {
        Found asItIs = under(List.of(), "Nothing is needed: the next plan for the state as it is runs it.");
        if (asItIs != null) {
            return asItIs;
        }
        for (String pool : pools()) {
            Found lent = min(spec().workingSetGiB() - spec().minLocalGiB(), gib -> lender(pool, gib));
            if (lent != null) {
                return lent;
            }
        }
        for (String pool : pools()) {
            int more = spec().workingSetGiB() - spec().minLocalGiB();
            Found host = min(more + 1, extra -> host(pool, spec().minLocalGiB() + extra - 1));
            if (host != null) {
                return host;
            }
        }
        return activateNode();
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

    /** A change and its message. */
    private record Trial(List<Change> changes, String message) {}

    /**
     * Returns the smallest effective size of a change, from 1 to {@code max}; null if even that size does not start it.
     */
    private @Nullable Found min(int max, IntFunction<Trial> sizes) {
        Found found = max < 1 ? null : under(sizes.apply(max));
        int refuted = 0;
        int enough = max;
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

    /** Returns additional remote memory, as a node on which nothing can run. */
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

    private @Nullable Found activateNode() {
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

    /** Returns the result for the changed problem; null if the plan does not run the preparation. */
    private @Nullable Found under(List<Change> changes, String text) {
        RoundProblem changedProblem = problem;
        for (Change change : changes) {
            changedProblem = change.applyTo(changedProblem, WithheldJobs.NOTHING);
        }
        PreparationPlan plan = PreparationPlanner.plan(changedProblem, trainingAllocations);
        boolean runs =
                plan.running().stream().anyMatch(planned -> planned.jobId().equals(preparation.id()));
        return runs ? new Found(changes, plan, isBetterWith(plan, changedProblem), text) : null;
    }

    /** Returns whether every plan without it has a lower objective value. */
    private boolean isBetterWith(PreparationPlan plan, RoundProblem changedProblem) {
        List<Preparation> others = new ArrayList<>(changedProblem.preparations());
        others.removeIf(one -> one.id().equals(preparation.id()));
        SolutionQuality without = PreparationPlanner.plan(changedProblem.withPreparations(others), trainingAllocations)
                .quality();
        double best = without.bestBound();
        return CounterfactualSearch.isProved(plan.quality())
                && plan.quality().objectiveValue() > best + CounterfactualSearch.tolerance(best);
    }
}
