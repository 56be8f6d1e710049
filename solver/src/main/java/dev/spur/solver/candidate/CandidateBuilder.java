package dev.spur.solver.candidate;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.utility.JobUtility;
import dev.spur.model.utility.NodeTerms;
import dev.spur.solver.candidate.ConfigurationEnumerator.Offer;
import java.util.ArrayList;
import java.util.List;

/** Builder of the fresh candidates of one job, class by class, with the reason why there is none. */
final class CandidateBuilder {
    private static final List<ChangeMechanism> NONE = List.of();
    private static final List<ChangeMechanism> WITHOUT_RESTART =
            List.of(ChangeMechanism.RESCALE, ChangeMechanism.MIGRATE);

    private final ClusterIndex clusterIndex;
    private final MovableSlots movable;
    private final JobUtility utility;
    private final int index;
    private final Job job;
    private final AggregatorDemands demands;
    private final List<Candidate> undominatedCandidates = new ArrayList<>();
    private boolean matchesClass;
    private boolean fits;
    private boolean divides;
    private boolean fitsMemory;
    private boolean runs;

    /** @param index index of {@code job} in the problem */
    CandidateBuilder(
            ClusterIndex clusterIndex,
            MovableSlots movable,
            JobUtility utility,
            int index,
            Job job,
            AggregatorDemands demands) {
        this.clusterIndex = clusterIndex;
        this.movable = movable;
        this.utility = utility;
        this.index = index;
        this.job = job;
        this.demands = demands;
    }

    /**
     * Adds the undominated candidates on {@code nodeClass}, which the job allows.
     *
     * @param offers configurations on the class, ascending by slots
     * @param limits host resources of the class that count
     */
    void add(NodeClass nodeClass, List<Offer> offers, HostLimits limits) {
        matchesClass = true;
        List<Candidate> foundCandidates = new ArrayList<>(offers.size());
        for (Offer offer : offers) {
            fits = true;
            if (offer.configuration() != null) {
                runs = true;
                add(nodeClass, offer.access(), offer.configuration(), offer.goodput(), foundCandidates);
            } else if (!runs) {
                BatchLimits batch = job.spec().plannedBatch();
                int slots = offer.slots();
                divides |= batch.dividesAmong(slots);
                fitsMemory |= batch.fits(nodeClass.acceleratorType(), slots);
            }
        }
        undominatedCandidates.addAll(DominanceFilter.filter(foundCandidates, job.deadline() != null, demands, limits));
    }

    /** Adds {@code known}, candidates on one class of which none dominates another. */
    void add(List<Candidate> known) {
        undominatedCandidates.addAll(known);
    }

    private void add(
            NodeClass nodeClass,
            NodeAccess access,
            Configuration configuration,
            double goodput,
            List<Candidate> foundCandidates) {
        ChangeMechanism change = ChangeMechanism.RESTART;
        NodeTerms terms = clusterIndex.terms(job, nodeClass.index(), access);
        double value = utility.of(configuration, goodput, change, terms);
        for (ChangeMechanism other : job.allocation() == null ? NONE : WITHOUT_RESTART) {
            if (movable.mayAdopt(job, nodeClass, access, configuration, other)) {
                double limit = utility.of(configuration, goodput, other, terms);
                change = limit > value ? other : change;
                value = Math.max(value, limit);
            }
        }
        if (!Double.isInfinite(value)) {
            foundCandidates.add(new Candidate(index, configuration, nodeClass.index(), access, goodput, value, change)
                    .withParts(job.spec().elasticity().partsPerDevice()));
        }
    }

    /** Returns the candidates, by node class, slots, nodes and aggregation. */
    List<Candidate> candidates() {
        return List.copyOf(undominatedCandidates);
    }

    NoCandidateReason unfit() {
        if (!undominatedCandidates.isEmpty()) {
            return NoCandidateReason.NONE;
        }
        if (!matchesClass) {
            return NoCandidateReason.NO_MATCHING_NODES;
        }
        if (!fits) {
            return NoCandidateReason.UNSATISFIABLE;
        }
        if (runs) {
            return NoCandidateReason.NO_GAIN;
        }
        if (fitsMemory) {
            return NoCandidateReason.NO_THROUGHPUT;
        }
        return divides ? NoCandidateReason.BATCH_EXCEEDS_GPU_MEMORY : NoCandidateReason.BATCH_NOT_DIVISIBLE;
    }
}
