package dev.spur.service.explain;

import dev.spur.model.cluster.Reservation;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import dev.spur.model.whatif.Change;
import dev.spur.model.whatif.SetGroup;
import dev.spur.model.whatif.WithheldJobs;
import dev.spur.service.security.AccessScope;
import dev.spur.service.snapshot.StateSnapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The live state for a what-if request of a scoped caller. Resources out of scope remain, because they take part in
 * every plan. They are renamed if the changes contain their names, so the result is the same as if these names did not
 * exist.
 */
final class WhatIfScope {
    private final AccessScope reach;
    private final RoundProblem problem;
    private final WithheldJobs held;

    WhatIfScope(AccessScope reach, StateSnapshot snapshot, List<Change> changes) {
        this.reach = reach;
        if (reach.isAll()) {
            problem = snapshot.problem();
            held = snapshot.heldBack();
        } else {
            ProblemAnonymizer disguise = disguise(snapshot, changes);
            problem = disguise.of(snapshot.problem());
            held = disguise.of(snapshot.heldBack());
        }
    }

    RoundProblem problem() {
        return problem;
    }

    WithheldJobs heldBack() {
        return held;
    }

    /** True for ids of jobs and preparations that the caller may see. */
    Predicate<String> shown() {
        Set<String> others = foreign(problem, held);
        return id -> !others.contains(id);
    }

    private ProblemAnonymizer disguise(StateSnapshot snapshot, List<Change> changes) {
        RoundProblem all = snapshot.problem();
        Set<String> named = new HashSet<>();
        addTexts(RoundJson.mapper().valueToTree(changes), named);
        return new ProblemAnonymizer(
                named,
                foreign(all, snapshot.heldBack()),
                all.reservations().stream()
                        .filter(this::isForeign)
                        .map(Reservation::name)
                        .collect(Collectors.toSet()),
                all.tenants().stream()
                        .map(Tenant::name)
                        .filter(tenant -> !reach.covers(tenant))
                        .collect(Collectors.toSet()),
                foreignGroups(all, changes));
    }

    /** Collects all texts of the changes, because each may be a name. */
    private static void addTexts(JsonNode tree, Set<String> texts) {
        if (tree.isString()) {
            texts.add(tree.asString());
        }
        tree.forEach(child -> addTexts(child, texts));
    }

    /** Ids of jobs and preparations out of scope. */
    private Set<String> foreign(RoundProblem all, WithheldJobs back) {
        Stream<String> jobs = Stream.concat(all.jobs().stream(), back.jobs().stream())
                .filter(job -> !reach.covers(job.tenant()))
                .map(Job::id);
        Stream<String> preparations = Stream.concat(all.preparations().stream(), back.preparations().stream())
                .filter(preparation -> !reach.covers(preparation.tenant()))
                .map(Preparation::id);
        return Stream.concat(jobs, preparations).collect(Collectors.toSet());
    }

    private boolean isForeign(Reservation reservation) {
        return reservation.tenant() != null && !reach.covers(reservation.tenant());
    }

    /**
     * Groups out of scope. A group of an ancestor tenant is out of scope as well, but jobs of the caller may belong to
     * it.
     */
    private Set<String> foreignGroups(RoundProblem all, List<Change> changes) {
        TenantTree tree = new TenantTree(all.tenants());
        Set<String> changed = changes.stream()
                .filter(SetGroup.class::isInstance)
                .map(change -> ((SetGroup) change).group())
                .collect(Collectors.toSet());
        return all.groups().stream()
                .filter(group -> !reach.covers(group.tenant()))
                .filter(group -> changed.contains(group.name()) || !isAbove(group, tree))
                .map(JobGroup::name)
                .collect(Collectors.toSet());
    }

    private boolean isAbove(JobGroup group, TenantTree tree) {
        return reach.tenants() != null
                && reach.tenants().stream().anyMatch(tenant -> tree.isWithin(tenant, group.tenant()));
    }
}
