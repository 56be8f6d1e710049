package dev.spur.service.rounds;

import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundPlan;
import dev.spur.service.plans.DroppedEntry;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.NodeParts;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanStore;
import dev.spur.service.plans.PlanSummary;
import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.plans.StoredPlan;
import dev.spur.service.rounds.CurrentStateReader.CurrentState;
import dev.spur.service.rounds.PublicationWriter.JobChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Publishes a plan in one transaction, which can only commit while the lease is held. Decisions that conflict with
 * newer state are dropped; the others are carried out. A job gets a new generation only if its allocation changes.
 */
@Component
class PlanPublisher {
    private final CurrentStateReader states;
    private final PublicationWriter publication;
    private final AggregatorLayoutStep layouts;
    private final PreparationPublisher grants;
    private final PlanStore plans;

    PlanPublisher(
            CurrentStateReader states,
            PublicationWriter publication,
            AggregatorLayoutStep layouts,
            PreparationPublisher grants,
            PlanStore plans) {
        this.states = states;
        this.publication = publication;
        this.layouts = layouts;
        this.grants = grants;
        this.plans = plans;
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
        CurrentState state = states.lock(lease, snapshot, plan, decisions);
        if (!state.leased()) {
            return RoundOutcome.of(RoundStatus.FENCED, null, List.of(), "another replica holds the planner lease");
        }
        Map<String, String> dropped = new StalenessCheck(snapshot, state).among(decisions);
        var writer = new DocumentWriter(snapshot, plan, state.jobs(), dropped);
        PlanDocument document = layouts.publish(
                snapshot, state.aggregators(), writer.write(round, state.next(), decisions), aggregators);
        if (plan.preparations() != null) {
            document =
                    document.withPreparations(grants.carryOut(snapshot, state, plan.preparations(), dropped.isEmpty()));
        }
        Optional<PlanDocument> before = state.plan().map(PlanDocument::of);
        List<DroppedEntry> entries = dropped.entrySet().stream()
                .map(entry -> new DroppedEntry(entry.getKey(), entry.getValue()))
                .toList();
        List<JobChange> changes = changes(decisions, dropped, writer);
        if (changes.isEmpty() && before.isPresent() && before.get().plansTheSameAs(document)) {
            if (before.get().needsExplanationsOf(document)) {
                plans.explain(document.explaining(before.get()));
            }
            return RoundOutcome.of(RoundStatus.UNCHANGED, before.get().revision(), entries, null);
        }
        publication.write(snapshot, document, changes, state.jobs(), toStoredPlan(lease, state, before, document));
        return RoundOutcome.of(RoundStatus.PUBLISHED, document.revision(), entries, null);
    }

    private static List<JobChange> changes(
            List<JobDecision> decisions, Map<String, String> dropped, DocumentWriter writer) {
        return decisions.stream()
                .filter(decision -> !decision.keeps() && !dropped.containsKey(decision.jobId()))
                .map(decision -> new JobChange(decision, writer.generationAfter(decision)))
                .toList();
    }

    private static StoredPlan toStoredPlan(
            Lease lease, CurrentState state, Optional<PlanDocument> before, PlanDocument document) {
        Map<String, Long> nodeRevisions = NodeParts.revisions(
                before.map(PlanDocument::running).orElse(List.of()),
                state.plan().map(StoredPlan::nodeRevisions).orElse(Map.of()),
                document.running(),
                document.revision());
        return new StoredPlan(
                document.revision(),
                document.round(),
                lease.term(),
                document.publishedAt(),
                nodeRevisions,
                RoundJson.mapper().writeValueAsString(PlanSummary.of(document)),
                document.json());
    }
}
