package dev.spur.service.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.job.TimeLimit;
import dev.spur.model.performance.SyncStrategy;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Detail of an event of a job. The components are the members of the JSON; those with null are absent. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface JobEventDetail {

    /** Change by a caller or by a connector. */
    record Author(String by) implements JobEventDetail {}

    /**
     * Change of the specification.
     *
     * @param what {@code job} or {@code profile}
     */
    record Edit(String what) implements JobEventDetail {}

    /**
     * Change of the allocation by a plan.
     *
     * @param slots new number of slots; null for a preemption, as are the components after it
     * @param change kind of the change in lower case
     * @param batchSize changed global batch size; null if it is the same, as are the components after it
     * @param host changed host grant; within it, null is the host demand of the job
     */
    record PlannedChange(
            long planRevision,
            long generation,
            @Nullable Integer slots,
            @Nullable String acceleratorType,
            @Nullable String change,
            @Nullable ChangeMechanism mechanism,
            @Nullable Difference<Integer> batchSize,
            @Nullable Difference<SyncStrategy> strategy,
            @Nullable Difference<Double> aggregationSlots,
            @Nullable Difference<@Nullable HostGrant> host)
            implements JobEventDetail {

        /**
         * Returns the change to an allocation.
         *
         * @param before previous allocation; null if the job held none
         */
        public static PlannedChange of(
                long planRevision,
                long generation,
                @Nullable Configuration before,
                Configuration after,
                String change,
                @Nullable ChangeMechanism mechanism) {
            return new PlannedChange(
                    planRevision,
                    generation,
                    after.slots(),
                    after.acceleratorType(),
                    change,
                    mechanism,
                    Difference.of(before, after, Configuration::batchSize),
                    Difference.of(before, after, Configuration::strategy),
                    Difference.of(before, after, Configuration::aggregationSlots),
                    Difference.of(before, after, Configuration::host));
        }

        /** Returns the revocation of the allocation. */
        public static PlannedChange ofPreemption(long planRevision, long generation) {
            return new PlannedChange(planRevision, generation, null, null, null, null, null, null, null, null);
        }
    }

    /** Previous and new value of a setting. */
    record Difference<T extends @Nullable Object>(T before, T after) {
        private static <T extends @Nullable Object> @Nullable Difference<T> of(
                @Nullable Configuration before, Configuration after, Function<Configuration, T> setting) {
            T value = setting.apply(after);
            return before == null || Objects.equals(setting.apply(before), value)
                    ? null
                    : new Difference<>(setting.apply(before), value);
        }
    }

    /** Change of the deadline guarantee by a plan. */
    record Guarantee(DeadlineStatus deadlineStatus, long planRevision) implements JobEventDetail {}

    /** Resources of a data preparation by a plan. */
    record Grant(long generation, String node, int localGiB, List<Loan> loans) implements JobEventDetail {
        public Grant {
            loans = List.copyOf(loans);
        }
    }

    /** Revocation of memory by a lender, in GiB. */
    record Revocation(String lender, int gib, int leftGiB) implements JobEventDetail {}

    /** Completed work in effective samples. */
    record Completion(double doneSamples) implements JobEventDetail {}

    /** Decrease of the reported samples within a generation. */
    record CountFall(long generation, double before, double samplesTotal) implements JobEventDetail {}

    /** Lasting deviation from the predicted speed. */
    record SpeedDrift(String dimension, @Nullable String acceleratorType, double factor, String message)
            implements JobEventDetail {}

    /** Completed profiling run, with its outcome. */
    record ProfilingRun(ProfilingTarget profilingTarget, String end) implements JobEventDetail {}

    /**
     * Why a job or one of its processes ended, as far as it is known.
     *
     * @param cause machine-readable cause
     * @param generation generation that ended
     * @param node node of the process that ended
     * @param exitCode exit code of the process
     * @param detail text of the executor or of the platform
     * @param connector connector of the platform that reported it
     * @param missing nodes that did not start the job in time
     * @param failures number of consecutive failures, including this one
     * @param maxRestarts maximum number of restarts after consecutive failures
     * @param pauseSeconds time during which rounds do not start the job
     */
    record Interruption(
            @Nullable String cause,
            @Nullable Long generation,
            @Nullable String node,
            @Nullable Long exitCode,
            @Nullable String detail,
            @Nullable String connector,
            @Nullable List<String> missing,
            @Nullable Integer failures,
            @Nullable Integer maxRestarts,
            @Nullable Double pauseSeconds)
            implements JobEventDetail {
        /** Cause of an interruption by the time limit of the job. */
        static final String TIME_LIMIT = "TIME_LIMIT";

        /** Returns an interruption with a cause. */
        public static Interruption of(String cause) {
            return new Interruption(cause, null, null, null, null, null, null, null, null, null);
        }

        /** Returns the interruption of a generation by the time limit of its job. */
        public static Interruption ofTimeLimit(long generation, TimeLimit limit) {
            return new Interruption(
                    TIME_LIMIT,
                    generation,
                    null,
                    null,
                    "The job has reached its time limit of %s.".formatted(limit.describe()),
                    null,
                    null,
                    null,
                    null,
                    null);
        }

        /** Returns an interruption that an executor reported with {@code detail}; null without a text. */
        public static Interruption ofReport(@Nullable Long generation, @Nullable String detail) {
            return new Interruption(null, generation, null, null, detail, null, null, null, null, null);
        }

        /** Returns an interruption that the platform of a connector reported; {@code detail} is null without a text. */
        public static Interruption ofPlatform(
                @Nullable String cause, String connector, @Nullable Long exitCode, @Nullable String detail) {
            return new Interruption(cause, null, null, exitCode, detail, connector, null, null, null, null);
        }

        /** Returns an interruption by the end of a process. */
        public static Interruption ofProcess(
                @Nullable String cause,
                long generation,
                String node,
                @Nullable Long exitCode,
                @Nullable String detail) {
            return new Interruption(cause, generation, node, exitCode, detail, null, null, null, null, null);
        }

        /** Returns an interruption by the loss of a node. */
        public static Interruption ofNode(String cause, String node) {
            return new Interruption(cause, null, node, null, null, null, null, null, null, null);
        }

        /** Returns an interruption because {@code missing} did not start the job in time. */
        public static Interruption ofMissing(String cause, List<String> missing) {
            return new Interruption(cause, null, null, null, null, null, missing, null, null, null);
        }

        /** Returns this interruption as a failure of the job itself. */
        public Interruption afterFailures(String newCause, int count, int max) {
            return new Interruption(
                    newCause, generation, node, exitCode, detail, connector, missing, count, max, pauseSeconds);
        }

        /** Returns this interruption with a pause. */
        public Interruption withPause(double seconds) {
            return new Interruption(
                    cause, generation, node, exitCode, detail, connector, missing, failures, maxRestarts, seconds);
        }
    }
}
