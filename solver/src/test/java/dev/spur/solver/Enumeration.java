package dev.spur.solver;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Optimum of a tiny problem by enumeration of all combinations of candidates and all placements of each. The plan
 * validator decides which are feasible. Only the candidates are the solver's.
 */
public final class Enumeration {
    private final RoundProblem problem;
    private final CandidateSet candidates;
    private final double[] rest;
    private final int[] choice;
    private final List<IntPredicate> commitments;
    private final IntPredicate offered;
    private double best = Double.NEGATIVE_INFINITY;

    private Enumeration(CandidateSet candidates, List<IntPredicate> commitments, IntPredicate offered) {
        this.problem = candidates.problem();
        this.candidates = candidates;
        this.commitments = commitments;
        this.offered = offered;
        this.choice = new int[candidates.jobs()];
        this.rest = new double[candidates.jobs() + 1];
        for (int j = candidates.jobs() - 1; j >= 0; j--) {
            double most = options(j)
                    .mapToDouble(c -> c < 0 ? 0 : candidates.get(c).utility())
                    .max()
                    .orElse(0);
            rest[j] = rest[j + 1] + most;
        }
    }

    /** Returns the maximum objective value of a plan; negative infinity if no plan is feasible. */
    public static double bestWorth(CandidateSet candidates) {
        return bestWorth(candidates, List.of());
    }

    /** Returns the maximum objective value of a plan that satisfies each commitment by one of its candidates. */
    public static double bestWorth(CandidateSet candidates, List<IntPredicate> commitments) {
        return bestWorth(candidates, commitments, c -> true);
    }

    /** Returns the same for plans of {@code offered} candidates only. */
    public static double bestWorth(CandidateSet candidates, List<IntPredicate> commitments, IntPredicate offered) {
        Enumeration enumeration = new Enumeration(candidates, commitments, offered);
        enumeration.search(0, 0);
        return enumeration.best;
    }

    /** Returns whether a feasible plan satisfies all commitments. */
    public static boolean isPossible(CandidateSet candidates, List<IntPredicate> commitments) {
        return bestWorth(candidates, commitments) > Double.NEGATIVE_INFINITY;
    }

    private void search(int j, double worth) {
        if (worth + rest[j] <= best + 1e-12 && best > Double.NEGATIVE_INFINITY) {
            return;
        }
        if (j == candidates.jobs()) {
            if (commitments.stream().allMatch(this::isMet) && isFeasible()) {
                best = worth;
            }
            return;
        }
        options(j)
                .boxed()
                .sorted(Comparator.comparingDouble(
                        c -> c < 0 ? 0 : -candidates.get(c).utility()))
                .forEach(c -> {
                    choice[j] = c;
                    if (slotsSuffice(j)) {
                        search(j + 1, worth + (c < 0 ? 0 : candidates.get(c).utility()));
                    }
                });
        choice[j] = -1;
    }

    /** The candidates of a job, and -1 for waiting unless it must stay. */
    private IntStream options(int j) {
        IntStream own = IntStream.range(candidates.first(j), candidates.end(j)).filter(offered);
        return candidates.isPinned(j) ? own : IntStream.concat(own, IntStream.of(-1));
    }

    private boolean isMet(IntPredicate owedToOne) {
        return Arrays.stream(choice).filter(c -> c >= 0).anyMatch(owedToOne);
    }

    /** A quick look at the slots of each class, so that hopeless branches end early. */
    private boolean slotsSuffice(int upTo) {
        Map<Integer, Integer> used = new HashMap<>();
        for (int j = 0; j <= upTo; j++) {
            if (choice[j] >= 0 && !candidates.get(choice[j]).kept()) {
                used.merge(
                        candidates.get(choice[j]).nodeClass(),
                        candidates.get(choice[j]).slots(),
                        Integer::sum);
            }
        }
        return used.entrySet().stream().allMatch(entry -> {
            var nodeClass = candidates.hardware().classes().get(entry.getKey());
            return entry.getValue()
                    <= nodeClass.slotsPerNode() * nodeClass.nodes().size();
        });
    }

    private boolean isFeasible() {
        Map<String, List<String>> free = new LinkedHashMap<>();
        problem.nodes().forEach(node -> free.put(node.id(), new ArrayList<>(node.devices())));
        Map<Integer, Allocation> placed = new HashMap<>();
        for (int j = 0; j < choice.length; j++) {
            if (choice[j] >= 0 && candidates.get(choice[j]).kept()) {
                Allocation held = candidates.job(j).allocation();
                held.placement().forEach(piece -> free.get(piece.node()).removeAll(piece.devices()));
                placed.put(j, held);
            }
        }
        return place(0, free, placed);
    }

    private boolean place(int j, Map<String, List<String>> free, Map<Integer, Allocation> placed) {
        if (j == choice.length) {
            return PlannedAllocations.violations(candidates, choice, withAggregation(placed))
                    .isEmpty();
        }
        if (choice[j] < 0 || candidates.get(choice[j]).kept()) {
            return place(j + 1, free, placed);
        }
        return placePieces(j, new ArrayList<>(), free, placed);
    }

    private boolean placePieces(
            int j, List<NodeShare> pieces, Map<String, List<String>> free, Map<Integer, Allocation> placed) {
        Candidate candidate = candidates.get(choice[j]);
        List<Integer> shape = candidate.configuration().shape();
        if (pieces.size() == shape.size()) {
            placed.put(j, new Allocation(candidate.configuration(), pieces, List.of(), problem.now()));
            boolean found = place(j + 1, free, placed);
            placed.remove(j);
            return found;
        }
        int size = shape.get(pieces.size());
        for (int v : candidates.hardware().classes().get(candidate.nodeClass()).nodes()) {
            String node = problem.nodes().get(v).id();
            List<String> devices = free.get(node);
            if (devices.size() >= size
                    && pieces.stream().noneMatch(piece -> piece.node().equals(node))) {
                List<String> taken = List.copyOf(devices.subList(0, size));
                devices.removeAll(taken);
                pieces.add(new NodeShare(node, taken));
                boolean found = placePieces(j, pieces, free, placed);
                pieces.remove(pieces.size() - 1);
                devices.addAll(taken);
                if (found) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the allocations with their aggregation. Any split serves: a pinned job keeps its shares, the others take
     * what is left on open nodes in turn.
     */
    private Map<Integer, Allocation> withAggregation(Map<Integer, Allocation> placed) {
        Map<Integer, List<AggregationShare>> shares = shares(placed);
        Map<Integer, Allocation> complete = new HashMap<>();
        placed.forEach((j, given) -> complete.put(
                j,
                new Allocation(
                        given.configuration(), given.placement(), shares.getOrDefault(j, List.of()), given.since())));
        return complete;
    }

    private Map<Integer, List<AggregationShare>> shares(Map<Integer, Allocation> placed) {
        Map<String, Long> left = new LinkedHashMap<>();
        problem.nodes().forEach(node -> left.put(node.id(), Math.round(node.aggregationSlots() * 1000)));
        Map<Integer, List<AggregationShare>> shares = new HashMap<>();
        placed.forEach((j, given) -> {
            if (candidates.isPinned(j)) {
                shares.put(j, given.aggregation());
                given.aggregation().forEach(share -> left.merge(share.node(), -share.thousandths(), Long::sum));
            }
        });
        placed.forEach((j, given) -> {
            long missing = given.configuration().aggregationThousandths();
            if (missing > 0 && !shares.containsKey(j)) {
                shares.put(j, take(given.configuration().pool(), missing, left));
            }
        });
        return shares;
    }

    private List<AggregationShare> take(String pool, long needed, Map<String, Long> left) {
        List<AggregationShare> shares = new ArrayList<>();
        long missing = needed;
        for (Node node : problem.nodes()) {
            long part = Math.min(missing, left.get(node.id()));
            if (part > 0 && node.pool().equals(pool) && candidates.hardware().offersAggregation(node)) {
                left.merge(node.id(), -part, Long::sum);
                missing -= part;
                shares.add(new AggregationShare(node.id(), part / 1000.0));
            }
        }
        return shares;
    }
}
