package dev.spur.service.round;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.service.assignment.AssignmentStore;
import dev.spur.service.assignment.RankChangeStore;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.round.PublicationStore.JobEventRow;
import dev.spur.service.round.PublicationStore.PublicationJob;
import dev.spur.service.snapshot.StateSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Carries out the decisions of a plan that is being published. */
@Component
class AllocationWriter {
    private final PublicationStore rows;
    private final AssignmentStore assignments;
    private final RankChangeStore rankChanges;

    AllocationWriter(PublicationStore rows, AssignmentStore assignments, RankChangeStore rankChanges) {
        this.rows = rows;
        this.assignments = assignments;
        this.rankChanges = rankChanges;
    }

    /**
     * Writes the changes of allocations, offers their assignments, and writes the deadline statuses of a plan and the
     * events of both. Call this in the transaction of the publication.
     */
    void write(
            StateSnapshot snapshot, PlanDocument document, List<JobChange> changes, Map<String, PublicationJob> jobs) {
        List<JobChange> allocated =
                changes.stream().filter(change -> !change.keepsProcesses()).toList();
        rows.apply(allocated, document.revision(), snapshot.problem().now());
        rows.changeInPlace(changes.stream().filter(JobChange::keepsProcesses).toList());
        rankChanges.order(rescales(allocated));
        assignments.offer(offers(allocated));
        rows.addEvents(changes.stream().map(c -> event(c, document.revision())).toList());
        Set<String> changed = changes.stream().map(JobChange::jobId).collect(Collectors.toSet());
        rows.seen(document.waiting().stream()
                .map(pending -> pending.jobId())
                .filter(id -> !changed.contains(id))
                .toList());
        writeDeadlineStatuses(document, jobs);
    }

    private static List<RankChangeStore.RankOrder> rescales(List<JobChange> changes) {
        List<RankChangeStore.RankOrder> rescales = new ArrayList<>();
        for (JobChange change : changes) {
            Allocation before = change.before();
            Allocation after = change.after();
            if (before != null && after != null && change.rescales()) {
                rescales.add(new RankChangeStore.RankOrder(change.jobId(), change.generation(), before, after));
            }
        }
        return rescales;
    }

    private static List<AssignmentStore.Offer> offers(List<JobChange> changes) {
        List<AssignmentStore.Offer> offers = new ArrayList<>();
        for (JobChange change : changes) {
            Allocation after = change.after();
            if (after != null && !change.rescales()) {
                boolean warmsUp = change.mechanism() == ChangeMechanism.MIGRATE;
                offers.add(new AssignmentStore.Offer(change.jobId(), change.generation(), after, warmsUp));
            }
        }
        return offers;
    }

    private void writeDeadlineStatuses(PlanDocument document, Map<String, PublicationJob> jobs) {
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
            detail.put("mechanism", change.mechanism().name());
        }
        return new JobEventRow(change.jobId(), kind, detail);
    }
}
