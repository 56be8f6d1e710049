package dev.spur.service.questions;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.round.PendingJob;
import dev.spur.model.whatif.Change;
import dev.spur.service.jobs.DependencyStore.DependencyView;
import dev.spur.service.jobs.JobFailure;
import dev.spur.service.jobs.learning.ChangeCost;
import dev.spur.service.jobs.lifecycle.JobWarnings.Warning;
import dev.spur.service.plans.PlanEntry;
import dev.spur.service.plans.PlannedPreparations;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a job waits, or why it runs in its allocation. Members as in the contract. */
record Explanation(
        String jobId,
        String state,
        long revision,
        String message,
        @Nullable PlanEntry running,
        PlannedPreparations.@Nullable Entry preparation,
        @Nullable PendingJob waiting,
        List<ResourcePrice> shadowPrices,
        @Nullable Bid bid,
        @Nullable JobEta eta,
        @Nullable String aggregation,
        List<ChangeCost> stalls,
        List<Warning> warnings,
        @Nullable JobFailure failure,
        List<DependencyView> dependencies,
        List<DependencyView> dependents) {
    Explanation {
        shadowPrices = List.copyOf(shadowPrices);
        stalls = List.copyOf(stalls);
        warnings = List.copyOf(warnings);
        dependencies = List.copyOf(dependencies);
        dependents = List.copyOf(dependents);
    }

    /** An explanation as the API returns it. Members as in the contract. */
    record ExplanationView(
            @JsonUnwrapped Explanation explanation,
            @Nullable Unblocking unblock) {}

    /** Shadow price of a resource, from the dual values of a relaxation. Members as in the contract. */
    record ResourcePrice(String resource, double price, String message) {}

    /**
     * Utility of a job, compared with the cost of its resources at the shadow prices. The configuration is the current
     * one, or for a waiting job the one closest to being selected. Both numbers are estimates: a job may wait although
     * its utility exceeds the cost, and may run although its utility is lower. Members as in the contract.
     */
    record Bid(String pool, String acceleratorType, int slots, double utility, double cost, String message) {}

    /** The smallest change that would start the job. Members as in the contract. */
    record Unblocking(
            long revision,
            boolean verified,
            List<Change> changes,
            @Nullable Double gap,
            String message) {
        Unblocking {
            changes = List.copyOf(changes);
        }

        /** No verified change, for the reason {@code message}. */
        static Unblocking none(long revision, String message) {
            return new Unblocking(revision, false, List.of(), null, message);
        }
    }
}
