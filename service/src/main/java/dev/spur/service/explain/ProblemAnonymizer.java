package dev.spur.service.explain;

import dev.spur.model.cluster.Reservation;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.PastUsage;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.whatif.WithheldJobs;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Renames given resources of a problem wherever their names occur. Nothing else changes. */
final class ProblemAnonymizer {
    private final String mark;
    private final Set<String> jobs;
    private final Set<String> reservations;
    private final Set<String> tenants;
    private final Set<String> groups;

    /**
     * Creates the renaming.
     *
     * @param named names that must become unused
     * @param jobs ids of jobs and preparations to rename if they are in {@code named}; the other parameters likewise
     */
    ProblemAnonymizer(
            Set<String> named, Set<String> jobs, Set<String> reservations, Set<String> tenants, Set<String> groups) {
        this.mark = unused(named);
        this.jobs = among(named, jobs);
        this.reservations = among(named, reservations);
        this.tenants = among(named, tenants);
        this.groups = among(named, groups);
    }

    /** A suffix that none of the names has, and that no valid resource name may have. */
    private static String unused(Set<String> named) {
        StringBuilder mark = new StringBuilder("~");
        while (named.stream().anyMatch(name -> name.endsWith(mark.toString()))) {
            mark.append('~');
        }
        return mark.toString();
    }

    private static Set<String> among(Set<String> named, Set<String> all) {
        Set<String> both = new HashSet<>(all);
        both.retainAll(named);
        return both;
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
        return new JobGroup(hidden(groups, group.name()), tenant(group.tenant()), group.maxSlots(), group.maxJobs());
    }

    private Job of(Job job) {
        String group = job.spec().group();
        boolean isGroupHidden = group != null && groups.contains(group);
        if (!isGroupHidden && !jobs.contains(job.id()) && !tenants.contains(job.tenant())) {
            return job;
        }
        return new Job(
                hidden(jobs, job.id()),
                tenant(job.tenant()),
                job.arrival(),
                isGroupHidden ? job.spec().edit().group(group + mark).done() : job.spec(),
                job.remainingSamples(),
                job.deadline(),
                job.deadlineStatus(),
                job.history(),
                job.allocation(),
                job.profilingTarget());
    }

    private Preparation of(Preparation preparation) {
        return new Preparation(
                hidden(jobs, preparation.id()),
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
                hidden(reservations, reservation.name()),
                reservation.nodes(),
                tenant == null ? null : tenant(tenant),
                reservation.start(),
                reservation.end(),
                job == null ? null : hidden(jobs, job),
                reservation.leadSeconds());
    }

    private String tenant(String name) {
        return hidden(tenants, name);
    }

    private String hidden(Set<String> which, String name) {
        return which.contains(name) ? name + mark : name;
    }
}
