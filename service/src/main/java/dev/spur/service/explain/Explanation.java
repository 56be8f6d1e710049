package dev.spur.service.explain;

import dev.spur.model.round.PendingJob;
import dev.spur.model.whatif.Change;
import dev.spur.service.eta.JobEta;
import dev.spur.service.job.JobWarnings.Warning;
import dev.spur.service.plan.PlanEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits, or runs as it does.
 *
 * @param jobId the job
 * @param state its state
 * @param revision revision of the plan that is explained; 0 if there is none
 * @param message the explanation in one sentence
 * @param running its entry in the plan; null if it does not run by it
 * @param waiting why it waits; null if it does not
 * @param unblock what would start it; null unless asked for, and for a job that does not wait
 * @param shadowPrices what more of the resources that it lacks or takes would be worth, read off prices
 * @param bid what it is worth beside what that costs at the prices; null if no prices are known
 * @param eta when it is expected to start and to be done; null if it has ended, or came too late to be looked at
 * @param aggregation how what aggregators do for it differs from what it states; null if it was not measured
 * @param drift how its speed has changed from what was expected; null if no lasting change was noticed
 * @param warnings what is wrong with its execution
 */
record Explanation(
        String jobId,
        String state,
        long revision,
        String message,
        @Nullable PlanEntry running,
        @Nullable PendingJob waiting,
        @Nullable Unblocking unblock,
        List<ResourcePrice> shadowPrices,
        @Nullable Bid bid,
        @Nullable JobEta eta,
        @Nullable String aggregation,
        @Nullable String drift,
        List<Warning> warnings) {
    Explanation {
        shadowPrices = List.copyOf(shadowPrices);
        warnings = List.copyOf(warnings);
    }

    /** This explanation with what would start the job. */
    Explanation with(Unblocking found) {
        return new Explanation(
                jobId,
                state,
                revision,
                message,
                running,
                waiting,
                found,
                shadowPrices,
                bid,
                eta,
                aggregation,
                drift,
                warnings);
    }

    /**
     * What is read off the prices of a relaxation.
     *
     * @param resource name of the resource
     * @param price worth of one more unit
     * @param message the same in words
     */
    record ResourcePrice(String resource, double price, String message) {}

    /**
     * What a job is worth where it runs, or where it comes closest to running, beside what it takes there. Estimates,
     * as the prices are: a job may wait although its worth is above the cost, and run although it is below.
     *
     * @param pool where
     * @param acceleratorType where
     * @param slots how many
     * @param utility in units of the objective
     * @param cost of what it takes there, at the last prices
     * @param message the same in words
     */
    record Bid(String pool, String acceleratorType, int slots, double utility, double cost, String message) {}

    /**
     * The smallest change that would start the job.
     *
     * @param revision revision of the plan that it belongs to
     * @param verified true if every best plan for the changed state runs the job
     * @param changes the change, as a what-if takes it; empty if none was found or none is needed
     * @param gap gap of that plan; null if none was found
     * @param message the same in words
     */
    record Unblocking(
            long revision,
            boolean verified,
            List<Change> changes,
            @Nullable Double gap,
            String message) {
        Unblocking {
            changes = List.copyOf(changes);
        }
    }
}
