package dev.spur.service.explain;

import dev.spur.model.check.Violation;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.preparation.Preparation;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.change.AddJob;
import dev.spur.model.round.change.AddPreparation;
import dev.spur.model.round.change.Change;
import dev.spur.model.round.change.Changes;
import dev.spur.model.round.change.HeldBack;
import dev.spur.model.round.change.SetReservation;
import dev.spur.service.security.Reach;
import dev.spur.service.store.Snapshot;
import dev.spur.service.store.StoredPreparation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may touch and see in a what-if: jobs and preparations within its reach and those that it has made up for the question, and
 * everything that belongs to nobody. What is out of reach is answered as what there is not.
 */
final class WhatIfReach {
    private final Reach reach;
    private final Snapshot snapshot;

    WhatIfReach(Reach reach, Snapshot snapshot) {
        this.reach = reach;
        this.snapshot = snapshot;
    }

    /** Why the caller may not make {@code changes}, by JSON pointers that begin with {@code /changes}; empty if it may. */
    List<Violation> misfits(List<Change> changes) {
        if (reach.isAll()) {
            return List.of();
        }
        HeldBack held = snapshot.heldBack();
        List<Violation> misfits = new ArrayList<>(Changes.apply(
                        own(snapshot.problem()),
                        new HeldBack(own(held.jobs(), Job::tenant), own(held.preparations(), Preparation::tenant)),
                        changes)
                .misfits());
        for (int i = 0; i < changes.size(); i++) {
            String tenant = tenantOf(changes.get(i));
            if (tenant != null && !reach.covers(tenant)) {
                misfits.add(new Violation(
                        "reach", "/changes/" + i + "/tenant", "tenant %s does not exist".formatted(tenant)));
            }
            if (changes.get(i) instanceof SetReservation set && isForeign(set.reservation())) {
                misfits.add(new Violation(
                        "reach",
                        "/changes/" + i + "/reservation",
                        "reservation %s is somebody else's".formatted(set.reservation())));
            }
        }
        return misfits;
    }

    private RoundProblem own(RoundProblem all) {
        return all.withJobs(own(all.jobs(), Job::tenant))
                .withPreparations(own(all.preparations(), Preparation::tenant))
                .withReservations(
                        all.reservations().stream().filter(this::isShown).toList());
    }

    private <T> List<T> own(List<T> all, Function<T, String> tenant) {
        return all.stream().filter(one -> reach.covers(tenant.apply(one))).toList();
    }

    private boolean isShown(Reservation reservation) {
        return reservation.tenant() == null || reach.covers(reservation.tenant());
    }

    private boolean isForeign(String reservation) {
        return snapshot.problem().reservations().stream()
                .anyMatch(other -> other.name().equals(reservation) && !isShown(other));
    }

    /** For whom something is made up; null if for nobody. */
    private static @Nullable String tenantOf(Change change) {
        if (change instanceof AddJob add) {
            return add.tenant();
        }
        if (change instanceof AddPreparation add) {
            return add.tenant();
        }
        return change instanceof SetReservation set ? set.tenant() : null;
    }

    /** True for ids of jobs and preparations that the caller may be told of. */
    Predicate<String> shown() {
        if (reach.isAll()) {
            return id -> true;
        }
        Stream<String> jobs = Stream.concat(snapshot.problem().jobs().stream(), snapshot.held().stream())
                .filter(job -> !reach.covers(job.tenant()))
                .map(Job::id);
        Stream<String> preparations = snapshot.preparations().stream()
                .filter(preparation -> !reach.covers(preparation.tenant()))
                .map(StoredPreparation::id);
        Set<String> others = Stream.concat(jobs, preparations).collect(Collectors.toSet());
        return id -> !others.contains(id);
    }
}
