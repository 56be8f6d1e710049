package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.utility.Goodput;
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
    private final Utility worth;
    private final Map<String, Double> prices = new HashMap<>();
    private final Map<NodeClassName, Group> groups = new HashMap<>();
    /**
     * By node class and number of slots: the minimum loss of utility, without restart, of a job that frees at least
     * this number of slots by shrinking.
     */
    private final Map<Integer, TreeMap<Integer, Double>> shrinking = new HashMap<>();

    Competitors(CandidateSet candidates, Map<Integer, Allocation> running) {
        this.candidates = candidates;
        this.worth = candidates.utility();
        candidates.problem().nodes().forEach(node -> prices.put(node.id(), node.pricePerSlotHour()));
        Holder[] holders = new Holder[candidates.jobs()];
        ParallelLoop.range(holders.length)
                .filter(running::containsKey)
                .forEach(j -> holders[j] = holder(j, Objects.requireNonNull(running.get(j))));
        running.forEach((j, given) -> {
            Group group = groups.computeIfAbsent(NodeClassName.of(given.configuration()), k -> new Group());
            group.holders.add(holders[j]);
            if (candidates.isPinned(j)) {
                Candidate retained = candidates.get(candidates.retainedCandidate(j));
                group.minPinnedPerSlot = Math.min(group.minPinnedPerSlot, retained.utility() / retained.slots());
            } else if (candidates.retainedCandidate(j) >= 0) {
                addShrinking(j, given);
            }
        });
        groups.values().forEach(group -> group.holders.sort(Comparator.comparingDouble(Holder::perSlot)));
    }

    private Holder holder(int j, Allocation given) {
        Job job = candidates.job(j);
        Configuration configuration = given.configuration();
        double price = given.placement().stream()
                .mapToDouble(piece -> prices.getOrDefault(piece.node(), 0.0))
                .max()
                .orElse(0);
        double goodput = Goodput.of(job.spec(), configuration);
        double utility = worth.of(job).of(configuration, goodput, job.changeTo(given), price);
        return new Holder(
                job.spec().priority(),
                configuration.slots(),
                utility,
                worth.of(job).stopCost(goodput));
    }

    private void addShrinking(int j, Allocation given) {
        Candidate now = candidates.get(candidates.retainedCandidate(j));
        for (Candidate smaller : candidates.of(j).fresh()) {
            int freed = now.slots() - smaller.slots();
            if (freed > 0
                    && NodeClassName.of(smaller.configuration()).equals(NodeClassName.of(given.configuration()))) {
                double price = candidates.hardware().price(smaller.nodeClass(), smaller.access());
                double retained = worth.of(candidates.job(j))
                        .of(smaller.configuration(), smaller.goodput(), ChangeMechanism.UNCHANGED, price);
                shrinking
                        .computeIfAbsent(smaller.nodeClass(), k -> new TreeMap<>())
                        .merge(freed, now.utility() - retained, Math::min);
            }
        }
    }

    /**
     * Returns whether the holders that would have to make room gain at least the utility of {@code wanting}. These are
     * the holders of the kind and the class with the lowest utility per slot, until their slots suffice.
     *
     * @param free number of slots of the kind that are free
     */
    boolean outrank(Candidate wanting, int free) {
        return lossOfHolders(wanting, free, Holder::utility) >= wanting.utility();
    }

    /**
     * Returns whether the same holders gain less than {@code wanting}, but not if the cost of stopping them is added.
     *
     * @param free number of slots of the kind that are free
     */
    boolean stopsCostMore(Candidate wanting, int free) {
        double plain = lossOfHolders(wanting, free, holder -> holder.utility() - holder.stopCost());
        return plain >= 0 && plain < wanting.utility() && outrank(wanting, free);
    }

    /** Returns the loss of utility by the holders that would have to make room; negative if they are too few. */
    private double lossOfHolders(Candidate wanting, int free, ToDoubleFunction<Holder> loss) {
        Group group = groups.get(NodeClassName.of(wanting.configuration()));
        if (group == null) {
            return Double.NEGATIVE_INFINITY;
        }
        int missing = wanting.slots() - free;
        int slots = 0;
        double utility = 0;
        for (Holder holder : group.holders) {
            boolean isOfClass =
                    holder.priority() == candidates.job(wanting.job()).spec().priority();
            if (isOfClass && slots < missing) {
                slots += holder.slots();
                utility += loss.applyAsDouble(holder);
            }
        }
        return slots >= missing ? utility : Double.NEGATIVE_INFINITY;
    }

    /** Returns whether a protected job holds slots of the kind with less utility per slot. */
    boolean somePinnedHasLessUtility(Candidate wanting) {
        Group group = groups.get(NodeClassName.of(wanting.configuration()));
        return group != null && group.minPinnedPerSlot < wanting.utility() / wanting.slots();
    }

    /**
     * Returns whether a job that could shrink without a restart would free enough slots for less than the utility of
     * {@code wanting}.
     */
    boolean shrinkingWouldPay(Candidate wanting) {
        TreeMap<Integer, Double> losses = shrinking.get(wanting.nodeClass());
        return losses != null
                && losses.tailMap(wanting.slots()).values().stream().anyMatch(loss -> loss < wanting.utility());
    }
}
