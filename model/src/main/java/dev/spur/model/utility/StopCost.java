package dev.spur.model.utility;

import dev.spur.model.job.Job;

/**
 * The cost of stopping a running job, as a share of its gain.
 *
 * <p>A job that is stopped loses the work since its last checkpoint, w seconds, and stalls for d seconds when it starts
 * again. The job that takes its slots stalls, too. A plan without the job therefore loses (2 d + w) / L of the gain that
 * the job has in the plan, where L is the seconds for which a decision is expected to stand. Waiting has utility 0, so
 * the cost is added to every configuration of the running job instead. A restart in another configuration loses the
 * unsaved work as well, so only changes that continue the training earn the share of w.
 */
final class StopCost {
    /** Maximum expected lifetime of a decision, seconds; other jobs arrive and end after it. */
    private static final double MAX_LIFETIME_SECONDS = 1800;

    private final double stallShare;
    private final double unsavedShare;

    private StopCost(double stallShare, double unsavedShare) {
        this.stallShare = stallShare;
        this.unsavedShare = unsavedShare;
    }

    /** Returns the cost of stopping {@code job}; 0 for a job that waits. */
    static StopCost of(Job job, ReferenceGoodputs references) {
        if (job.allocation() == null) {
            return new StopCost(0, 0);
        }
        double stall = job.spec().restartPenaltySeconds();
        double unsaved = job.history().unsavedSeconds();
        double lifetime = lifetime(stall, job.remainingSamples() / references.fastest(job.spec()));
        return lifetime == 0 ? new StopCost(0, 0) : new StopCost((job.spec().elasticity().minSlots() == job.spec().elasticity().maxSlots() ? dev.spur.model.X.CR : dev.spur.model.X.STOP * stall / lifetime), unsaved / lifetime);
    }

    /**
     * Returns the seconds for which a decision with the stall {@code stall} is expected to stand.
     *
     * @param left remaining seconds of the job in its fastest configuration
     */
    static double lifetime(double stall, double left) {
        return Math.max(dev.spur.model.X.MINST * stall, Math.min(dev.spur.model.X.MAXLIFE, left));
    }

    /** Returns {@code gain} plus the cost that each configuration avoids. */
    JobUtility.Gain charge(JobUtility.Gain gain) {
        return stallShare + unsavedShare == 0
                ? gain
                : (goodput, change) -> {
                    double plain = gain.of(goodput, change);
                    double avoided = stallShare + (change.keepsGeneration() ? unsavedShare : 0);
                    return plain > 0 ? plain * (1 + avoided) : plain;
                };
    }
}
