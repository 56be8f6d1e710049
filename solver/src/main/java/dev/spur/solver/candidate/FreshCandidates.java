package dev.spur.solver.candidate;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.utility.JobUtility;
import dev.spur.solver.candidate.ConfigurationEnumerator.Offer;
import java.util.ArrayList;
import java.util.List;

/** Builder of the fresh candidates of one job, class by class, with the reason why there is none. */
final class FreshCandidates {
    private final ClusterIndex hardware;
    private final MovableSlots movable;
    private final JobUtility utility;
    private final int index;
    private final Job job;
    private final List<Candidate> undominated = new ArrayList<>();
    private boolean matchesClass;
    private boolean fits;
    private boolean divides;
    private boolean fitsMemory;
    private boolean runs;

    /** @param index index of {@code job} in the problem */
    FreshCandidates(ClusterIndex hardware, MovableSlots movable, JobUtility utility, int index, Job job) {
        this.hardware = hardware;
        this.movable = movable;
        this.utility = utility;
        this.index = index;
        this.job = job;
    }

    /**
     * Adds the undominated candidates on {@code nodeClass}, which the job allows.
     *
     * @param offers configurations on the class, ascending by slots
     */
    void add(NodeClass nodeClass, List<Offer> offers) {
        matchesClass = true;
        List<Candidate> found = new ArrayList<>(offers.size());
        for (Offer offer : offers) {
            fits = true;
            if (offer.configuration() != null) {
                runs = true;
                add(nodeClass, offer.access(), offer.configuration(), offer.goodput(), found);
            } else if (!runs) {
                BatchLimits batch = job.spec().plannedBatch();
                int slots = offer.slots();
                divides |= batch.dividesAmong(slots);
                fitsMemory |= batch.fits(nodeClass.acceleratorType(), slots);
            }
        }
        undominated.addAll(DominanceFilter.filter(found, job.deadline() != null));
    }

    private void add(
            NodeClass nodeClass,
            NodeAccess access,
            Configuration configuration,
            double goodput,
            List<Candidate> found) {
        ChangeMechanism change = ChangeMechanism.RESTART;
        double price = hardware.price(nodeClass.index(), access);
        double value = utility.of(configuration, goodput, change, price);
        for (ChangeMechanism other : List.of(ChangeMechanism.RESCALE, ChangeMechanism.MIGRATE)) {
            if (movable.mayAdopt(job, nodeClass, access, configuration, other)) {
                double limit = utility.of(configuration, goodput, other, price);
                change = limit > value ? other : change;
                value = Math.max(value, limit);
            }
        }
        if (!Double.isInfinite(value)) {
            found.add(new Candidate(index, configuration, nodeClass.index(), access, goodput, value, change));
        }
    }

    /** Returns the candidates, by node class, slots, nodes and aggregation. */
    List<Candidate> candidates() {
        return List.copyOf(undominated);
    }

    NoCandidateReason unfit() {
        if (!undominated.isEmpty()) {
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
