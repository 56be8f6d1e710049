package dev.spur.model.utility;

import dev.spur.model.job.Job;

/**
 * The cost of stopping a running job, as a share of its gain.
 *
 * <p>A job that is stopped loses the work since its last checkpoint, w seconds, and stalls for d seconds when it starts
 * again. The job that takes its slots stalls, too. Stopping therefore loses (2 d + w) / L of the gain of the job, where
 * L is the seconds for which a decision is expected to stand. A rigid job cannot shrink, so it gets slots again only
 * after a stint of another job: it loses the gain of a stint, 1 + w / L. Restarts of rigid jobs would be frequent
 * otherwise, with no better completion times (./spur bench reality).
 *
 * <p>Waiting has utility 0, so the cost is added to every configuration of the running job instead. A restart in
 * another configuration loses the unsaved work as well, so only changes that continue the training earn the share of w.
 */
final class StopCost {
    /** Maximum expected lifetime of a decision, seconds; other jobs arrive and end after it. */
    private static final double MAX_LIFETIME_SECONDS = 1800;
    /**
     * Stall from which on a stop of a rigid job loses a full stint; a shorter one loses proportionally less, seconds.
     */
    private static final double FULL_STALL_SECONDS = 10;

    /** Stints of other jobs after which a stopped rigid job gets slots again. */
    private static final double RIGID_STINTS = 2;

    private final double stallShare;
    private final double unsavedShare;

    private StopCost(double stallShare, double unsavedShare) {
        this.stallShare = stallShare;
        this.unsavedShare = unsavedShare;
    }

    /**
     * Returns the cost of stopping {@code job}; 0 for a job that waits.
     *
     * @param fastest goodput of its fastest configuration; 0 if it runs nowhere
     */
    static StopCost of(Job job, double fastest) {
        if (job.allocation() == null || fastest == 0) {
            return new StopCost(0, 0);
        }
        double stall = job.spec().restartPenaltySeconds();
        double unsaved = job.history().unsavedSeconds();
        double lifetime = lifetime(stall, job.remainingSamples() / fastest);
        double stallShare = job.spec().elasticity().allowsOneCount()
                ? RIGID_STINTS * Math.min(1, stall / FULL_STALL_SECONDS)
                : stall == 0 ? 0 : 2 * stall / lifetime;
        return new StopCost(stallShare, unsaved == 0 ? 0 : unsaved / lifetime);
    }

    /**
     * Returns the seconds for which a decision with the stall {@code stall} is expected to stand.
     *
     * @param left remaining seconds of the job in its fastest configuration
     */
    static double lifetime(double stall, double left) {
        return Math.max(2 * stall, Math.min(MAX_LIFETIME_SECONDS, left));
    }

    /** Returns the part of {@code charged}, the charged gain of an unchanged allocation, that is the cost of a stop. */
    double partOf(double charged) {
        double share = stallShare + unsavedShare;
        return charged > 0 ? charged * share / (1 + share) : 0;
    }

    /** Returns {@code gain} plus the cost that each configuration avoids. */
    JobUtility.Gain charge(JobUtility.Gain gain) {
        return stallShare + unsavedShare == 0
                ? gain
                : (goodput, change, costPerSecond) -> {
                    double plain = gain.of(goodput, change, costPerSecond);
                    double avoided = stallShare + (change.keepsGeneration() ? unsavedShare : 0);
                    return plain > 0 ? plain * (1 + avoided) : plain;
                };
    }
}
