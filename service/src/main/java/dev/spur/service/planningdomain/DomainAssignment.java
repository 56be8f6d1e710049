package dev.spur.service.planningdomain;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.settings.PlanningDomain;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Assignment of jobs without slots to planning domains.
 *
 * <p>The load of a domain for a job is a quotient. Its numerator is the minimum demand of all jobs of the domain, for
 * the types on which the job may run. Its denominator is the number of slots of these types.
 *
 * <p>A new job is assigned to the domain with the lowest load including the job. A pending job leaves a domain with a
 * load above 1, where not all jobs can run. It moves to a domain whose load including it is at most 1, so that it does
 * not move straight back. The newest jobs move first.
 */
final class DomainAssignment {
    /** Slots of one type in one domain. */
    private static final class Slots {
        private long capacity;
        private double requested;
        /** The largest number of slots in a pool: the maximum that one job can get. */
        private final Map<String, Long> byPool = new HashMap<>();
    }

    private final Map<String, String> domainOfPool;
    private final Map<String, Map<String, Slots>> slots = new TreeMap<>();

    private DomainAssignment(RoundProblem problem, Map<String, String> domainOfPool) {
        this.domainOfPool = domainOfPool;
        slots.put(PlanningDomain.DEFAULT, new HashMap<>());
        for (Node node : problem.nodes()) {
            String type = node.acceleratorType();
            if (type != null && node.state() == NodeState.ACTIVE) {
                Slots of = slots(domain(node.pool()), type);
                of.capacity += node.slots();
                of.byPool.merge(node.pool(), (long) node.slots(), Long::sum);
            }
        }
    }

    /**
     * Returns the jobs of {@code problem} that must move to another domain or have no domain yet.
     *
     * @param domainOfPool the domain of each pool
     * @param now the domain of each assigned job
     * @return the new domain of each of these jobs
     */
    static Map<String, String> changes(
            RoundProblem problem, Map<String, String> domainOfPool, Map<String, String> now) {
        DomainAssignment assignment = new DomainAssignment(problem, domainOfPool);
        for (Job job : problem.jobs()) {
            String home = now.get(job.id());
            if (home != null) {
                assignment.addDemand(job, home, 1);
            }
        }
        Map<String, String> changes = new HashMap<>();
        for (Job job : problem.jobs()) {
            String home = now.get(job.id());
            if (job.allocation() == null && (home == null || !assignment.canRun(job, home))) {
                assignment.place(job, home, changes);
            }
        }
        List<Job> newest = new ArrayList<>(problem.jobs());
        Collections.reverse(newest);
        for (Job job : newest) {
            String home = now.get(job.id());
            if (job.allocation() == null && home != null && !changes.containsKey(job.id())) {
                assignment.moveAway(job, home, changes);
            }
        }
        return bySubmission(problem, changes);
    }

    /** Sorts the changes. Rows of jobs are always locked in this order. */
    private static Map<String, String> bySubmission(RoundProblem problem, Map<String, String> changes) {
        Map<String, String> ordered = new LinkedHashMap<>();
        problem.jobs().stream()
                .filter(job -> changes.containsKey(job.id()))
                .forEach(job -> ordered.put(job.id(), changes.get(job.id())));
        return ordered;
    }

    private void place(Job job, @Nullable String home, Map<String, String> changes) {
        Optional<String> best = slots.keySet().stream()
                .filter(domain -> canRun(job, domain))
                .min(Comparator.comparingDouble(domain -> load(job, domain, true)));
        String to = best.orElseGet(() -> home != null ? home : nearest(job));
        if (!to.equals(home)) {
            if (home != null) {
                addDemand(job, home, -1);
            }
            addDemand(job, to, 1);
            changes.put(job.id(), to);
        }
    }

    private void moveAway(Job job, String home, Map<String, String> changes) {
        if (load(job, home, false) <= 1) {
            return;
        }
        slots.keySet().stream()
                .filter(domain -> !domain.equals(home) && canRun(job, domain) && load(job, domain, true) <= 1)
                .min(Comparator.comparingDouble(domain -> load(job, domain, true)))
                .ifPresent(to -> {
                    addDemand(job, home, -1);
                    addDemand(job, to, 1);
                    changes.put(job.id(), to);
                });
    }

    /**
     * Returns the domain of a job that fits nowhere: one with a pool that the job names, whose planner can report the
     * missing resources.
     */
    private String nearest(Job job) {
        return job.spec().elasticity().pools().stream()
                .filter(domainOfPool::containsKey)
                .map(this::domain)
                .findFirst()
                .orElse(PlanningDomain.DEFAULT);
    }

    private boolean canRun(Job job, String domain) {
        int minSlots = minSlots(job);
        Elasticity requested = job.spec().elasticity();
        return types(job).stream()
                .map(type -> slots.getOrDefault(domain, Map.of()).get(type))
                .anyMatch(of -> of != null
                        && of.byPool.entrySet().stream()
                                .anyMatch(pool -> requested.allowsPool(pool.getKey()) && pool.getValue() >= minSlots));
    }

    private double load(Job job, String domain, boolean coming) {
        double capacity = 0;
        double requested = coming ? minSlots(job) : 0;
        for (String type : types(job)) {
            Slots of = slots.getOrDefault(domain, Map.of()).get(type);
            capacity += of == null ? 0 : of.capacity;
            requested += of == null ? 0 : of.requested;
        }
        return capacity == 0 ? Double.POSITIVE_INFINITY : requested / capacity;
    }

    /** Adds the demand of a pending job: an equal part of its slots for each type on which it may run in the domain. */
    private void addDemand(Job job, String domain, int sign) {
        var held = job.allocation();
        if (held != null) {
            slots(domain, held.configuration().acceleratorType()).requested +=
                    sign * held.configuration().slots();
            return;
        }
        Map<String, Slots> of = slots.getOrDefault(domain, Map.of());
        Set<String> types = new HashSet<>(types(job));
        types.retainAll(of.keySet());
        types.forEach(type -> slots(domain, type).requested += sign * minSlots(job) / (double) types.size());
    }

    private Slots slots(String domain, String type) {
        return slots.computeIfAbsent(domain, name -> new HashMap<>()).computeIfAbsent(type, name -> new Slots());
    }

    private String domain(String pool) {
        return domainOfPool.getOrDefault(pool, PlanningDomain.DEFAULT);
    }

    private static int minSlots(Job job) {
        return job.spec().elasticity().minCount().orElse(1);
    }

    private static Collection<String> types(Job job) {
        return job.spec().profile().acceleratorTypes().stream()
                .filter(job.spec().elasticity()::allowsType)
                .collect(Collectors.toSet());
    }
}
