package dev.spur.solver.candidate;

import dev.spur.model.job.Job;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collection of the candidates of one job without dominated ones, with the reason why there is none. */
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

    /** Returns the candidates that no other one dominates in demand and utility. */
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

    /** Descending utility; among equal ones ascending demand, so that a candidate precedes those that it dominates. */
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
     * Returns whether {@code a} fits wherever {@code b} fits, with at least its utility and, with a deadline, at least
     * its speed.
     */
    private boolean dominates(Candidate a, Candidate b) {
        return a.nodeClass() == b.nodeClass()
                && a.utility() >= b.utility()
                && (!hasDeadline || a.goodput() >= b.goodput())
                && a.configuration().aggregationThousandths()
                        <= b.configuration().aggregationThousandths()
                && fitsWithin(a.configuration().shape(), b.configuration().shape());
    }

    /**
     * Returns whether every share of {@code a} fits into a distinct share of {@code b}; both are in descending order.
     */
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
