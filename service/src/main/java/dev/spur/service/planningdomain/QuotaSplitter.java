package dev.spur.service.planningdomain;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The portion of every quota and cap with which one domain plans. Each round divides each quota again, by the same rule
 * in all domains, in this order:
 *
 * <ol>
 *   <li>the minimum demand of running jobs;
 *   <li>the minimum demand of pending jobs, by priority and submission, where jobs whose domain has free slots for them
 *       come first;
 *   <li>the slots held beyond that;
 *   <li>the slots that could be used;
 *   <li>the rest, in proportion to the slots of the domain.
 * </ol>
 *
 * <p>A portion never exceeds what the other domains leave free now, so domains with different views of the state do not
 * exceed the quota. Publication of a plan finally checks the quotas against the database.
 */
final class QuotaSplitter {
    private final RoundProblem problem;
    private final List<String> domains;
    private final Map<String, String> homes;
    private final Map<String, Map<String, Long>> capacity = new HashMap<>();
    private final TenantTree tree;
    private final int own;

    /**
     * @param problem the whole state
     * @param domains all domains
     * @param homes domain that plans each job, by job id
     * @param domainOfPool the domain of each pool
     * @param domain the domain whose portions are computed
     */
    QuotaSplitter(
            RoundProblem problem,
            List<String> domains,
            Map<String, String> homes,
            Map<String, String> domainOfPool,
            String domain) {
        this.problem = problem;
        this.domains = domains;
        this.homes = homes;
        this.tree = new TenantTree(problem.tenants());
        this.own = domains.indexOf(domain);
        for (Node node : problem.nodes()) {
            if (node.acceleratorType() != null && node.state() != NodeState.LOST) {
                capacity.computeIfAbsent(node.acceleratorType(), type -> new HashMap<>())
                        .merge(domainOfPool.getOrDefault(node.pool(), ""), (long) node.slots(), Long::sum);
            }
        }
    }

    /** Minimum demand of one job. */
    private record Claim(int domain, int slots) {}

    /** Held and needed amounts of a set of jobs, in slots or in jobs. Arrays are indexed by domain. */
    private final class Need {
        private final List<Claim> running = new ArrayList<>();
        private final List<Claim> waiting = new ArrayList<>();
        private final long[] held = new long[domains.size()];
        private final long[] extra = new long[domains.size()];
        private final long[] useful = new long[domains.size()];
        private final long[] capacities;
        private final long[] free;

        Need(@Nullable String type) {
            capacities =
                    domains.stream().mapToLong(domain -> slotsIn(type, domain)).toArray();
            free = capacities.clone();
            for (Job job : problem.jobs()) {
                var all = job.allocation();
                int at = domains.indexOf(homes.getOrDefault(job.id(), ""));
                if (all != null
                        && at >= 0
                        && (type == null
                                || all.configuration().acceleratorType().equals(type))) {
                    free[at] -= all.configuration().slots();
                }
            }
        }

        void add(Job job, boolean jobs) {
            int at = domains.indexOf(homes.getOrDefault(job.id(), ""));
            if (at < 0) {
                return;
            }
            int max = job.spec().elasticity().maxSlots();
            int minSlots = job.spec().elasticity().minCount().orElse(0);
            var allocation = job.allocation();
            if (jobs) {
                held[at] += allocation == null ? 0 : 1;
                (allocation == null ? waiting : running).add(new Claim(at, 1));
            } else if (allocation == null) {
                waiting.add(new Claim(at, minSlots));
                useful[at] += Math.min(max - minSlots, capacities[at]);
            } else {
                int slots = allocation.configuration().slots();
                int min = job.spec().preemptible() ? Math.min(minSlots, slots) : slots;
                running.add(new Claim(at, min));
                held[at] += slots;
                extra[at] += slots - min;
                useful[at] += Math.min(Math.max(0, max - slots), capacities[at]);
            }
        }

        /**
         * Returns this domain's portion of {@code total}. The minimum demand of a job is indivisible, because a part of
         * it is of no use to the job.
         */
        int portion(long total) {
            long[] given = new long[domains.size()];
            long[] remaining = free.clone();
            long left = total;
            for (Claim claim : running) {
                left -= give(claim, left, given);
            }
            List<Claim> later = new ArrayList<>();
            for (Claim claim : waiting) {
                if (claim.slots() <= remaining[claim.domain()]) {
                    long taken = give(claim, left, given);
                    remaining[claim.domain()] -= taken;
                    left -= taken;
                } else {
                    later.add(claim);
                }
            }
            for (Claim claim : later) {
                left -= give(claim, left, given);
            }
            long[] used = new long[useful.length];
            for (int i = 0; i < used.length; i++) {
                used[i] = Math.max(0, Math.min(useful[i], capacities[i] - given[i] - extra[i]));
            }
            return (int) (given[own] + Apportionment.of(left, List.of(extra, used), capacities)[own]);
        }

        /**
         * Returns the same, but at most the sum of the amount that the domain holds and the amount that no domain
         * holds.
         */
        int limit(long total) {
            long all = Arrays.stream(held).sum();
            return (int) Math.min(portion(total), held[own] + Math.max(0, total - all));
        }
    }

    private static long give(Claim claim, long left, long[] given) {
        if (claim.slots() > left) {
            return 0;
        }
        given[claim.domain()] += claim.slots();
        return claim.slots();
    }

    private long slotsIn(@Nullable String type, String domain) {
        return capacity.entrySet().stream()
                .filter(of -> type == null || of.getKey().equals(type))
                .mapToLong(of -> of.getValue().getOrDefault(domain, 0L))
                .sum();
    }

    /** Returns the tenants with this domain's portions of their quotas. */
    List<Tenant> tenants() {
        return problem.tenants().stream()
                .map(tenant -> {
                    Map<String, Quota> quotas = new HashMap<>();
                    tenant.quotas().forEach((type, quota) -> quotas.put(type, quota(tenant, type, quota)));
                    return new Tenant(tenant.name(), tenant.parent(), tenant.weight(), quotas);
                })
                .toList();
    }

    private Quota quota(Tenant tenant, String type, Quota quota) {
        Need need = need(type, false, job -> tree.isWithin(job.tenant(), tenant.name()) && concerns(job, type));
        boolean bounded = quota.borrowingLimit() != null;
        int max = bounded ? need.limit(quota.max()) : Integer.MAX_VALUE;
        int nominal = Math.min(max, need.portion(quota.nominal()));
        int retained = Math.min(nominal, need.portion(quota.notLendable()));
        return new Quota(
                nominal, bounded ? max - nominal : null, quota.lendingLimit() == null ? null : nominal - retained);
    }

    private static boolean concerns(Job job, String type) {
        return job.allocation() == null
                ? job.spec().elasticity().allowsType(type)
                        && job.spec().profile().acceleratorTypes().contains(type)
                : job.allocation().configuration().acceleratorType().equals(type);
    }

    /** Returns the groups with this domain's portions of their caps. */
    List<JobGroup> groups() {
        List<JobGroup> portions = new ArrayList<>();
        for (JobGroup group : problem.groups()) {
            Predicate<Job> named = job -> group.name().equals(job.spec().group());
            Integer slots = group.maxSlots();
            Integer jobs = group.maxJobs();
            portions.add(new JobGroup(
                    group.name(),
                    group.tenant(),
                    slots == null
                            ? null
                            : Integer.valueOf(need(null, false, named).limit(slots)),
                    jobs == null
                            ? null
                            : Integer.valueOf(need(null, true, named).limit(jobs))));
        }
        return portions;
    }

    private Need need(@Nullable String type, boolean jobs, Predicate<Job> whose) {
        Need need = new Need(type);
        problem.jobs().stream()
                .filter(whose)
                .sorted(Comparator.comparingInt(job -> -job.spec().priority()))
                .forEach(job -> need.add(job, jobs));
        return need;
    }
}
