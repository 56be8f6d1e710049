package dev.spur.solver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
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
import java.util.OptionalInt;
import java.util.TreeMap;
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
    /** Whether a plan has the objective value of its placement; otherwise the utilities of its candidates count. */
    private final boolean placed;
    /** Minimum objective value of each class that is decided. */
    private final Map<Integer, Double> floors;
    /** Class whose objective value is the maximized one; empty for that of all jobs. */
    private final OptionalInt open;

    private final Map<List<Object>, Double> utilities = new HashMap<>();
    private final Map<String, Double> prices = new HashMap<>();
    private double best = Double.NEGATIVE_INFINITY;

    private Enumeration(CandidateSet candidates, List<IntPredicate> commitments, IntPredicate offered, boolean placed) {
        this(candidates, commitments, offered, placed, Map.of(), OptionalInt.empty());
    }

    private Enumeration(
            CandidateSet candidates,
            List<IntPredicate> commitments,
            IntPredicate offered,
            boolean placed,
            Map<Integer, Double> floors,
            OptionalInt open) {
        this.floors = floors;
        this.open = open;
        this.problem = candidates.problem();
        this.candidates = candidates;
        this.commitments = commitments;
        this.offered = offered;
        this.placed = placed;
        problem.nodes().forEach(node -> prices.put(node.id(), node.pricePerSlotHour()));
        this.choice = new int[candidates.jobs()];
        this.rest = new double[candidates.jobs() + 1];
        for (int j = candidates.jobs() - 1; j >= 0; j--) {
            rest[j] = rest[j + 1] + options(j).mapToDouble(this::limit).max().orElse(0);
        }
    }

    /** Returns the maximum of the candidates' utilities in a plan; negative infinity if no plan is feasible. */
    public static double bestWorth(CandidateSet candidates) {
        return bestWorth(candidates, List.of());
    }

    /** Returns the same for plans that satisfy each commitment by one of its candidates. */
    public static double bestWorth(CandidateSet candidates, List<IntPredicate> commitments) {
        return bestWorth(candidates, commitments, c -> true);
    }

    /** Returns the same for plans of {@code offered} candidates only. */
    public static double bestWorth(CandidateSet candidates, List<IntPredicate> commitments, IntPredicate offered) {
        return new Enumeration(candidates, commitments, offered, false).optimum();
    }

    /** Returns the maximum objective value of a placed plan that satisfies each commitment. */
    public static double bestPlacedWorth(CandidateSet candidates, List<IntPredicate> commitments) {
        return new Enumeration(candidates, commitments, c -> true, true).optimum();
    }

    /**
     * Returns the maximum objective value of the class {@code open} in a placed plan in which each class of
     * {@code floors} has at least that objective value, up to rounding.
     */
    public static double bestOfClass(CandidateSet candidates, int open, Map<Integer, Double> floors) {
        return new Enumeration(candidates, List.of(), c -> true, true, floors, OptionalInt.of(open)).optimum();
    }

    /** Returns whether a feasible plan satisfies all commitments. */
    public static boolean isPossible(CandidateSet candidates, List<IntPredicate> commitments) {
        return bestWorth(candidates, commitments) > Double.NEGATIVE_INFINITY;
    }

    private double optimum() {
        search(0, 0);
        return best;
    }

    private double limit(int c) {
        return c < 0 || !counts(candidates.get(c).job()) ? 0 : candidates.get(c).utility();
    }

    private boolean counts(int j) {
        return open.isEmpty() || candidates.job(j).spec().priority() == open.getAsInt();
    }

    /** Returns whether each decided class can still reach its minimum when the jobs from {@code next} on are open. */
    private boolean floorsAreInReach(int next) {
        return floors.entrySet().stream().allMatch(floor -> {
            double most = 0;
            for (int j = 0; j < choice.length; j++) {
                if (candidates.job(j).spec().priority() == floor.getKey()) {
                    most += j < next
                            ? choice[j] < 0 ? 0 : candidates.get(choice[j]).utility()
                            : options(j)
                                    .mapToDouble(
                                            c -> c < 0 ? 0 : candidates.get(c).utility())
                                    .max()
                                    .orElse(0);
                }
            }
            return most >= floor.getValue() - 1e-7;
        });
    }

    private boolean floorsAreReached(Map<Integer, Allocation> given) {
        return floors.entrySet().stream()
                .allMatch(floor -> given.entrySet().stream()
                                .filter(entry ->
                                        candidates.job(entry.getKey()).spec().priority() == floor.getKey())
                                .mapToDouble(entry -> PlannedAllocations.utility(
                                        problem, candidates.job(entry.getKey()), entry.getValue()))
                                .sum()
                        >= floor.getValue() - 1e-7);
    }

    private void search(int j, double worth) {
        if (isNoBetter(worth + rest[j]) || !floorsAreInReach(j)) {
            return;
        }
        if (j == candidates.jobs()) {
            if (commitments.stream().allMatch(this::isMet)) {
                placeAll(worth);
            }
            return;
        }
        options(j)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer c) -> -limit(c)))
                .forEach(c -> {
                    choice[j] = c;
                    if (slotsSuffice(j)) {
                        search(j + 1, worth + limit(c));
                    }
                });
        choice[j] = -1;
    }

    private boolean isNoBetter(double worth) {
        return worth <= best + 1e-12 && best > Double.NEGATIVE_INFINITY;
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
            if (choice[j] >= 0 && !candidates.get(choice[j]).isRetained()) {
                used.merge(
                        candidates.get(choice[j]).nodeClass(),
                        candidates.get(choice[j]).slots(),
                        Integer::sum);
            }
        }
        return used.entrySet().stream().allMatch(entry -> {
            var nodeClass = candidates.hardware().classes().get(entry.getKey());
            return entry.getValue() <= nodeClass.slots();
        });
    }

    /** Places the choice, whose candidates have the sum {@code worth} of utilities, in all ways. */
    private void placeAll(double worth) {
        Map<String, List<String>> free = new LinkedHashMap<>();
        problem.nodes().forEach(node -> free.put(node.id(), new ArrayList<>(node.devices())));
        Map<Integer, Allocation> given = new HashMap<>();
        double limit = worth;
        for (int j = 0; j < choice.length; j++) {
            Allocation held = candidates.job(j).allocation();
            if (choice[j] >= 0 && held != null && candidates.get(choice[j]).isRetained()) {
                held.placement().forEach(piece -> free.get(piece.node()).removeAll(piece.devices()));
                limit = put(j, held.withConfiguration(candidates.get(choice[j]).configuration()), given, limit);
            }
        }
        place(0, free, given, limit);
    }

    private double price(Allocation allocation) {
        return allocation.placement().stream()
                .mapToDouble(piece -> prices.get(piece.node()))
                .max()
                .orElse(0);
    }

    /** Adds the allocation of a job; returns the upper limit of the objective value with it. */
    private double put(int j, Allocation allocation, Map<Integer, Allocation> given, double limit) {
        given.put(j, allocation);
        if (!placed || !counts(j)) {
            return limit;
        }
        Job job = candidates.job(j);
        ChangeMechanism change = job.changeTo(allocation);
        double own = utilities.computeIfAbsent(
                List.of(choice[j], change, price(allocation)),
                key -> PlannedAllocations.utility(problem, job, allocation));
        if (!change.keepsProcesses()) {
            assertThat(own)
                    .as("utility of job %d, which its candidate %s limits", j, candidates.get(choice[j]))
                    .isLessThanOrEqualTo(limit(choice[j]) + 1e-9 * Math.max(1, Math.abs(own)));
        }
        return limit - limit(choice[j]) + own;
    }

    private void place(int j, Map<String, List<String>> free, Map<Integer, Allocation> given, double limit) {
        if (isNoBetter(limit)) {
            return;
        }
        if (j == choice.length) {
            if (floorsAreReached(given)
                    && PlannedAllocations.violations(problem, withAggregation(given))
                            .isEmpty()) {
                best = limit;
            }
        } else if (choice[j] < 0 || candidates.get(choice[j]).isRetained()) {
            place(j + 1, free, given, limit);
        } else {
            placePieces(j, new ArrayList<>(), free, given, limit);
        }
    }

    private void placePieces(
            int j,
            List<NodeShare> pieces,
            Map<String, List<String>> free,
            Map<Integer, Allocation> given,
            double limit) {
        Candidate candidate = candidates.get(choice[j]);
        List<Integer> shape = candidate.configuration().shape();
        if (pieces.size() == shape.size() && placed && isCheaper(pieces, candidate)) {
            return;
        }
        if (pieces.size() == shape.size()) {
            Allocation allocation = new Allocation(candidate.configuration(), pieces, List.of(), problem.now());
            place(j + 1, free, given, put(j, allocation, given, limit));
            given.remove(j);
            return;
        }
        int size = shape.get(pieces.size());
        double level = level(candidate);
        for (int v : candidates.hardware().classes().get(candidate.nodeClass()).nodes()) {
            String node = problem.nodes().get(v).id();
            List<String> devices = free.get(node);
            if (candidate.access().contains(v)
                    && prices.get(node) <= level
                    && pieces.stream().noneMatch(piece -> piece.node().equals(node))) {
                for (List<String> taken : subsets(node, devices, size)) {
                    List<String> before = List.copyOf(devices);
                    devices.removeAll(taken);
                    pieces.add(new NodeShare(node, taken));
                    placePieces(j, pieces, free, given, limit);
                    pieces.remove(pieces.size() - 1);
                    devices.clear();
                    devices.addAll(before);
                }
            }
        }
    }

    /** Returns the price up to which the candidate may take nodes; infinite where prices do not count. */
    private double level(Candidate candidate) {
        return problem.settings().objective().pricePenalty() == 0
                ? Double.POSITIVE_INFINITY
                : candidates.hardware().price(candidate.nodeClass(), candidate.access());
    }

    /** Returns whether the nodes have lower prices than those of the candidate: another candidate stands for them. */
    private boolean isCheaper(List<NodeShare> pieces, Candidate candidate) {
        double level = level(candidate);
        return Double.isFinite(level) && pieces.stream().allMatch(piece -> prices.get(piece.node()) < level);
    }

    /**
     * Returns the sets of {@code size} of the free devices of a node that differ in the jobs that hold the devices, or
     * in the device of rank 0. Where candidates count, all sets are equal.
     */
    private List<List<String>> subsets(String node, List<String> devices, int size) {
        Map<String, List<String>> alike = new TreeMap<>();
        devices.forEach(device -> alike.computeIfAbsent(placed ? holder(node, device) : "", k -> new ArrayList<>())
                .add(device));
        List<List<String>> subsets = List.of(List.of());
        for (List<String> group : alike.values()) {
            List<List<String>> longer = new ArrayList<>();
            for (List<String> subset : subsets) {
                for (int n = 0; n <= Math.min(group.size(), size - subset.size()); n++) {
                    List<String> more = new ArrayList<>(subset);
                    more.addAll(group.subList(0, n));
                    longer.add(more);
                }
            }
            subsets = longer;
        }
        return subsets.stream().filter(subset -> subset.size() == size).toList();
    }

    /** Returns which moving job holds the device, and whether as rank 0; empty for none. */
    private String holder(String node, String device) {
        for (int j = 0; j < choice.length; j++) {
            Allocation held = candidates.job(j).allocation();
            if (held != null && choice[j] >= 0 && !candidates.get(choice[j]).isRetained()) {
                for (NodeShare share : held.placement()) {
                    if (share.node().equals(node) && share.devices().contains(device)) {
                        boolean first = share.equals(held.placement().get(0))
                                && share.devices().get(0).equals(device);
                        return j + (first ? " first" : "");
                    }
                }
            }
        }
        return "";
    }

    /**
     * Returns the allocations with their aggregation. Any split serves: a pinned job keeps its shares, the others take
     * what is left on open nodes in turn.
     */
    private Map<Integer, Allocation> withAggregation(Map<Integer, Allocation> fixed) {
        Map<Integer, List<AggregationShare>> shares = shares(fixed);
        Map<Integer, Allocation> complete = new HashMap<>();
        fixed.forEach((j, given) -> complete.put(
                j,
                new Allocation(
                        given.configuration(), given.placement(), shares.getOrDefault(j, List.of()), given.since())));
        return complete;
    }

    private Map<Integer, List<AggregationShare>> shares(Map<Integer, Allocation> fixed) {
        Map<String, Long> left = new LinkedHashMap<>();
        problem.nodes().forEach(node -> left.put(node.id(), Math.round(node.aggregationSlots() * 1000)));
        Map<Integer, List<AggregationShare>> shares = new HashMap<>();
        fixed.forEach((j, given) -> {
            if (candidates.isPinned(j)) {
                shares.put(j, given.aggregation());
                given.aggregation().forEach(share -> left.merge(share.node(), -share.thousandths(), Long::sum));
            }
        });
        fixed.forEach((j, given) -> {
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
