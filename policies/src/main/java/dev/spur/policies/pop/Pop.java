package dev.spur.policies.pop;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.Job;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.group.GroupUsage;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import dev.spur.solver.quota.QuotaSystem;
import dev.spur.solver.quota.QuotaUsage;
import dev.spur.solver.resource.RestartLimit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * POP: partitions the cluster and the jobs into equal parts, plans each part by another policy, and merges the results.
 * It is faster than the whole problem, but misses trades between parts. The parts are planned in parallel and share the
 * budget.
 *
 * <p>Source: Narayanan et al., Solving Large-Scale Granular Resource Allocation Problems Efficiently with POP, SOSP
 * '21.
 */
public final class Pop implements Policy {
    private final Policy policy;
    private final int parts;

    /**
     * @param policy policy of each part
     * @param parts number of parts, at least 1
     */
    public Pop(Policy policy, int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("parts (%d) must be at least 1".formatted(parts));
        }
        this.policy = policy;
        this.parts = parts;
    }

    @Override
    public String name() {
        return "pop%d-%s".formatted(parts, policy.name());
    }

    @Override
    public boolean changesOnlyWithEvents() {
        return policy.changesOnlyWithEvents();
    }

    @Override
    public Decision decide(RoundProblem problem) {
        List<Decision> decisions =
                PopParts.of(problem, parts).parallelStream().map(policy::decide).toList();
        Map<String, Allocation> joinedAllocations = new HashMap<>();
        decisions.forEach(decision -> joinedAllocations.putAll(decision.allocations()));
        Map<String, Allocation> allowed = withinLimits(problem, joinedAllocations);
        return Decision.of(problem, withinRestarts(problem, allowed), memory(problem, decisions));
    }

    /**
     * Returns {@code allocations}, unless the parts together stop, move or resize more jobs than one round may restart.
     */
    private static Map<String, Allocation> withinRestarts(RoundProblem problem, Map<String, Allocation> allocations) {
        if (problem.settings().maxRestarts() == null) {
            return allocations;
        }
        CandidateSet candidates = CandidateGenerator.generate(problem);
        RestartLimit limit = RestartLimit.of(candidates);
        int restarts = limit.restarts(j -> allocations.get(candidates.job(j).id()));
        return restarts > limit.limit() ? fill(candidates) : allocations;
    }

    private static boolean keeps(Job job, @Nullable Allocation allocation) {
        return job.allocation() != null && allocation != null && allocation.sameRunAs(job.allocation());
    }

    /**
     * Returns the running jobs that can stay, and the pending ones that fit; the fallback when the merged plan is
     * infeasible.
     */
    private static Map<String, Allocation> fill(CandidateSet candidates) {
        Map<String, Allocation> retained = new HashMap<>();
        Placer.place(candidates, GreedyFill.fill(candidates))
                .allocations()
                .forEach((j, heldAllocation) -> retained.put(candidates.job(j).id(), heldAllocation));
        return retained;
    }

    /**
     * Returns the jobs that quotas and caps of the whole cluster allow together: parts do not see the loans of other
     * parts. Pinned jobs have priority, then jobs that keep their allocation.
     */
    private static Map<String, Allocation> withinLimits(
            RoundProblem problem, Map<String, Allocation> joinedAllocations) {
        QuotaSystem quotas = new QuotaSystem(problem);
        QuotaUsage usage = new QuotaUsage(quotas);
        GroupCaps caps = new GroupCaps(problem);
        GroupUsage groups = new GroupUsage(caps);
        Map<String, Allocation> allowed = new HashMap<>();
        JobPins pins = JobPins.of(problem);
        problem.jobs().stream()
                .filter(job -> joinedAllocations.containsKey(job.id()))
                .sorted(Comparator.comparing((Job job) -> !pins.isPinned(job))
                        .thenComparing(job -> !keeps(job, joinedAllocations.get(job.id()))))
                .forEach(job -> {
                    Allocation allocation = Objects.requireNonNull(joinedAllocations.get(job.id()));
                    Configuration configuration = allocation.configuration();
                    int account = quotas.accountOf(job.tenant(), configuration.acceleratorType());
                    int units = quotas.units().of(job, configuration);
                    if (usage.blocking(account, units) < 0 && groups.allows(caps.of(job), units)) {
                        groups.add(caps.of(job), units, 1);
                        usage.add(account, units);
                        allowed.put(job.id(), allocation);
                    }
                });
        return allowed;
    }

    /** Returns the mean prices over the parts that have them; counters of the part that changed them. */
    private static RoundMemory memory(RoundProblem problem, List<Decision> decisions) {
        Map<String, Double> counters = new HashMap<>(problem.memory().counters());
        Map<String, Double> sums = new HashMap<>();
        Map<String, Integer> named = new HashMap<>();
        for (Decision decision : decisions) {
            decision.memory().duals().forEach((resource, price) -> {
                sums.merge(resource, price, Double::sum);
                named.merge(resource, 1, Integer::sum);
            });
            decision.memory().counters().forEach((name, value) -> {
                if (!value.equals(problem.memory().counters().get(name))) {
                    counters.put(name, value);
                }
            });
        }
        sums.replaceAll((resource, sum) -> sum / named.getOrDefault(resource, 1));
        return new RoundMemory(sums, counters);
    }
}
