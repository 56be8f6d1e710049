package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.utility.JobUtility;
import dev.spur.solver.candidate.ConfigurationEnumerator.Offer;
import java.util.ArrayList;
import java.util.List;

/** Builder of the fresh candidates of one job, class by class, with the reason why there is none. */
final class FreshCandidates {
    private final ClusterIndex hardware;
    private final JobUtility utility;
    private final int index;
    private final Job job;
    private final List<Candidate> undominated = new ArrayList<>();
    private boolean matchesClass;
    private boolean fits;
    private boolean runs;

    /** @param index index of {@code job} in the problem */
    FreshCandidates(ClusterIndex hardware, JobUtility utility, int index, Job job) {
        this.hardware = hardware;
        this.utility = utility;
        this.index = index;
        this.job = job;
    }

    /**
     * Adds the undominated candidates on {@code nodeClass}, which the job allows.
     *
     * @param offers configurations on the kind of the class, ascending by slots
     */
    void add(NodeClass nodeClass, List<Offer> offers) {
        matchesClass = true;
        List<Candidate> found = new ArrayList<>(offers.size());
        for (Offer offer : offers) {
            if (holds(nodeClass, offer.shape())) {
                fits = true;
                Configuration configuration = offer.configuration();
                if (configuration != null && hardware.admits(nodeClass, job, offer.goodput())) {
                    runs = true;
                    add(nodeClass, configuration, offer.goodput(), found);
                }
            }
        }
        undominated.addAll(DominanceFilter.undominated(found, job.deadline() != null));
    }

    private boolean holds(NodeClass nodeClass, List<Integer> shape) {
        return shape.size() <= nodeClass.nodes().size()
                && job.spec().host().fits(shape.get(0), nodeClass.cpus(), nodeClass.memoryGiB());
    }

    private void add(NodeClass nodeClass, Configuration configuration, double goodput, List<Candidate> found) {
        double value = utility.of(configuration, goodput, ChangeMechanism.RESTART, nodeClass.price());
        if (mayRescaleTo(nodeClass, configuration)) {
            value = Math.max(value, utility.of(configuration, goodput, ChangeMechanism.RESCALE, nodeClass.price()));
        }
        if (job.allocation() != null && job.spec().migratesTo(configuration)) {
            value = Math.max(value, utility.of(configuration, goodput, ChangeMechanism.MIGRATE, nodeClass.price()));
        }
        if (!Double.isInfinite(value)) {
            found.add(new Candidate(index, configuration, nodeClass.index(), goodput, value, false));
        }
    }

    /**
     * Returns true if the placement may find the devices for a change of the ranks. The utility is then an upper limit:
     * that of the placed allocation follows from its devices.
     */
    private boolean mayRescaleTo(NodeClass nodeClass, Configuration configuration) {
        Allocation held = job.allocation();
        return held != null
                && job.spec().rescales()
                && configuration.rescalesTo(held.configuration())
                && hardware.classOf(hardware.indexOf(held.placement().get(0).node())) == nodeClass.index();
    }

    /** Returns the candidates, by node class, slots, nodes and aggregation. */
    List<Candidate> undominated() {
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
        return runs ? NoCandidateReason.NO_GAIN : NoCandidateReason.BATCH_EXCEEDS_GPU_MEMORY;
    }
}
