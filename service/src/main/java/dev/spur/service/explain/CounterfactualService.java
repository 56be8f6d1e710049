package dev.spur.service.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.whatif.Change;
import dev.spur.model.whatif.Changes;
import dev.spur.model.whatif.ReleasePreparation;
import dev.spur.service.explain.Explanation.Unblocking;
import dev.spur.service.planningdomain.StatePartitioner;
import dev.spur.service.store.SnapshotReader;
import dev.spur.service.store.StateSnapshot;
import dev.spur.service.store.StoredPreparation;
import dev.spur.solver.counterfactual.CounterfactualResult;
import dev.spur.solver.counterfactual.CounterfactualSearch;
import dev.spur.solver.counterfactual.PreparationCounterfactualSearch;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Searches for what would start a job, and remembers the answer as long as the plan stands. */
@Component
class CounterfactualService {
    private static final int REMEMBERED = 1000;

    private final SnapshotReader snapshots;
    private final StatePartitioner division;
    private final OnDemandSolver solves;
    private final SolveProperties properties;
    private final Map<Key, Unblocking> known = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Unblocking> eldest) {
            return size() > REMEMBERED;
        }
    });

    private record Key(long revision, String jobId, boolean held) {}

    CounterfactualService(
            SnapshotReader snapshots, StatePartitioner division, OnDemandSolver solves, SolveProperties properties) {
        this.snapshots = snapshots;
        this.division = division;
        this.solves = solves;
        this.properties = properties;
    }

    /** The answer under this plan, if it is known. */
    Optional<Unblocking> known(long revision, String jobId, boolean held) {
        return Optional.ofNullable(known.get(new Key(revision, jobId, held)));
    }

    /** Searches; takes as long as it is allowed to. */
    Unblocking search(long revision, String jobId, boolean held) {
        StateSnapshot snapshot = snapshots.read();
        boolean there =
                snapshot.problem().jobs().stream().anyMatch(job -> job.id().equals(jobId))
                        || snapshot.held().stream().anyMatch(job -> job.id().equals(jobId));
        if (!there) {
            return new Unblocking(revision, false, List.of(), null, "The job has ended meanwhile.");
        }
        List<String> awaited = snapshot.awaiting().getOrDefault(jobId, List.of());
        if (!awaited.isEmpty()) {
            return new Unblocking(
                    revision, false, List.of(), null, "Nothing starts it before its data are there: " + awaited + ".");
        }
        StateSnapshot around = division.around(snapshot, jobId);
        SolveBudget asked = snapshot.problem().settings().budget();
        SolveBudget budget = new SolveBudget(properties.maxWork(), properties.maxWallSeconds(), 1, asked.seed());
        CounterfactualResult answer = CounterfactualSearch.search(
                around.problem(), around.held(), jobId, solves.policy(), budget, properties.unblockSeconds());
        Unblocking told = told(revision, answer);
        known.put(new Key(revision, jobId, held), told);
        return told;
    }

    /** Searches for what would start a preparation that waits; takes a solve and some plans. */
    Unblocking searchPreparation(long revision, StoredPreparation preparation) {
        StateSnapshot snapshot = snapshots.read();
        List<Change> release = release(snapshot, preparation.id());
        RoundProblem offered = Changes.applyAll(snapshot.problem(), snapshot.heldBack(), release);
        boolean mayStart = offered.preparations().stream()
                .anyMatch(one -> one.id().equals(preparation.id()) && one.grant() == null);
        if (!mayStart) {
            return new Unblocking(revision, false, List.of(), null, "It has started or ended meanwhile.");
        }
        Map<String, Allocation> training = solves.plan(snapshot.problem()).running().stream()
                .collect(Collectors.toMap(PlannedJob::jobId, PlannedJob::allocation));
        return PreparationCounterfactualSearch.search(offered, preparation.id(), training)
                .map(found -> told(revision, release, found))
                .orElse(
                        new Unblocking(
                                revision,
                                false,
                                List.of(),
                                null,
                                "None of the changes that were tried starts it: memory to lend, a node with room for it, nodes that take nothing new."));
    }

    /** The release of a preparation that is held back; nothing for others. */
    private static List<Change> release(StateSnapshot snapshot, String preparation) {
        return snapshot.heldBack().preparations().stream()
                .filter(one -> one.id().equals(preparation))
                .<Change>map(one -> new ReleasePreparation(preparation))
                .toList();
    }

    private static Unblocking told(long revision, List<Change> release, PreparationCounterfactualSearch.Found found) {
        String sentence = found.message();
        if (!release.isEmpty()) {
            sentence = found.changes().isEmpty()
                    ? "It would start once it is released, or its pause is over."
                    : "Its release, or the end of its pause, is not enough. " + sentence;
        }
        return new Unblocking(
                revision,
                found.verified(),
                Stream.concat(release.stream(), found.changes().stream()).toList(),
                found.plan().quality().gap(),
                sentence);
    }

    private static Unblocking told(long revision, CounterfactualResult answer) {
        if (answer instanceof CounterfactualResult.Found found) {
            return new Unblocking(
                    revision, true, found.changes(), found.plan().quality().gap(), sentence(found.changes()));
        }
        boolean complete = answer instanceof CounterfactualResult.NotFound none && none.complete();
        String sentence = complete
                ? "None of the changes that were tried starts it: slots, aggregation slots, quota, cap of its group, weight, nodes that take nothing new."
                : "No change was found that surely starts it in the time there is for the search.";
        return new Unblocking(revision, false, List.of(), null, sentence);
    }

    private static String sentence(List<Change> changes) {
        if (changes.isEmpty()) {
            return "Nothing is needed: every best plan for the state as it is runs it.";
        }
        return "It would run with this change: %s."
                .formatted(changes.stream().map(Change::describe).collect(Collectors.joining(", and ")));
    }
}
