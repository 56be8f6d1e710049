package dev.spur.service.explain;

import dev.spur.model.round.PendingJob;
import dev.spur.model.whatif.Change;
import dev.spur.service.eta.JobEta;
import dev.spur.service.job.lifecycle.JobWarnings.Warning;
import dev.spur.service.job.logs.JobFailure;
import dev.spur.service.performance.ChangeCost;
import dev.spur.service.plan.PlanEntry;
import dev.spur.service.plan.PlannedPreparations;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits, or why it runs in its allocation.
 *
 * @param revision revision of the explained plan; 0 if there is none
 * @param message the explanation in one sentence
 * @param running its entry in the plan; null if the plan does not run it, and for a data preparation
 * @param preparation entry of the plan for a running data preparation; null otherwise
 * @param waiting why it waits; null if it does not wait
 * @param unblock changes that would start it; null unless requested, and for a job that does not wait
 * @param shadowPrices shadow prices of the resources that it lacks or holds
 * @param bid its utility compared with the cost of its resources at the shadow prices; null if no prices are known
 * @param eta predicted start and end; null if it has ended, or was submitted after the last prediction
 * @param aggregation difference between measured and declared aggregation cost; null if not measured
 * @param drift lasting change of its speed against the prediction; null if none was detected
 * @param stalls stall of each change that it supports; empty if it has ended, and for a data preparation
 * @param warnings problems of its execution
 * @param failure its last failure; null without one
 */
record Explanation(
        String jobId,
        String state,
        long revision,
        String message,
        @Nullable PlanEntry running,
        PlannedPreparations.@Nullable Entry preparation,
        @Nullable PendingJob waiting,
        @Nullable Unblocking unblock,
        List<ResourcePrice> shadowPrices,
        @Nullable Bid bid,
        @Nullable JobEta eta,
        @Nullable String aggregation,
        @Nullable String drift,
        List<ChangeCost> stalls,
        List<Warning> warnings,
        @Nullable JobFailure failure) {
    Explanation {
        shadowPrices = List.copyOf(shadowPrices);
        stalls = List.copyOf(stalls);
        warnings = List.copyOf(warnings);
    }

    /** This explanation with the changes that would start the job. */
    Explanation with(Unblocking found) {
        return new Explanation(
                jobId,
                state,
                revision,
                message,
                running,
                preparation,
                waiting,
                found,
                shadowPrices,
                bid,
                eta,
                aggregation,
                drift,
                stalls,
                warnings,
                failure);
    }

    /**
     * Shadow price of a resource, from the dual values of a relaxation.
     *
     * @param price increase of the objective value per additional unit
     * @param message the same in a sentence
     */
    record ResourcePrice(String resource, double price, String message) {}

    /**
     * Utility of a job, compared with the cost of its resources at the shadow prices. The configuration is the current
     * one, or for a waiting job the one closest to being selected. Both numbers are estimates: a job may wait although
     * its utility exceeds the cost, and may run although its utility is lower.
     *
     * @param pool pool of the configuration
     * @param utility utility in units of the objective
     * @param cost cost of its resources at the last shadow prices
     * @param message the same in a sentence
     */
    record Bid(String pool, String acceleratorType, int slots, double utility, double cost, String message) {}

    /**
     * The smallest change that would start the job.
     *
     * @param revision revision of the plan that it refers to
     * @param verified true if every optimal plan for the changed state runs the job
     * @param changes the changes, in the form of a what-if request; empty if none was found or none is needed
     * @param gap optimality gap of the plan for the changed state; null if none was found
     * @param message the same in a sentence
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
