package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;

/**
 * A configuration offered for one job.
 *
 * @param job index of the job in the problem
 * @param configuration the shape in which it would run
 * @param slots number of its slots; stored because searches read it millions of times
 * @param nodeClass index of the class whose nodes it takes; for a kept allocation that of the first node, -1 if that
 *     takes no new job
 * @param goodput effective samples per second
 * @param utility what it adds to a plan, with the stall of the change taken off; for a change of the ranks with the
 *     stall of that, although the placement may turn it into a restart
 * @param kept true if the job continues on the devices that it holds, at most with another batch size
 */
public record Candidate(
        int job, Configuration configuration, int slots, int nodeClass, double goodput, double utility, boolean kept) {
    /** A candidate with the slots of its configuration. */
    public Candidate(
            int job, Configuration configuration, int nodeClass, double goodput, double utility, boolean kept) {
        this(job, configuration, configuration.slots(), nodeClass, goodput, utility, kept);
    }

    /** Returns how {@code owner}, the job of this candidate, adopts it on unfavorable devices. */
    public ChangeMechanism changeOf(Job owner) {
        Allocation held = owner.allocation();
        return held != null && kept ? owner.changeTo(held.withConfiguration(configuration)) : ChangeMechanism.RESTART;
    }
}
