package dev.spur.solver.dataprep;

import dev.spur.model.dataprep.PreparationSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Large neighborhood search for pending preparations without a solver. It places them in several orders and keeps the
 * best; then it removes some placements and places these preparations again (Shaw, "Using constraint programming and
 * local search", 1998). The budget counts steps, not time.
 */
final class PreparationNeighborhoodSearch {
    /** Maximum number of node evaluations over all attempts. */
    private static final long MAX_LOOKS = 6_000_000;

    private static final int MAX_TRIES = 60;
    private static final int TAKEN_OUT = 4;

    private final PreparationAssignment baseAssignment;
    private final double bound;
    private final SplittableRandom random;
    private PreparationAssignment bestAssignment;
    private long evaluations;

    private PreparationNeighborhoodSearch(PreparationAssignment baseAssignment, double bound, long seed) {
        this.baseAssignment = baseAssignment;
        this.bound = bound;
        this.random = new SplittableRandom(seed);
        this.bestAssignment = baseAssignment;
    }

    /**
     * Returns the best placement found; a preparation placed in {@code baseAssignment} keeps its memory or gets more.
     */
    static PreparationAssignment of(PreparationAssignment baseAssignment, double bound, long seed) {
        PreparationNeighborhoodSearch improvement = new PreparationNeighborhoodSearch(baseAssignment, bound, seed);
        improvement.placeInSeveralOrders();
        improvement.reassignSome();
        return improvement.bestAssignment;
    }

    private void placeInSeveralOrders() {
        bestAssignment = fill(baseAssignment.copy(), placedJobs(baseAssignment), waiting(), true);
        IntToDoubleFunction density =
                j -> -baseAssignment.weight(j) / baseAssignment.spec(j).workingSetGiB();
        IntToDoubleFunction weight = j -> -baseAssignment.weight(j);
        IntToDoubleFunction mixed = j ->
                -baseAssignment.weight(j) / Math.sqrt(baseAssignment.spec(j).workingSetGiB());
        for (IntToDoubleFunction order : List.of(density, weight, mixed)) {
            List<Integer> sorted = new ArrayList<>(waiting());
            sorted.sort(Comparator.comparingDouble(order::applyAsDouble));
            if (evaluations > MAX_LOOKS) {
                return;
            }
            keepBetter(fill(baseAssignment.copy(), placedJobs(baseAssignment), sorted, false));
            keepBetter(fill(baseAssignment.copy(), placedJobs(baseAssignment), sorted, true));
        }
    }

    private void reassignSome() {
        for (int i = 0; i < MAX_TRIES && evaluations < MAX_LOOKS && !isGoodEnough(); i++) {
            PreparationAssignment trialAssignment = bestAssignment.copy();
            List<Integer> removable = placedJobs(trialAssignment);
            for (int k = 0; k < TAKEN_OUT && !removable.isEmpty(); k++) {
                takeOut(trialAssignment, removable.remove(random.nextInt(removable.size())));
            }
            List<Integer> order = new ArrayList<>(waiting().stream()
                    .filter(j -> trialAssignment.placement(j) == null)
                    .toList());
            shuffle(order);
            List<Integer> placed = placedJobs(trialAssignment);
            shuffle(placed);
            keepBetter(fill(trialAssignment, placed, order, random.nextBoolean()));
        }
    }

    /** Makes a preparation pending again, or restores its initial memory if no other preparation uses it since. */
    private void takeOut(PreparationAssignment trialAssignment, int j) {
        PreparationPlacement first = baseAssignment.placement(j);
        PreparationPlacement now = Objects.requireNonNull(trialAssignment.placement(j));
        if (first == null
                || first.loans().entrySet().stream()
                        .allMatch(loan -> now.loans().getOrDefault(loan.getKey(), 0) >= loan.getValue())) {
            trialAssignment.put(j, first);
        }
    }

    private void shuffle(List<Integer> order) {
        IntStream.range(1, order.size()).forEach(k -> Collections.swap(order, k, random.nextInt(k + 1)));
    }

    private boolean isGoodEnough() {
        return bestAssignment.worth() >= bound - 1e-6 * Math.abs(bound);
    }

    private List<Integer> waiting() {
        return IntStream.range(0, baseAssignment.count())
                .filter(j -> !baseAssignment.runsAlready(j))
                .boxed()
                .toList();
    }

    private void keepBetter(PreparationAssignment other) {
        bestAssignment = other.worth() > bestAssignment.worth() + 1e-9 ? other : bestAssignment;
    }

    /**
     * Places preparations in this order where they fit. Running preparations grow before or after the others are
     * placed.
     */
    private PreparationAssignment fill(
            PreparationAssignment assignment, List<Integer> placed, List<Integer> order, boolean growFirst) {
        PreparationPlacementSearch search = new PreparationPlacementSearch(assignment);
        placed.forEach(search::cover);
        if (growFirst) {
            placed.forEach(search::grow);
        }
        for (int j : order) {
            PreparationPlacement placement = search.start(j);
            if (placement != null) {
                assignment.put(j, placement);
            }
        }
        placedJobs(assignment).forEach(search::grow);
        evaluations += search.evaluations();
        return assignment;
    }

    /** Returns the placed preparations, in descending order of the gain of one more GiB. */
    private static List<Integer> placedJobs(PreparationAssignment assignment) {
        List<Integer> placed = new ArrayList<>(IntStream.range(0, assignment.count())
                .filter(j -> assignment.placement(j) != null)
                .boxed()
                .toList());
        placed.sort(Comparator.comparingDouble(j -> -gainOfAGiB(assignment, j)));
        return placed;
    }

    private static double gainOfAGiB(PreparationAssignment assignment, int j) {
        PreparationPlacement placement = Objects.requireNonNull(assignment.placement(j));
        PreparationSpec spec = assignment.spec(j);
        int missing = Math.max(0, spec.workingSetGiB() - placement.localGiB());
        double now = PreparationAssignment.gain(spec, placement.localGiB(), placement.borrowedGiB());
        double full = PreparationAssignment.gain(spec, placement.localGiB(), missing);
        return assignment.weight(j) * (full - now) / Math.max(1, missing - placement.borrowedGiB());
    }
}
