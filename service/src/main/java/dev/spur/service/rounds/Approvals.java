package dev.spur.service.rounds;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.AllocationsCheck;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.Violation;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.plans.PlanDiff;
import dev.spur.service.plans.PlanEntry;
import dev.spur.service.plans.PlanStore;
import dev.spur.service.plans.RoundFailure;
import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.plans.StateSnapshot.JobVersion;
import dev.spur.service.rounds.ProposalStore.StoredProposal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Holds plans until an operator approves them. A round whose plan requires approval publishes a plan that keeps the
 * allocations where possible, and proposes its own. A round that finds an approved proposal publishes it, if the plan
 * validator still accepts it.
 */
@Component
class Approvals {
    private static final Logger LOG = LoggerFactory.getLogger(Approvals.class);
    private static final int MAX_REASONS = 20;

    private final ProposalStore proposals;
    private final PlanStore plans;
    private final LeaseStore leases;
    private final TransactionTemplate transaction;

    Approvals(ProposalStore proposals, PlanStore plans, LeaseStore leases, PlatformTransactionManager transactions) {
        this.proposals = proposals;
        this.plans = plans;
        this.leases = leases;
        this.transaction = new TransactionTemplate(transactions);
    }

    /**
     * The plan that a round publishes.
     *
     * @param unchanged the plan that keeps the allocations; null if no approval is required
     * @param approved the approved proposal; null if there was none
     * @param rejection why the approved proposal is not carried out; empty if it is
     */
    public record Choice(
            RoundPlan plan,
            @Nullable RoundPlan unchanged,
            @Nullable StoredProposal approved,
            List<String> rejection) {
        public Choice {
            rejection = List.copyOf(rejection);
        }
    }

    /** The plan to publish, where {@code made} is the plan of the round. */
    public Choice choose(StateSnapshot seen, RoundPlan made) {
        if (!seen.settings().approval()) {
            return new Choice(made, null, null, List.of());
        }
        RoundPlan unchanged = PlanEvaluator.unchangedPlan(seen.problem(), made);
        List<Violation> wrong = PlanCheck.violations(PlanEvaluator.withoutPreemption(seen.problem()), unchanged);
        if (!wrong.isEmpty()) {
            throw RoundFailure.of("the plan validator rejected the plan that keeps all allocations", wrong);
        }
        StoredProposal approved = proposals.findApproved().orElse(null);
        if (approved == null) {
            return new Choice(unchanged, unchanged, null, List.of());
        }
        return chooseApproved(seen.problem(), made, unchanged, approved);
    }

    private static Choice chooseApproved(
            RoundProblem problem, RoundPlan made, RoundPlan unchanged, StoredProposal approved) {
        ProposedPlan proposal = ProposedPlan.read(approved.body());
        Map<String, Allocation> given = proposal.within(problem);
        List<Violation> wrong = AllocationsCheck.violations(problem, given);
        if (wrong.isEmpty()) {
            RoundPlan plan = PlanEvaluator.approvedPlan(problem, given, proposal.deadlineStatuses(), made);
            wrong = PlanCheck.violations(problem, plan);
            if (wrong.isEmpty()) {
                return new Choice(plan, unchanged, approved, List.of());
            }
        }
        List<String> reasons =
                wrong.stream().limit(MAX_REASONS).map(Violation::message).toList();
        return new Choice(unchanged, unchanged, approved, reasons);
    }

    /**
     * Stores the outcome of proposals and the new proposal, if this replica still holds the lease. The plan is already
     * published and is not affected by a failure here; the next round completes what is missing.
     */
    public void record(
            Lease lease, long round, StateSnapshot seen, RoundPlan made, Choice choice, RoundOutcome published) {
        Long revision = published.planRevision();
        RoundPlan unchanged = choice.unchanged();
        if (revision == null || unchanged == null) {
            return;
        }
        try {
            transaction.executeWithoutResult(status -> {
                if (leases.lock(lease)) {
                    resolveFenced(round, seen, made, unchanged, choice, revision);
                }
            });
        } catch (DataAccessException | TransactionException away) {
            LOG.warn(
                    "the outcome of plan proposals could not be stored; the next round stores it: {}",
                    away.getMessage());
        }
    }

    /** Deletes all but the newest {@code count} proposals. */
    public void prune(int count) {
        proposals.prune(count);
    }

    private void resolveFenced(
            long round, StateSnapshot seen, RoundPlan made, RoundPlan unchanged, Choice choice, long revision) {
        StoredProposal approved = choice.approved();
        if (approved != null && choice.rejection().isEmpty()) {
            proposals.recordPublication(approved.number(), revision);
            proposals.supersede();
            return;
        }
        if (approved != null) {
            proposals.refuse(approved.number(), choice.rejection());
        }
        propose(round, seen, made, unchanged);
    }

    /** Proposes the plan unless the same plan is already open or was rejected. */
    private void propose(long round, StateSnapshot seen, RoundPlan made, RoundPlan unchanged) {
        ProposedPlan proposal = ProposedPlan.of(made);
        Optional<StoredProposal> open = proposals.open();
        if (open.isPresent() && ProposedPlan.read(open.get().body()).givesTheSameAs(proposal)) {
            return;
        }
        proposals.supersede();
        Optional<StoredProposal> newest = proposals.newest();
        boolean isRejected = newest.isPresent()
                && newest.get().status() == StoredProposal.Status.REJECTED
                && ProposedPlan.read(newest.get().body()).givesTheSameAs(proposal);
        if (isRejected || proposal.givesTheSameAs(ProposedPlan.of(unchanged))) {
            return;
        }
        long base = plans.currentRevision().orElse(0);
        PlanDiff diff = diff(seen, base, unchanged, made);
        proposals.insert(
                round,
                base,
                made.quality().objectiveValue() - unchanged.quality().objectiveValue(),
                proposal.json(),
                RoundJson.mapper().writeValueAsString(diff));
    }

    private static PlanDiff diff(StateSnapshot seen, long base, RoundPlan unchanged, RoundPlan made) {
        Set<String> waiting = made.waiting().stream().map(PendingJob::jobId).collect(Collectors.toSet());
        return PlanDiff.between(base, entries(seen, unchanged), base + 1, entries(seen, made), waiting);
    }

    private static List<PlanEntry> entries(StateSnapshot seen, RoundPlan plan) {
        Map<String, Job> jobs = seen.problem().jobs().stream().collect(Collectors.toMap(Job::id, Function.identity()));
        return plan.running().stream()
                .map(planned -> entry(
                        planned, seen.stamps().get(planned.jobId()), Objects.requireNonNull(jobs.get(planned.jobId()))))
                .toList();
    }

    private static PlanEntry entry(PlannedJob planned, @Nullable JobVersion stamp, Job job) {
        Allocation held = stamp == null ? null : stamp.allocation();
        Allocation given = planned.allocation();
        ChangeMechanism mechanism = job.spec().change(held, given);
        boolean stays = held != null
                && given.sameRunAs(held)
                && new HashSet<>(given.aggregation()).equals(new HashSet<>(held.aggregation()));
        long generation = stamp == null ? 0 : stamp.generation();
        return new PlanEntry(
                planned.jobId(),
                mechanism.keepsGeneration() ? generation : generation + 1,
                job.history().restarts() + (job.isRestart(mechanism) ? 1 : 0),
                given,
                stays ? ChangeKind.KEEP : planned.change(),
                planned.goodput(),
                planned.utility(),
                job.spec().restartPenaltySeconds(),
                planned.message());
    }
}
