package dev.spur.service.rounds;

import dev.spur.model.Seconds;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.model.validation.Violation;
import dev.spur.service.plans.DroppedEntry;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.RoundFailure;
import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.plans.RoundStore;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.plans.StoredSnapshot;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import dev.spur.solver.policy.Policy;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.core.NestedRuntimeException;
import org.springframework.stereotype.Component;

/** Runs one round: its steps in order, each with its time. A failure of any step ends only this round. */
@Component
class RoundRunner {
    private static final Logger LOG = LoggerFactory.getLogger(RoundRunner.class);
    private static final String STOPS = "the service stops";

    private final SnapshotStep snapshots;
    private final AggregatorLayoutStep layouts;
    private final Approvals approvals;
    private final PlanPublisher publisher;
    private final RoundStore rounds;
    private final TimeboxedPolicyCall policy;
    private final RoundProperties properties;
    private final ObservationRegistry observations;

    RoundRunner(
            SnapshotStep snapshots,
            AggregatorLayoutStep layouts,
            Approvals approvals,
            PlanPublisher publisher,
            RoundStore rounds,
            Policy policy,
            RoundProperties properties,
            ObservationRegistry observations) {
        this.snapshots = snapshots;
        this.layouts = layouts;
        this.approvals = approvals;
        this.publisher = publisher;
        this.rounds = rounds;
        this.policy = new TimeboxedPolicyCall(policy, Seconds.of(properties.grace()));
        this.properties = properties;
        this.observations = observations;
    }

    /**
     * Runs a round under a lease.
     *
     * @throws org.springframework.dao.DataAccessException if the round cannot begin
     */
    RoundReport run(Lease lease, String trigger) {
        OptionalLong number = rounds.begin(lease, trigger);
        if (number.isEmpty()) {
            return new RoundReport(0, trigger, null, outcomeOf(RoundStatus.FENCED, "the planner lease is lost"));
        }
        MDC.put("round", Long.toString(number.getAsLong()));
        try {
            return new Run(lease, number.getAsLong(), trigger).run();
        } finally {
            MDC.remove("round");
        }
    }

    private static RoundOutcome outcomeOf(RoundStatus status, String error) {
        return RoundOutcome.of(status, null, List.of(), error);
    }

    /** Records the outcome of a round, also during a shutdown. A failure here does not affect the published plan. */
    private void finish(Lease lease, long number, RoundOutcome outcome) {
        boolean interrupted = Thread.interrupted();
        try {
            rounds.finish(number, lease.term(), outcome);
        } catch (RuntimeException failure) {
            LOG.warn("the record of round {} could not be stored", number, failure);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the cause of {@code failure} in one line; of a failed statement, that which the database states. */
    static String causeOf(Throwable failure) {
        if (failure instanceof NestedRuntimeException nested && nested.getCause() != null) {
            return "A statement of the database failed: "
                    + String.valueOf(nested.getMostSpecificCause().getMessage())
                            .lines()
                            .findFirst()
                            .orElse("");
        }
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    /** State of a running round. */
    private final class Run {
        private final Lease lease;
        private final long number;
        private final String trigger;
        private final RoundSteps steps = new RoundSteps(observations);
        private @Nullable StateSnapshot snapshot;
        private @Nullable RoundPlan plan;
        private @Nullable StoredSnapshot problem;

        Run(Lease lease, long number, String trigger) {
            this.lease = lease;
            this.number = number;
            this.trigger = trigger;
        }

        RoundReport run() {
            RoundOutcome outcome;
            try {
                outcome = inSteps();
                save();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                outcome = outcomeOf(RoundStatus.ABANDONED, STOPS);
            } catch (RuntimeException | VirtualMachineError failure) {
                outcome = outcomeOfFailure(failure);
            }
            RoundOutcome complete = complete(outcome);
            finish(lease, number, complete);
            return new RoundReport(number, trigger, snapshot, complete);
        }

        /**
         * The outcome of a failure. A database call that was interrupted by a shutdown is not a failure of the round.
         */
        private RoundOutcome outcomeOfFailure(Throwable failure) {
            if (Thread.currentThread().isInterrupted()) {
                return outcomeOf(RoundStatus.ABANDONED, STOPS);
            }
            LOG.warn("round {} failed; the last plan remains in force", number, failure);
            if (failure instanceof RuntimeException) {
                save();
            }
            return outcomeOf(RoundStatus.FAILED, causeOf(failure));
        }

        /**
         * Stores the snapshot. This follows the publication, because compressing the problem of thousands of jobs takes
         * time.
         */
        private void save() {
            StateSnapshot seen = snapshot;
            if (seen != null && properties.retainedSnapshots() > 0) {
                problem = steps.time("save", () -> StoredSnapshot.of(seen.problem()));
            }
        }

        private RoundOutcome inSteps() throws InterruptedException {
            StateSnapshot seen = snapshots.run(steps);
            snapshot = seen;
            steps.run(
                    "check",
                    () -> require(
                            "the state violates the rules of a problem", ProblemCheck.violations(seen.problem())));
            RoundPlan made = steps.run("plan", () -> steps.withTimes(policy.plan(seen.problem())));
            plan = made;
            Approvals.Choice choice = steps.run("validate", () -> {
                require("the plan validator rejected the plan", PlanCheck.violations(seen.problem(), made));
                return approvals.choose(seen, made);
            });
            RoundPlan next = choice.plan();
            AggregatorLayoutStep.ValidatedLayout laidOut =
                    steps.run("aggregate", () -> layouts.of(seen.problem(), next));
            List<JobDecision> decisions = steps.run("diff", () -> JobDecision.of(seen, next));
            RoundOutcome published =
                    steps.run("publish", () -> publisher.publish(lease, number, seen, next, decisions, laidOut));
            approvals.record(lease, number, seen, made, choice, published);
            return published;
        }

        private boolean require(String claim, List<Violation> violations) {
            if (!violations.isEmpty()) {
                throw RoundFailure.of(claim, violations);
            }
            return true;
        }

        private RoundOutcome complete(RoundOutcome bare) {
            Double snapshotAt = snapshot == null ? null : snapshot.problem().now();
            List<DroppedEntry> dropped = bare.dropped();
            return new RoundOutcome(
                    bare.status(),
                    bare.planRevision(),
                    plan,
                    dropped,
                    bare.error(),
                    snapshotAt,
                    problem,
                    steps.times());
        }
    }
}
