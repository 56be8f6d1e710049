package dev.spur.solver.candidate;

import dev.spur.model.job.Job;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is offered for one job, and why nothing is. */
final class Offers {
    private final boolean hasDeadline;
    private final List<Candidate> candidates = new ArrayList<>();
    private boolean sawClass;
    private boolean sawShape;
    private boolean sawBatch;

    Offers(Job job) {
        hasDeadline = job.deadline() != null;
    }

    void sawClass() {
        sawClass = true;
    }

    void sawShape() {
        sawShape = true;
    }

    void sawBatch() {
        sawBatch = true;
    }

    void add(Candidate candidate) {
        candidates.add(candidate);
    }

    Unfit unfit() {
        if (!candidates.isEmpty()) {
            return Unfit.NONE;
        }
        if (!sawClass) {
            return Unfit.POOL_MISMATCH;
        }
        if (!sawShape) {
            return Unfit.NEVER_FITS;
        }
        return sawBatch ? Unfit.NO_GAIN : Unfit.GPU_MEMORY;
    }

    /** The candidates without those than which another one needs no more of anything and is worth no less. */
    List<Candidate> undominated() {
        List<Candidate> bestFirst = candidates.stream()
                .sorted(Comparator.comparingDouble(Candidate::worth)
                        .reversed()
                        .thenComparingInt(Candidate::slots)
                        .thenComparingDouble(c -> c.configuration().aggregationSlots())
                        .thenComparingInt(c -> c.configuration().nodes()))
                .toList();
        List<Candidate> kept = new ArrayList<>();
        for (Candidate candidate : bestFirst) {
            if (kept.stream().noneMatch(other -> dominates(other, candidate))) {
                kept.add(candidate);
            }
        }
        kept.sort(Comparator.comparingInt(Candidate::nodeClass)
                .thenComparingInt(Candidate::slots)
                .thenComparingInt(c -> c.configuration().nodes())
                .thenComparingDouble(c -> c.configuration().aggregationSlots()));
        return List.copyOf(kept);
    }

    /** Wherever {@code b} could be placed, {@code a} could be, for no less worth; with a deadline, also at no less speed. */
    private boolean dominates(Candidate a, Candidate b) {
        return a.nodeClass() == b.nodeClass()
                && a.worth() >= b.worth()
                && (!hasDeadline || a.goodput() >= b.goodput())
                && a.configuration().aggregationThousandths()
                        <= b.configuration().aggregationThousandths()
                && fitsWithin(a.configuration().shape(), b.configuration().shape());
    }

    /** True if every piece of {@code a} fits into a piece of {@code b} of its own; both are descending. */
    private static boolean fitsWithin(List<Integer> a, List<Integer> b) {
        if (a.size() > b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (a.get(i) > b.get(i)) {
                return false;
            }
        }
        return true;
    }
}
