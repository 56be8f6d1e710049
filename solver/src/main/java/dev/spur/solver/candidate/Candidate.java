package dev.spur.solver.candidate;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Elasticity;

/**
 * A configuration offered for one job.
 *
 * @param job index of the job in the problem
 * @param configuration the shape in which it would run
 * @param slots number of its slots; stored because searches read it millions of times
 * @param parts parts of each device that it takes, of {@link Elasticity#PARTS}
 * @param nodeClass index of the class whose nodes it takes; for a kept allocation that of the first node, -1 if that
 *     takes no new job
 * @param access nodes of the class that it may take; not used for a kept allocation
 * @param goodput effective samples per second
 * @param utility what it adds to a plan, with the stall of {@code change} taken off
 * @param change how the job adopts it on the most favorable devices
 */
public record Candidate(
        int job,
        Configuration configuration,
        int slots,
        int parts,
        int nodeClass,
        NodeAccess access,
        double goodput,
        double utility,
        ChangeMechanism change) {
    /** A candidate with the slots of its configuration and whole devices. */
    public Candidate(
            int job,
            Configuration configuration,
            int nodeClass,
            NodeAccess access,
            double goodput,
            double utility,
            ChangeMechanism change) {
        this(job, configuration, configuration.slots(), Elasticity.PARTS, nodeClass, access, goodput, utility, change);
    }

    /** Returns this candidate with {@code other} parts of each device. */
    public Candidate withParts(int other) {
        return new Candidate(job, configuration, slots, other, nodeClass, access, goodput, utility, change);
    }

    /** Returns the devices that it takes; below 1 for a share. */
    public double devices() {
        return slots * parts / (double) Elasticity.PARTS;
    }

    /** Returns this candidate with another utility. */
    public Candidate withUtility(double other) {
        return new Candidate(job, configuration, slots, parts, nodeClass, access, goodput, other, change);
    }

    /** Returns this candidate with access to other nodes of its class. */
    public Candidate withAccess(NodeAccess other) {
        return new Candidate(job, configuration, slots, parts, nodeClass, other, goodput, utility, change);
    }

    /** Returns true if the job continues on the devices that it holds, at most with another batch size. */
    public boolean isRetained() {
        return change.keepsProcesses();
    }

    /** Returns true if the placement decides whether the job adopts it by {@link #change}. */
    public boolean mayLose() {
        return change == ChangeMechanism.RESCALE || change == ChangeMechanism.MIGRATE;
    }

    /** Returns how the job adopts it on the least favorable devices. */
    public ChangeMechanism guaranteedChange() {
        return isRetained() ? change : ChangeMechanism.RESTART;
    }
}
