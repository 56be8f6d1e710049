package dev.spur.solver.candidate;

import dev.spur.model.job.Job;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects what is offered for one job, and why nothing is. */
final class DominanceFilter {
    private final boolean hasDeadline;
    private final List<Candidate> candidates = new ArrayList<>();
    private boolean sawClass;
    private boolean sawShape;
    private boolean sawBatch;

    DominanceFilter(Job job) {
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

    NoCandidateReason unfit() {
        if (!candidates.isEmpty()) {
            return NoCandidateReason.NONE;
        }
        if (!sawClass) {
            return NoCandidateReason.NO_MATCHING_NODES;
        }
        if (!sawShape) {
            return NoCandidateReason.UNSATISFIABLE;
        }
        return sawBatch ? NoCandidateReason.NO_GAIN : NoCandidateReason.BATCH_EXCEEDS_GPU_MEMORY;
    }

    /** The candidates without those than which another one needs no more of anything and is worth no less. */
    List<Candidate> undominated() {
        Candidate[] bestFirst = candidates.toArray(new Candidate[0]);
        Arrays.sort(bestFirst, DominanceFilter::byWorth);
        List<Candidate> kept = new ArrayList<>(bestFirst.length);
        for (Candidate candidate : bestFirst) {
            if (!isDominated(candidate, kept)) {
                kept.add(candidate);
            }
        }
        kept.sort(DominanceFilter::byPlace);
        return List.copyOf(kept);
    }

    /**
     * The highest worth first; of equal ones that which takes least, so that it is there before those that it
     * dominates.
     */
    private static int byWorth(Candidate a, Candidate b) {
        if (a.utility() != b.utility()) {
            return Double.compare(b.utility(), a.utility());
        }
        if (a.slots() != b.slots()) {
            return Integer.compare(a.slots(), b.slots());
        }
        int byAggregation = Double.compare(
                a.configuration().aggregationSlots(), b.configuration().aggregationSlots());
        return byAggregation != 0
                ? byAggregation
                : Integer.compare(a.configuration().nodes(), b.configuration().nodes());
    }

    private static int byPlace(Candidate a, Candidate b) {
        if (a.nodeClass() != b.nodeClass()) {
            return Integer.compare(a.nodeClass(), b.nodeClass());
        }
        if (a.slots() != b.slots()) {
            return Integer.compare(a.slots(), b.slots());
        }
        int byNodes =
                Integer.compare(a.configuration().nodes(), b.configuration().nodes());
        return byNodes != 0
                ? byNodes
                : Double.compare(
                        a.configuration().aggregationSlots(), b.configuration().aggregationSlots());
    }

    private boolean isDominated(Candidate candidate, List<Candidate> kept) {
        for (Candidate other : kept) {
            if (dominates(other, candidate)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Wherever {@code b} could be placed, {@code a} could be, for no less worth; with a deadline, also at no less
     * speed.
     */
    private boolean dominates(Candidate a, Candidate b) {
        return a.nodeClass() == b.nodeClass()
                && a.utility() >= b.utility()
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
