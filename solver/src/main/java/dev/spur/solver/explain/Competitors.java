package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.utility.Goodput;
import dev.spur.model.utility.NodeTerms;
import dev.spur.model.utility.Utility;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.candidate.ParallelLoop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Resources of the running jobs by pool and type, so that the reason of each pending job is found without a search. */
final class Competitors {
    /** The jobs that hold slots of one type in one pool. */
    private static final class Group {
        /** By utility per slot, in ascending order. */
        private final List<Holder> holders = new ArrayList<>();

        private double minPinnedPerSlot = Double.POSITIVE_INFINITY;
    }

    /**
     * A running job.
     *
     * @param priority its class
     * @param slots number of its slots, above 0
     * @param utility utility of its allocation
     * @param stopCost part of the utility that is the cost of stopping it
     */
    private record Holder(int priority, int slots, double utility, double stopCost) {
        double perSlot() {
            return utility / slots;
        }
    }

    private final CandidateSet candidates;
    private final Utility holderUtility;
    private final Map<NodeClassName, Group> groups = new HashMap<>();
    /**
     * By node class and number of slots: the minimum loss of utility, without restart, of a job that frees at least
     * this number of slots by shrinking.
     */
    private final Map<Integer, TreeMap<Integer, Double>> shrinking = new HashMap<>();

    Competitors(CandidateSet candidates, Map<Integer, Allocation> runningAllocations) {
        this.candidates = candidates;
        this.holderUtility = candidates.utility();
        Holder[] holders = new Holder[candidates.jobs()];
        ParallelLoop.range(holders.length)
                .filter(runningAllocations::containsKey)
                .forEach(j -> holders[j] = holder(j, Objects.requireNonNull(runningAllocations.get(j))));
        runningAllocations.forEach((j, allocation) -> {
            Group group = groups.computeIfAbsent(NodeClassName.of(allocation.configuration()), k -> new Group());
            group.holders.add(holders[j]);
            if (candidates.isPinned(j)) {
                Candidate retainedCandidate = candidates.get(candidates.retainedCandidate(j));
                group.minPinnedPerSlot =
                        Math.min(group.minPinnedPerSlot, retainedCandidate.utility() / retainedCandidate.devices());
            } else if (candidates.retainedCandidate(j) >= 0) {
                addShrinking(j, allocation);
            }
        });
        groups.values().forEach(group -> group.holders.sort(Comparator.comparingDouble(Holder::perSlot)));
    }

    private Holder holder(int j, Allocation allocation) {
        Job job = candidates.job(j);
        Configuration configuration = allocation.configuration();
        NodeTerms terms = candidates.clusterIndex().terms(job, allocation);
        double goodput = Goodput.of(job.spec(), configuration);
        double utility = holderUtility.of(job).of(configuration, goodput, job.changeTo(allocation), terms);
        return new Holder(
                job.spec().priority(),
                configuration.slots(),
                utility,
                holderUtility.of(job).stopCost(configuration, goodput, terms.pricePerSlotHour()));
    }

    private void addShrinking(int j, Allocation allocation) {
        Candidate now = candidates.get(candidates.retainedCandidate(j));
        for (Candidate smaller : candidates.of(j).freshCandidates()) {
            int freed = now.slots() - smaller.slots();
            if (freed > 0
                    && NodeClassName.of(smaller.configuration()).equals(NodeClassName.of(allocation.configuration()))) {
                NodeTerms terms =
                        candidates.clusterIndex().terms(candidates.job(j), smaller.nodeClass(), smaller.access());
                double retained = holderUtility
                        .of(candidates.job(j))
                        .of(smaller.configuration(), smaller.goodput(), ChangeMechanism.UNCHANGED, terms);
                shrinking
                        .computeIfAbsent(smaller.nodeClass(), k -> new TreeMap<>())
                        .merge(freed, now.utility() - retained, Math::min);
            }
        }
    }

    /**
     * Returns whether the holders that would have to make room gain at least the utility of {@code candidate}. These
     * are the holders of the kind and the class with the lowest utility per slot, until their slots suffice.
     *
     * @param free number of slots of the kind that are free
     */
    boolean outrank(Candidate candidate, int free) {
        return lossOfHolders(candidate, free, Holder::utility) >= candidate.utility();
    }

    /**
     * Returns whether the same holders gain less than {@code candidate}, but not if the cost of stopping them is added.
     *
     * @param free number of slots of the kind that are free
     */
    boolean stopsCostMore(Candidate candidate, int free) {
        double plain = lossOfHolders(candidate, free, holder -> holder.utility() - holder.stopCost());
        return plain >= 0 && plain < candidate.utility() && outrank(candidate, free);
    }

    /** Returns the loss of utility by the holders that would have to make room; negative if they are too few. */
    private double lossOfHolders(Candidate candidate, int free, ToDoubleFunction<Holder> loss) {
        Group group = groups.get(NodeClassName.of(candidate.configuration()));
        if (group == null) {
            return Double.NEGATIVE_INFINITY;
        }
        int missing = candidate.slots() - free;
        int slots = 0;
        double utility = 0;
        for (Holder holder : group.holders) {
            boolean isOfClass =
                    holder.priority() == candidates.job(candidate.job()).spec().priority();
            if (isOfClass && slots < missing) {
                slots += holder.slots();
                utility += loss.applyAsDouble(holder);
            }
        }
        return slots >= missing ? utility : Double.NEGATIVE_INFINITY;
    }

    /** Returns whether a protected job holds slots of the kind with less utility per slot. */
    boolean somePinnedHasLessUtility(Candidate candidate) {
        Group group = groups.get(NodeClassName.of(candidate.configuration()));
        return group != null && group.minPinnedPerSlot < candidate.utility() / candidate.devices();
    }

    /**
     * Returns whether a job that could shrink without a restart would free enough slots for less than the utility of
     * {@code candidate}.
     */
    boolean shrinkingWouldPay(Candidate candidate) {
        TreeMap<Integer, Double> losses = shrinking.get(candidate.nodeClass());
        return losses != null
                && losses.tailMap(candidate.slots()).values().stream().anyMatch(loss -> loss < candidate.utility());
    }
}
