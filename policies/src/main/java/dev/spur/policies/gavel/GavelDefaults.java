package dev.spur.policies.gavel;

import dev.spur.model.Checks;

/**
 * What a program that follows Gavel does where the paper leaves it open.
 *
 * @param shareSeconds shares stay at least so long, whoever comes and goes meanwhile; 0 for new shares with each change
 *     of the jobs
 * @param prefersSpeed true if of shares with equally high lowest speeds those with more speed in all are taken
 * @param fillsUp true if slots of a lane that no share claims go to jobs without a share there before the next lane is
 *     dealt out
 * @param holdsForNewcomers true if a job for which there are no shares yet is dealt slots that it cannot use
 * @param blind true if every lane counts as equally fast for everybody who runs there, and they are dealt out in an
 *     order that is drawn anew in each round
 */
public record GavelDefaults(
        double shareSeconds, boolean prefersSpeed, boolean fillsUp, boolean holdsForNewcomers, boolean blind) {
    /** Spur's choice: shares follow each change, and slots go to whom they were promised. */
    public static final GavelDefaults DEFAULT = new GavelDefaults(0, true, false, false, false);

    /**
     * As the authors' published simulator. It has new shares at most each 1,920 s. In between newcomers wait; they take
     * part when what is left over is dealt out, but do not run.
     */
    public static final GavelDefaults PROGRAM = new GavelDefaults(1920, false, true, true, false);

    /** As that simulator with its policies that are blind to types. */
    public static final GavelDefaults BLIND_PROGRAM = new GavelDefaults(1920, false, true, true, true);

    public GavelDefaults {
        Checks.atLeast("shareSeconds", shareSeconds, 0);
    }
}
