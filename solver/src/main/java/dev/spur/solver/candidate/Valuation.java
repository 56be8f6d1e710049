package dev.spur.solver.candidate;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.utility.NodeTerms;

/** Value of a configuration of a job in the objective of one solve. */
@FunctionalInterface
public interface Valuation {
    /**
     * Returns the value of {@code configuration} at {@code goodput} effective samples per second.
     *
     * @param change how the job adopts the configuration
     * @param terms what its nodes contribute
     */
    double of(Job job, Configuration configuration, double goodput, ChangeMechanism change, NodeTerms terms);
}
