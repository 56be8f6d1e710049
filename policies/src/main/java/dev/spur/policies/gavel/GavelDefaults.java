package dev.spur.policies.gavel;

import dev.spur.model.Checks;

/**
 * Choices that Gavel's paper leaves open.
 *
 * @param shareSeconds minimum time between two computations of shares, whichever jobs arrive or end meanwhile; 0 to
 *     recompute at each change of the jobs
 * @param prefersSpeed true if ties of the lowest speed are broken by total speed
 * @param fillsUp true if slots of a partition without a claim go to jobs without a share there, before the next
 *     partition is processed
 * @param holdsForNewJobs true if a job without shares yet is granted slots that it cannot use
 * @param blind true if every partition counts as equally fast for every job that runs there, and partitions are
 *     processed in a random order that is redrawn each round
 */
public record GavelDefaults(
        double shareSeconds, boolean prefersSpeed, boolean fillsUp, boolean holdsForNewJobs, boolean blind) {
    /** Spur's choice: shares follow each change, and only jobs with a share get slots. */
    public static final GavelDefaults DEFAULT = new GavelDefaults(0, true, false, false, false);

    /**
     * Choices of the authors' published simulator: it recomputes shares at most every 1,920 s. Until then new jobs
     * wait; they take part in the distribution of unclaimed slots, but do not run.
     */
    public static final GavelDefaults PROGRAM = new GavelDefaults(1920, false, true, true, false);

    /** Choices of that simulator for its type-blind policies. */
    public static final GavelDefaults BLIND_PROGRAM = new GavelDefaults(1920, false, true, true, true);

    public GavelDefaults {
        Checks.atLeast("shareSeconds", shareSeconds, 0);
    }
}
