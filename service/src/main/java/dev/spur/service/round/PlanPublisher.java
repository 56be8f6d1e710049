package dev.spur.service.round;

import dev.spur.model.job.Job;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundPlan;
import dev.spur.service.lease.LeaseStore;
import dev.spur.service.plan.NodeParts;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanStore;
import dev.spur.service.plan.PlanSummary;
import dev.spur.service.plan.StoredPlan;
import dev.spur.service.round.LeaseKeeper.Lease;
import dev.spur.service.round.PublicationStore.PublicationJob;
import dev.spur.service.round.history.DroppedEntry;
import dev.spur.service.round.history.RoundOutcome;
import dev.spur.service.round.history.RoundStatus;
import dev.spur.service.round.history.RoundStore;
import dev.spur.service.snapshot.StateSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Publishes a plan in one transaction, which can only commit while the lease is held. Decisions that conflict with
 * newer state are dropped; the others are carried out. A job gets a new generation only if its allocation changes.
 */
@Component
class PlanPublisher {
    private final LeaseStore leases;
    private final PlanStore plans;
    private final RoundStore rounds;
    private final CurrentStateReader states;
    private final AllocationWriter allocations;
    private final AggregatorLayoutStep layouts;
    private final PreparationPublisher grants;
    private final CrossDomainContext common;

    PlanPublisher(
            LeaseStore leases,
            PlanStore plans,
            RoundStore rounds,
            CurrentStateReader states,
            AllocationWriter allocations,
            AggregatorLayoutStep layouts,
            PreparationPublisher grants,
            CrossDomainContext common) {
        this.leases = leases;
        this.plans = plans;
        this.rounds = rounds;
        this.states = states;
        this.allocations = allocations;
        this.layouts = layouts;
        this.grants = grants;
        this.common = common;
    }

    /**
     * Publishes {@code plan} and its aggregators, which the plan validator has accepted for the problem of
     * {@code snapshot}. The outcome lacks the facts that the round adds when it ends.
     */
    @Transactional
    RoundOutcome publish(
            Lease lease,
            long round,
            StateSnapshot snapshot,
            RoundPlan plan,
            List<JobDecision> decisions,
            AggregatorLayoutStep.ValidatedLayout aggregators) {
        return leases.lock(lease.domain(), lease.holder(), lease.term())
                ? publishFenced(lease, round, snapshot, plan, decisions, aggregators)
                : RoundOutcome.of(RoundStatus.FENCED, null, List.of(), "another replica holds the planner lease");
    }

    private RoundOutcome publishFenced(
            Lease lease,
            long round,
            StateSnapshot snapshot,
            RoundPlan plan,
            List<JobDecision> decisions,
            AggregatorLayoutStep.ValidatedLayout aggregators) {
        CurrentStateReader.CurrentState state = states.lock(decisions);
        Map<String, PublicationJob> jobs = state.jobs();
        Map<String, String> dropped = new StalenessCheck(snapshot, jobs, state.nodes(), state.maintained())
                .among(decisions, common.limits(snapshot));
        var writer = new DocumentWriter(snapshot, plan, jobs, dropped);
        Optional<StoredPlan> current = plans.current();
        long revision = plans.nextRevision();
        Instant now = state.now();
        PlanDocument own = layouts.publish(snapshot, writer.write(revision, round, now, decisions), aggregators);
        if (plan.preparations() != null) {
            own = own.withPreparations(grants.carryOut(snapshot, plan.preparations(), dropped.isEmpty()));
        }
        Optional<PlanDocument> before = current.map(PlanDocument::of);
        PlanDocument document = common.whole(snapshot, jobs, before, own);
        List<DroppedEntry> entries = dropped.entrySet().stream()
                .map(entry -> new DroppedEntry(entry.getKey(), entry.getValue()))
                .toList();
        List<JobChange> changes = changes(snapshot, decisions, dropped, writer);
        if (changes.isEmpty() && before.isPresent() && before.get().plansTheSameAs(document)) {
            return RoundOutcome.of(RoundStatus.UNCHANGED, before.get().revision(), entries, null);
        }
        allocations.write(snapshot, own, changes, jobs);
        plans.insert(new StoredPlan(
                revision,
                round,
                lease.term(),
                now,
                nodeRevisions(current, before, document),
                RoundJson.mapper().writeValueAsString(PlanSummary.of(document)),
                document.json()));
        rounds.published(round, lease.term(), revision);
        return RoundOutcome.of(RoundStatus.PUBLISHED, revision, entries, null);
    }

    private static List<JobChange> changes(
            StateSnapshot snapshot, List<JobDecision> decisions, Map<String, String> dropped, DocumentWriter writer) {
        Set<String> ranBefore = snapshot.problem().jobs().stream()
                .filter(job -> job.history().firstStart() != null)
                .map(Job::id)
                .collect(Collectors.toSet());
        return decisions.stream()
                .filter(decision -> !decision.keeps() && !dropped.containsKey(decision.jobId()))
                .map(decision -> new JobChange(
                        decision.jobId(),
                        writer.generationAfter(decision),
                        decision.before(),
                        decision.after(),
                        decision.change(),
                        decision.mechanism(),
                        startsAgain(decision, ranBefore.contains(decision.jobId()))))
                .toList();
    }

    private static boolean startsAgain(JobDecision decision, boolean ranBefore) {
        return decision.after() != null && ranBefore && !decision.keepsGeneration();
    }

    private static Map<String, Long> nodeRevisions(
            Optional<StoredPlan> current, Optional<PlanDocument> before, PlanDocument next) {
        return NodeParts.revisions(
                before.map(document -> NodeParts.of(document.running())).orElse(Map.of()),
                current.map(StoredPlan::nodeRevisions).orElse(Map.of()),
                NodeParts.of(next.running()),
                next.revision());
    }
}
