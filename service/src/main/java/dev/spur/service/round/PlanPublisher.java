package dev.spur.service.round;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundPlan;
import dev.spur.service.assignment.AssignmentStore;
import dev.spur.service.cluster.MaintenanceStore;
import dev.spur.service.lease.LeaseStore;
import dev.spur.service.plan.NodeParts;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanStore;
import dev.spur.service.plan.PlanSummary;
import dev.spur.service.plan.PlannedAggregator;
import dev.spur.service.plan.PlannedDomain;
import dev.spur.service.plan.PlannedPreparations;
import dev.spur.service.plan.StoredPlan;
import dev.spur.service.round.PublicationStore.JobEventRow;
import dev.spur.service.round.history.DroppedEntry;
import dev.spur.service.round.history.RoundStore;
import dev.spur.service.snapshot.StateSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Publishes a plan in one transaction, which can only commit while the lease is held. Decisions that conflict with
 * newer state are dropped; the others are carried out. A job gets a new generation only if its allocation changes.
 */
@Component
class PlanPublisher {
    private final LeaseStore leases;
    private final PlanStore plans;
    private final RoundStore rounds;
    private final PublicationStore rows;
    private final AssignmentStore assignments;
    private final MaintenanceStore maintenance;
    private final AggregatorLayoutStep layouts;
    private final PreparationPublisher grants;
    private final CrossDomainContext common;
    private final TransactionTemplate transaction;

    PlanPublisher(
            LeaseStore leases,
            PlanStore plans,
            RoundStore rounds,
            PublicationStore rows,
            AssignmentStore assignments,
            MaintenanceStore maintenance,
            AggregatorLayoutStep layouts,
            PreparationPublisher grants,
            CrossDomainContext common,
            PlatformTransactionManager transactions) {
        this.leases = leases;
        this.plans = plans;
        this.rounds = rounds;
        this.rows = rows;
        this.assignments = assignments;
        this.maintenance = maintenance;
        this.layouts = layouts;
        this.grants = grants;
        this.common = common;
        this.transaction = new TransactionTemplate(transactions);
    }

    /**
     * Publishes {@code plan} and its aggregators, which the plan validator has accepted for the problem of
     * {@code snapshot}.
     */
    Publication publish(
            Lease lease,
            long round,
            StateSnapshot snapshot,
            RoundPlan plan,
            List<JobDecision> decisions,
            AggregatorLayoutStep.ValidatedLayout aggregators) {
        return transaction.execute(status -> leases.lock(lease.domain(), lease.holder(), lease.term())
                ? publishFenced(lease, round, snapshot, plan, decisions, aggregators)
                : new Publication.Fenced());
    }

    private Publication publishFenced(
            Lease lease,
            long round,
            StateSnapshot snapshot,
            RoundPlan plan,
            List<JobDecision> decisions,
            AggregatorLayoutStep.ValidatedLayout aggregators) {
        Map<String, PublicationJob> jobs = facts(decisions);
        Map<String, PublicationNode> nodes = rows.lockNodes(usedNodes(decisions));
        Map<String, String> dropped = new StalenessCheck(snapshot, jobs, nodes, maintenance.maintained())
                .among(decisions, common.limits(snapshot));
        var writer = new DocumentWriter(snapshot, plan, jobs, dropped);
        Optional<StoredPlan> current = plans.current();
        long revision = plans.nextRevision();
        Instant now = rows.now();
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
        if (changes.isEmpty() && before.isPresent() && saySame(before.get(), document)) {
            return new Publication.Unchanged(before.get().revision(), entries);
        }
        carryOut(snapshot, own, changes, jobs);
        plans.insert(new StoredPlan(
                revision,
                round,
                lease.term(),
                now,
                nodeRevisions(current, before, document),
                RoundJson.mapper().writeValueAsString(PlanSummary.of(document)),
                document.json()));
        rounds.published(round, lease.term(), revision);
        return new Publication.Published(revision, entries);
    }

    /** Facts about all active jobs; jobs whose allocation changes are locked. */
    private Map<String, PublicationJob> facts(List<JobDecision> decisions) {
        List<String> changing = decisions.stream()
                .filter(decision -> !decision.keeps())
                .map(JobDecision::jobId)
                .toList();
        Map<String, PublicationJob> locked = rows.lockJobs(changing);
        Map<String, PublicationJob> all = new HashMap<>(rows.activeJobs());
        changing.forEach(all::remove);
        all.putAll(locked);
        return all;
    }

    private static Set<String> usedNodes(List<JobDecision> decisions) {
        Set<String> nodes = new HashSet<>();
        decisions.forEach(decision -> nodes.addAll(decision.nodesAfter()));
        return nodes;
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
                        startsAgain(decision, ranBefore.contains(decision.jobId()))))
                .toList();
    }

    private static boolean startsAgain(JobDecision decision, boolean ranBefore) {
        Allocation before = decision.before();
        Allocation after = decision.after();
        return after != null && ranBefore && (before == null || !after.sameRunAs(before));
    }

    private void carryOut(
            StateSnapshot snapshot, PlanDocument document, List<JobChange> changes, Map<String, PublicationJob> jobs) {
        List<JobChange> allocated =
                changes.stream().filter(change -> !change.sameGeneration()).toList();
        rows.apply(allocated, document.revision(), snapshot.problem().now());
        rows.moveAggregation(changes.stream().filter(JobChange::sameGeneration).toList());
        assignments.offer(offers(allocated));
        rows.addEvents(changes.stream().map(c -> event(c, document.revision())).toList());
        Set<String> changed = changes.stream().map(JobChange::jobId).collect(Collectors.toSet());
        rows.seen(document.waiting().stream()
                .map(pending -> pending.jobId())
                .filter(id -> !changed.contains(id))
                .toList());
        promise(document, jobs);
    }

    private static List<AssignmentStore.Offer> offers(List<JobChange> changes) {
        List<AssignmentStore.Offer> offers = new ArrayList<>();
        for (JobChange change : changes) {
            Allocation after = change.after();
            if (after != null) {
                offers.add(new AssignmentStore.Offer(change.jobId(), change.generation(), after));
            }
        }
        return offers;
    }

    private void promise(PlanDocument document, Map<String, PublicationJob> jobs) {
        Map<String, DeadlineStatus> deadlineStatuses = new HashMap<>(document.deadlineStatuses());
        jobs.forEach((id, job) -> deadlineStatuses.remove(id, job.deadlineStatus()));
        rows.setDeadlineStatuses(deadlineStatuses);
        rows.addEvents(deadlineStatuses.entrySet().stream()
                .map(entry -> new JobEventRow(
                        entry.getKey(),
                        "DEADLINE",
                        Map.of("deadline_status", entry.getValue().name(), "planRevision", document.revision())))
                .toList());
    }

    private static JobEventRow event(JobChange change, long revision) {
        String kind = switch (change.change()) {
            case KEEP, RECONFIGURE -> "RECONFIGURED";
            case START -> "STARTED";
            case GROW, SHRINK -> "RESIZED";
            case MOVE -> "MOVED";
            case PREEMPT -> "PREEMPTED";
        };
        Map<String, Object> detail = new HashMap<>();
        detail.put("planRevision", revision);
        detail.put("generation", change.generation());
        Allocation after = change.after();
        if (after != null) {
            detail.put("slots", after.configuration().slots());
            detail.put("acceleratorType", after.configuration().acceleratorType());
            detail.put("change", change.change().name().toLowerCase(Locale.ROOT));
        }
        return new JobEventRow(change.jobId(), kind, detail);
    }

    private static boolean saySame(PlanDocument current, PlanDocument next) {
        return runs(current).equals(runs(next))
                && places(current).equals(places(next))
                && waits(current.waiting()).equals(waits(next.waiting()))
                && current.deadlineStatuses().equals(next.deadlineStatuses())
                && prepared(current).equals(prepared(next))
                && domains(current).equals(domains(next));
    }

    private static Map<String, Long> runs(PlanDocument document) {
        Map<String, Long> generations = new HashMap<>();
        document.running().forEach(entry -> generations.put(entry.jobId(), entry.generation()));
        return generations;
    }

    private static List<PlannedAggregator> places(PlanDocument document) {
        return document.aggregators().stream()
                .map(PlannedAggregator::withoutPredictions)
                .toList();
    }

    private static List<String> domains(PlanDocument document) {
        List<PlannedDomain> parts = document.domains();
        return parts == null
                ? List.of()
                : parts.stream().map(PlannedDomain::name).toList();
    }

    private static List<List<Object>> prepared(PlanDocument document) {
        PlannedPreparations prepared = document.preparations();
        if (prepared == null) {
            return List.of();
        }
        List<List<Object>> facts = new ArrayList<>();
        for (PendingJob pending : prepared.waiting()) {
            facts.add(waits(pending.jobId(), pending.reason(), pending.resource(), pending.needed(), pending.free()));
        }
        prepared.running().forEach(entry -> facts.add(List.of(entry.jobId(), entry.generation(), entry.grant())));
        return facts;
    }

    /** Pending jobs without their messages, which may contain times, for comparison. */
    private static List<List<Object>> waits(List<PendingJob> waiting) {
        return waiting.stream()
                .map(pending ->
                        waits(pending.jobId(), pending.reason(), pending.resource(), pending.needed(), pending.free()))
                .toList();
    }

    private static List<Object> waits(
            String id,
            PendingReason reason,
            @Nullable String resource,
            @Nullable Double needed,
            @Nullable Double free) {
        return List.of(
                id, reason, Optional.ofNullable(resource), Optional.ofNullable(needed), Optional.ofNullable(free));
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
