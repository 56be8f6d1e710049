package dev.spur.model.tenant;

/**
 * Settings of quotas.
 *
 * @param nonPreemptibleWithinNominal whether a job that is not preemptible starts only within the nominal quota of its
 *     tenant and of the ancestors, so that all borrowed slots can be reclaimed
 */
public record QuotaSettings(boolean nonPreemptibleWithinNominal) {
    /** Non-preemptible jobs do not borrow. */
    public static final QuotaSettings DEFAULT = new QuotaSettings(true);
}
