package dev.spur.solver.solve;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.utility.Goodput;
import dev.spur.model.utility.NodeTerms;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.Valuation;
import java.util.List;

/**
 * Objective value of placed allocations: with the prices and the preference of their own nodes, and without restart
 * cost where nothing moved.
 */
public final class PlacedObjective {
    private final Valuation valuation;
    private final ClusterIndex clusterIndex;

    public PlacedObjective(CandidateSet candidates) {
        valuation = candidates.valuation();
        clusterIndex = candidates.clusterIndex();
    }

    /** Returns the utility of {@code candidate} with the fastest host grant. */
    public double max(Job job, Candidate candidate) {
        HostSensitivity sensitivity = job.spec().hostSensitivity();
        if (sensitivity == null) {
            return candidate.utility();
        }
        Configuration configuration = candidate.configuration();
        double fastest = Goodput.of(job.spec(), configuration.withHost(null)) * sensitivity.maxSpeed();
        double more = gain(job, candidate, fastest, candidate.guaranteedChange());
        for (ChangeMechanism better : List.of(ChangeMechanism.RESCALE, ChangeMechanism.MIGRATE)) {
            if (!candidate.isRetained() && job.spec().supports(better)) {
                more = Math.max(more, gain(job, candidate, fastest, better));
            }
        }
        return candidate.utility() + more;
    }

    private double gain(Job job, Candidate candidate, double goodput, ChangeMechanism change) {
        Configuration configuration = candidate.configuration();
        Allocation heldAllocation = candidate.isRetained() ? job.allocation() : null;
        NodeTerms terms = heldAllocation == null
                ? clusterIndex.terms(job, candidate.nodeClass(), candidate.access())
                : clusterIndex.terms(job, heldAllocation);
        return valuation.of(job, configuration, goodput, change, terms)
                - valuation.of(job, configuration, candidate.goodput(), change, terms);
    }

    /** Returns the utility of the placed allocation {@code allocation}. */
    public double utility(Job job, Allocation allocation) {
        return valuation.of(
                job,
                allocation.configuration(),
                Goodput.of(job.spec(), allocation.configuration()),
                job.changeTo(allocation),
                clusterIndex.terms(job, allocation));
    }
}
