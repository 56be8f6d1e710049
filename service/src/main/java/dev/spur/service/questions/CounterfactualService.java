package dev.spur.service.questions;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.spur.model.Seconds;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.JobDependency;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.whatif.Change;
import dev.spur.model.whatif.Changes;
import dev.spur.model.whatif.ReleaseHold;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.questions.Explanation.Unblocking;
import dev.spur.service.questions.WaitingJobs.WaitingJob;
import dev.spur.simulator.eta.BlockedJob;
import dev.spur.solver.counterfactual.CounterfactualResult;
import dev.spur.solver.counterfactual.CounterfactualSearch;
import dev.spur.solver.counterfactual.PreparationCounterfactualSearch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Searches for changes that would start a job. The result is cached until the next plan. */
@Component
class CounterfactualService {
    /** Number of unmet dependencies that a message names. */
    private static final int NAMED_DEPENDENCIES = 5;

    private static final int MAX_RESULTS = 1000;

    private final SnapshotReader snapshots;
    private final OnDemandSolver solves;
    private final SolveProperties properties;
    private final Cache<Key, Unblocking> known =
            Caffeine.newBuilder().maximumSize(MAX_RESULTS).build();

    private record Key(long revision, String jobId, boolean held) {}

    CounterfactualService(SnapshotReader snapshots, OnDemandSolver solves, SolveProperties properties) {
        this.snapshots = snapshots;
        this.solves = solves;
        this.properties = properties;
    }

    /** The cached result for this plan; empty if there is none. */
    Optional<Unblocking> findCached(long revision, String jobId, boolean held) {
        return Optional.ofNullable(known.getIfPresent(new Key(revision, jobId, held)));
    }

    /** Searches for the changes, within the configured time limit. */
    Unblocking search(long revision, WaitingJob job) {
        StateSnapshot snapshot = snapshots.read();
        Unblocking unblocking = job.kind() == JobKind.TRAINING
                ? searchTraining(revision, job.id(), snapshot)
                : searchPreparation(revision, job.id(), snapshot);
        known.put(new Key(revision, job.id(), job.heldBack()), unblocking);
        return unblocking;
    }

    private Unblocking searchTraining(long revision, String jobId, StateSnapshot snapshot) {
        boolean isKnown =
                snapshot.problem().jobs().stream().anyMatch(job -> job.id().equals(jobId))
                        || snapshot.held().stream().anyMatch(job -> job.id().equals(jobId));
        if (!isKnown) {
            return Unblocking.none(revision, "The job has ended in the meantime.");
        }
        BlockedJob blocked = snapshot.blockedJobs().get(jobId);
        if (blocked != null) {
            return Unblocking.none(revision, message(blocked));
        }
        SolveBudget requested = snapshot.problem().settings().budget();
        SolveBudget budget =
                new SolveBudget(properties.maxWork(), Seconds.of(properties.maxWallTime()), 1, requested.seed());
        CounterfactualResult answer = CounterfactualSearch.search(
                snapshot.problem(),
                snapshot.held(),
                jobId,
                solves.policy(),
                budget,
                Seconds.of(properties.maxUnblockTime()));
        return unblocking(revision, answer);
    }

    /** Searches for the changes that would start a data preparation; requires one solve and several plans. */
    private Unblocking searchPreparation(long revision, String jobId, StateSnapshot snapshot) {
        List<Change> release = release(snapshot, jobId);
        RoundProblem offered = Changes.applyAll(snapshot.problem(), snapshot.heldBack(), release);
        boolean mayStart =
                offered.preparations().stream().anyMatch(one -> one.id().equals(jobId) && one.grant() == null);
        if (!mayStart) {
            return Unblocking.none(revision, "It has started or ended in the meantime.");
        }
        Map<String, Allocation> training = solves.plan(snapshot.problem()).running().stream()
                .collect(Collectors.toMap(PlannedJob::jobId, PlannedJob::allocation));
        return PreparationCounterfactualSearch.search(offered, jobId, training)
                .map(found -> unblocking(revision, release, found))
                .orElse(
                        Unblocking.none(
                                revision,
                                "None of the tried changes starts it: more remote memory, an additional node, reopening closed nodes."));
    }

    /** The release of a held preparation; empty for other preparations. */
    private static List<Change> release(StateSnapshot snapshot, String preparation) {
        return snapshot.heldBack().preparations().stream()
                .filter(one -> one.id().equals(preparation))
                .<Change>map(one -> new ReleaseHold(preparation))
                .toList();
    }

    private static Unblocking unblocking(
            long revision, List<Change> release, PreparationCounterfactualSearch.Found found) {
        String message = found.message();
        if (!release.isEmpty()) {
            message = found.changes().isEmpty()
                    ? "It would start once it is released or its pause ends."
                    : "Its release, or the end of its pause, is not sufficient. " + message;
        }
        return new Unblocking(
                revision,
                found.verified(),
                Stream.concat(release.stream(), found.changes().stream()).toList(),
                found.plan().quality().gap(),
                message);
    }

    private static Unblocking unblocking(long revision, CounterfactualResult answer) {
        if (answer instanceof CounterfactualResult.Found found) {
            return new Unblocking(
                    revision, true, found.changes(), found.plan().quality().gap(), message(found.changes()));
        }
        boolean complete = answer instanceof CounterfactualResult.NotFound none && none.complete();
        String message = complete
                ? "None of the tried changes starts it: slots, aggregation slots, quota, group cap, weight, reopening closed nodes."
                : "The search reached its time limit without a change that certainly starts it.";
        return Unblocking.none(revision, message);
    }

    private static String message(BlockedJob blocked) {
        return blocked.notBefore() != null
                ? "No change of the cluster starts it before the time in notBefore."
                : "No change of the cluster starts it before its dependencies on these jobs are met: %s%s."
                        .formatted(
                                blocked.dependencies().stream()
                                        .limit(NAMED_DEPENDENCIES)
                                        .map(JobDependency::job)
                                        .collect(Collectors.joining(", ")),
                                blocked.dependencies().size() > NAMED_DEPENDENCIES
                                        ? " and %d more"
                                                .formatted(
                                                        blocked.dependencies().size() - NAMED_DEPENDENCIES)
                                        : "");
    }

    private static String message(List<Change> changes) {
        if (changes.isEmpty()) {
            return "No change is required: every optimal plan for the current state runs it.";
        }
        return "It would run with this change: %s."
                .formatted(changes.stream().map(Change::describe).collect(Collectors.joining(", and ")));
    }
}
