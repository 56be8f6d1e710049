package dev.spur.service.rounds;

import dev.spur.model.cluster.NodeState;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.job.DependencyCondition;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.DependencyStore;
import dev.spur.service.jobs.JobEventDetail;
import dev.spur.service.jobs.JobEventDetail.Interruption;
import dev.spur.service.jobs.JobEventKind;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.PreparationStore;
import dev.spur.service.jobs.StoredPreparation;
import dev.spur.service.plans.PendingJobExplainer;
import dev.spur.service.plans.PlannedPreparations;
import dev.spur.service.plans.PlannedPreparations.Entry;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.rounds.CurrentStateReader.CurrentState;
import dev.spur.service.rounds.CurrentStateReader.PublicationNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Publishes the grants of data preparations. */
@Component
class PreparationPublisher {
    private static final String STALE = "It keeps its memory: the plan conflicts with newer state.";

    private final PreparationStore store;
    private final JobTransitionStore transitions;
    private final DependencyStore dependencies;
    private final RoundTrigger trigger;

    PreparationPublisher(
            PreparationStore store,
            JobTransitionStore transitions,
            DependencyStore dependencies,
            RoundTrigger trigger) {
        this.dependencies = dependencies;
        this.trigger = trigger;
        this.store = store;
        this.transitions = transitions;
    }

    /**
     * Carries out the grants of {@code plan} as far as newer state allows. Call this in the transaction that publishes
     * the plan.
     *
     * @param asPlanned false if a training job does not run as planned. Planned memory may then be missing, so nothing
     *     is granted beyond what is held
     * @return the published preparations
     */
    PlannedPreparations carryOut(StateSnapshot snapshot, CurrentState state, PreparationPlan plan, boolean asPlanned) {
        return new Grants(snapshot, state, plan, asPlanned).carriedOut();
    }

    /** Grants of one plan, compared with the current rows. */
    private final class Grants {
        private final Map<String, StoredPreparation> seen = new HashMap<>();
        private final Map<String, PlannedPreparation> planned = new HashMap<>();
        private final PreparationPlan plan;
        private final boolean asPlanned;
        private final Map<String, StoredPreparation> now = new LinkedHashMap<>();
        private final Map<String, PublicationNode> nodes;
        /** Nodes whose executors have revoked loans since the snapshot; their loans must not grow. */
        private final Set<String> revoking = new HashSet<>();

        Grants(StateSnapshot snapshot, CurrentState state, PreparationPlan plan, boolean asPlanned) {
            this.plan = plan;
            this.asPlanned = asPlanned;
            snapshot.preparations().forEach(preparation -> seen.put(preparation.id(), preparation));
            plan.running().forEach(entry -> planned.put(entry.jobId(), entry));
            state.preparations().forEach(preparation -> now.put(preparation.id(), preparation));
            nodes = state.nodes();
            now.values().forEach(this::lookWhoTookBack);
        }

        private void lookWhoTookBack(StoredPreparation row) {
            StoredPreparation before = seen.get(row.id());
            PreparationAllocation had =
                    before == null || before.generation() != row.generation() ? null : before.grant();
            PreparationAllocation has = row.grant();
            if (had != null && has != null) {
                had.loans().stream()
                        .filter(loan -> has.borrowedFrom(loan.lender()) < loan.gib())
                        .forEach(loan -> revoking.add(loan.lender()));
            }
        }

        PlannedPreparations carriedOut() {
            List<Entry> running = new ArrayList<>();
            for (StoredPreparation row : now.values()) {
                PreparationAllocation held = row.grant();
                PreparationAllocation after = after(row);
                long generation = row.generation();
                if (!Objects.equals(after, held)) {
                    generation += after != null && isSameRun(held, after) ? 0 : 1;
                    store.grant(row.id(), generation, after);
                    addEvent(row, generation, after);
                }
                if (after != null) {
                    running.add(entry(row, generation, after));
                }
            }
            running.sort(Comparator.comparing(Entry::jobId));
            return new PlannedPreparations(running, waiting(running), plan.quality());
        }

        /** The new grant of a preparation; null for none. */
        private @Nullable PreparationAllocation after(StoredPreparation row) {
            StoredPreparation before = seen.get(row.id());
            PlannedPreparation entry = planned.get(row.id());
            if (before == null || before.generation() != row.generation()) {
                return row.grant();
            }
            if (entry == null) {
                return null;
            }
            PreparationAllocation desired = entry.grant();
            if (isSameRun(row.grant(), desired)) {
                return desired.withLoans(loans(row.grant(), desired));
            }
            boolean asSeen = !row.heldBack() && row.spec().equals(before.spec());
            // with less memory than planned, it would swap from the start
            boolean starts = asPlanned
                    && asSeen
                    && isOpen(desired.node())
                    && loans(null, desired).equals(desired.loans());
            return starts ? desired : null;
        }

        /**
         * The loans of {@code desired} that are available; without new loans beyond {@code held}, unless everything is
         * as planned.
         */
        private List<Loan> loans(@Nullable PreparationAllocation held, PreparationAllocation desired) {
            List<Loan> loans = new ArrayList<>();
            for (Loan loan : desired.loans()) {
                int had = held == null ? 0 : held.borrowedFrom(loan.lender());
                boolean mayGrow = !revoking.contains(loan.lender()) && (asPlanned || held == null);
                int max = mayGrow ? loan.gib() : had;
                if (isOpen(loan.lender()) && max > 0) {
                    loans.add(new Loan(loan.lender(), Math.min(loan.gib(), max)));
                }
            }
            return loans;
        }

        private boolean isOpen(String node) {
            PublicationNode facts = nodes.get(node);
            return facts != null && facts.state() != NodeState.LOST;
        }

        private Entry entry(StoredPreparation row, long generation, PreparationAllocation grant) {
            PlannedPreparation entry = planned.get(row.id());
            double slowDown = row.spec().slowDown(grant.localGiB(), grant.borrowedGiB());
            return entry != null && entry.grant().equals(grant)
                    ? new Entry(row.id(), generation, grant, slowDown, entry.utility(), entry.message())
                    : new Entry(row.id(), generation, grant, slowDown, 0, STALE);
        }

        private List<PendingJob> waiting(List<Entry> running) {
            Set<String> listed = new HashSet<>();
            running.forEach(entry -> listed.add(entry.jobId()));
            List<PendingJob> waiting = new ArrayList<>();
            for (PendingJob pending : plan.waiting()) {
                if (now.containsKey(pending.jobId()) && listed.add(pending.jobId())) {
                    waiting.add(pending.at(waiting.size() + 1));
                }
            }
            for (StoredPreparation row : now.values()) {
                if (seen.containsKey(row.id()) && listed.add(row.id())) {
                    waiting.add(PendingJobExplainer.waits(
                            row.id(),
                            row.held(),
                            row.retryAt(),
                            null,
                            row.notBefore(),
                            String.join(", ", row.unmetDependencies()),
                            Optional.empty(),
                            waiting.size() + 1));
                }
            }
            return waiting;
        }
    }

    private void addEvent(StoredPreparation row, long generation, @Nullable PreparationAllocation after) {
        if (after == null) {
            transitions.addEvent(row.id(), JobEventKind.REQUEUED, Interruption.ofReport(generation, null));
            return;
        }
        boolean starts = generation != row.generation();
        transitions.addEvent(
                row.id(),
                starts ? JobEventKind.STARTED : JobEventKind.MEMORY,
                new JobEventDetail.Grant(generation, after.node(), after.localGiB(), after.loans()));
        if (starts && dependencies.meet(List.of(row.id()), List.of(), DependencyCondition.STARTED) > 0) {
            trigger.requestRound("data preparation started");
        }
    }

    private static boolean isSameRun(@Nullable PreparationAllocation held, PreparationAllocation other) {
        return held != null && held.node().equals(other.node()) && held.since() == other.since();
    }
}
