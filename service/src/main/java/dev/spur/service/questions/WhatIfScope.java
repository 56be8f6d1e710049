package dev.spur.service.questions;

import dev.spur.model.cluster.Reservation;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.PastUsage;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import dev.spur.model.whatif.Change;
import dev.spur.model.whatif.SetGroup;
import dev.spur.model.whatif.WithheldJobs;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.security.AccessScope;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
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
            ProblemAnonymizer anonymizer = anonymizer(snapshot, changes);
            problem = anonymizer.of(snapshot.problem());
            held = anonymizer.of(snapshot.heldBack());
        }
    }

    RoundProblem problem() {
        return problem;
    }

    WithheldJobs heldBack() {
        return held;
    }

    /** True for ids of jobs and preparations that the caller may see. */
    Predicate<String> visibleIds() {
        Set<String> others = foreignIds(problem, held);
        return id -> !others.contains(id);
    }

    private ProblemAnonymizer anonymizer(StateSnapshot snapshot, List<Change> changes) {
        RoundProblem all = snapshot.problem();
        Set<String> named = new HashSet<>();
        addTexts(RoundJson.mapper().valueToTree(changes), named);
        return new ProblemAnonymizer(
                named,
                foreignIds(all, snapshot.heldBack()),
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
    private Set<String> foreignIds(RoundProblem all, WithheldJobs back) {
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

    /** Renames given resources of a problem wherever their names occur. Nothing else changes. */
    private static final class ProblemAnonymizer {
        private final String mark;
        private final Set<String> jobs;
        private final Set<String> reservations;
        private final Set<String> tenants;
        private final Set<String> groups;

        /**
         * Creates the renaming.
         *
         * @param named names that must become unused
         * @param jobs ids of jobs and preparations to rename if they are in {@code named}; the other parameters
         *     likewise
         */
        ProblemAnonymizer(
                Set<String> named,
                Set<String> jobs,
                Set<String> reservations,
                Set<String> tenants,
                Set<String> groups) {
            this.mark = unusedSuffix(named);
            this.jobs = among(named, jobs);
            this.reservations = among(named, reservations);
            this.tenants = among(named, tenants);
            this.groups = among(named, groups);
        }

        /** A suffix that none of the names has, and that no valid resource name may have. */
        private static String unusedSuffix(Set<String> named) {
            StringBuilder mark = new StringBuilder("~");
            while (named.stream().anyMatch(name -> name.endsWith(mark.toString()))) {
                mark.append('~');
            }
            return mark.toString();
        }

        private static Set<String> among(Set<String> named, Set<String> all) {
            Set<String> union = new HashSet<>(all);
            union.retainAll(named);
            return union;
        }

        RoundProblem of(RoundProblem all) {
            return all.withTenants(each(all.tenants(), this::of))
                    .withGroups(each(all.groups(), this::of))
                    .withJobs(each(all.jobs(), this::of))
                    .withPreparations(each(all.preparations(), this::of))
                    .withReservations(each(all.reservations(), this::of))
                    .withPastUsage(each(all.pastUsage(), this::of));
        }

        WithheldJobs of(WithheldJobs held) {
            return new WithheldJobs(each(held.jobs(), this::of), each(held.preparations(), this::of));
        }

        private static <T> List<T> each(List<T> all, UnaryOperator<T> change) {
            return all.stream().map(change).toList();
        }

        private Tenant of(Tenant tenant) {
            String parent = tenant.parent();
            return new Tenant(
                    tenant(tenant.name()), parent == null ? null : tenant(parent), tenant.weight(), tenant.quotas());
        }

        private PastUsage of(PastUsage usage) {
            return new PastUsage(tenant(usage.tenant()), usage.slotSeconds());
        }

        private JobGroup of(JobGroup group) {
            return new JobGroup(hide(groups, group.name()), tenant(group.tenant()), group.maxSlots(), group.maxJobs());
        }

        private Job of(Job job) {
            String group = job.spec().group();
            boolean isGroupHidden = group != null && groups.contains(group);
            if (!isGroupHidden && !jobs.contains(job.id()) && !tenants.contains(job.tenant())) {
                return job;
            }
            return new Job(
                    hide(jobs, job.id()),
                    tenant(job.tenant()),
                    job.arrival(),
                    isGroupHidden ? job.spec().edit().group(group + mark).build() : job.spec(),
                    job.remainingSamples(),
                    job.deadline(),
                    job.deadlineStatus(),
                    job.history(),
                    job.allocation(),
                    job.profilingTarget());
        }

        private Preparation of(Preparation preparation) {
            return new Preparation(
                    hide(jobs, preparation.id()),
                    tenant(preparation.tenant()),
                    preparation.arrival(),
                    preparation.spec(),
                    preparation.remainingSeconds(),
                    preparation.grant(),
                    preparation.activity());
        }

        private Reservation of(Reservation reservation) {
            String tenant = reservation.tenant();
            String job = reservation.job();
            return new Reservation(
                    hide(reservations, reservation.name()),
                    reservation.nodes(),
                    tenant == null ? null : tenant(tenant),
                    reservation.start(),
                    reservation.end(),
                    job == null ? null : hide(jobs, job),
                    reservation.leadSeconds());
        }

        private String tenant(String name) {
            return hide(tenants, name);
        }

        private String hide(Set<String> which, String name) {
            return which.contains(name) ? name + mark : name;
        }
    }
}
