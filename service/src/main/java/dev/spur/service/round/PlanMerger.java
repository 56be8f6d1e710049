package dev.spur.service.round;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.ClassQuality;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanEntry;
import dev.spur.service.plan.PlannedAggregator;
import dev.spur.service.plan.PlannedDomain;
import dev.spur.service.round.CurrentStateReader.CurrentState;
import dev.spur.service.round.CurrentStateReader.PublicationJob;
import dev.spur.service.settings.PlanningDomain;
import dev.spur.service.snapshot.StateSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Merges the plan of a planning domain into the plan for all domains, and keeps the plans of the others. Call this in
 * the transaction that publishes, which excludes the other domains.
 */
final class PlanMerger {
    private final StateSnapshot snapshot;
    private final String domain;
    private final Map<String, PublicationJob> jobs;
    private final PlanDocument before;
    private final PlanDocument own;

    private PlanMerger(
            StateSnapshot snapshot,
            String domain,
            Map<String, PublicationJob> jobs,
            PlanDocument before,
            PlanDocument own) {
        this.snapshot = snapshot;
        this.domain = domain;
        this.jobs = jobs;
        this.before = before;
        this.own = own;
    }

    /**
     * The plan for all domains.
     *
     * @param before the current plan for all domains; empty before the first
     * @param own the new plan of the domain of the snapshot
     */
    static PlanDocument whole(
            StateSnapshot snapshot, CurrentState state, Optional<PlanDocument> before, PlanDocument own) {
        return new PlanMerger(
                        snapshot,
                        Objects.requireNonNull(snapshot.domain()),
                        state.jobs(),
                        before.orElseGet(() -> PlanDocument.before(own)),
                        own)
                .document(Objects.requireNonNull(state.shared()).domains());
    }

    private PlanDocument document(List<String> domains) {
        List<PlannedDomain> parts = parts(domains);
        return new PlanDocument(
                own.revision(),
                own.round(),
                own.publishedAt(),
                running(),
                waiting(),
                deadlineStatuses(),
                combine(parts),
                aggregators(),
                domain.equals(PlanningDomain.DEFAULT) ? own.preparations() : before.preparations(),
                parts);
    }

    private List<PlanEntry> running() {
        List<PlanEntry> all = new ArrayList<>(own.running());
        before.running().stream().filter(this::isForeign).forEach(all::add);
        all.sort(Comparator.comparing(PlanEntry::jobId));
        return all;
    }

    /** True if another domain plans the job. An ended job remains in the plan until its domain plans again. */
    private boolean isForeign(PlanEntry entry) {
        return jobs.containsKey(entry.jobId())
                ? isForeign(entry.jobId())
                : entry.allocation().placement().stream().anyMatch(piece -> snapshot.isForeign(piece.node()));
    }

    /** True if the job is active and this domain does not, or no longer, plan it. */
    private boolean isForeign(String id) {
        PublicationJob job = jobs.get(id);
        return job != null && !domain.equals(job.domain());
    }

    /** Pending jobs of all domains, merged by their queue position. */
    private List<PendingJob> waiting() {
        Set<String> listed = new HashSet<>();
        own.running().forEach(entry -> listed.add(entry.jobId()));
        List<PendingJob> all = new ArrayList<>();
        own.waiting().stream()
                .filter(pending -> !isForeign(pending.jobId()) && listed.add(pending.jobId()))
                .forEach(all::add);
        for (PendingJob pending : before.waiting()) {
            if (isForeign(pending.jobId()) && listed.add(pending.jobId())) {
                all.add(pending);
            }
        }
        all.sort(Comparator.comparingInt(PendingJob::queuePosition).thenComparing(PendingJob::jobId));
        return all;
    }

    private Map<String, DeadlineStatus> deadlineStatuses() {
        Map<String, DeadlineStatus> all = new TreeMap<>();
        before.deadlineStatuses().forEach((id, deadlineStatus) -> {
            if (isForeign(id)) {
                all.put(id, deadlineStatus);
            }
        });
        own.deadlineStatuses().forEach((id, deadlineStatus) -> {
            if (!isForeign(id)) {
                all.put(id, deadlineStatus);
            }
        });
        return all;
    }

    private List<PlannedAggregator> aggregators() {
        List<PlannedAggregator> all = new ArrayList<>(own.aggregators());
        before.aggregators().stream()
                .filter(aggregator -> snapshot.isForeign(aggregator.node()))
                .forEach(all::add);
        all.sort(Comparator.comparing(PlannedAggregator::node).thenComparingInt(PlannedAggregator::number));
        return all;
    }

    private List<PlannedDomain> parts(List<String> domains) {
        Map<String, PlannedDomain> parts = new TreeMap<>();
        List<PlannedDomain> known = before.domains();
        if (known != null) {
            known.forEach(part -> parts.put(part.name(), part));
        }
        parts.put(domain, new PlannedDomain(domain, own.round(), own.publishedAt(), own.quality()));
        return domains.stream().filter(parts::containsKey).map(parts::get).toList();
    }

    private static List<ClassQuality> classes(List<PlannedDomain> parts) {
        Map<Integer, ClassQuality> joint = new TreeMap<>(Comparator.reverseOrder());
        parts.stream()
                .flatMap(part -> part.quality().classes().stream())
                .forEach(own -> joint.merge(
                        own.priority(),
                        own,
                        (a, b) -> ClassQuality.of(
                                a.priority(), a.objectiveValue() + b.objectiveValue(), a.bestBound() + b.bestBound())));
        return List.copyOf(joint.values());
    }

    /**
     * Joint quality. Domains share only quotas, which are divided among them, so objective values and bounds are
     * additive.
     */
    private static SolutionQuality combine(List<PlannedDomain> parts) {
        double utility = 0;
        double bound = 0;
        double repaired = 0;
        SolveStatus worst = SolveStatus.OPTIMAL;
        for (PlannedDomain part : parts) {
            utility += part.quality().objectiveValue();
            bound += part.quality().bestBound();
            repaired += part.quality().fallbackObjectiveValue();
            worst = part.quality().status().compareTo(worst) > 0
                    ? part.quality().status()
                    : worst;
        }
        return SolutionQuality.of(worst, utility, bound, repaired).withClasses(classes(parts));
    }
}
