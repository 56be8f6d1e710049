package dev.spur.solver.relaxation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Factory of the subproblems: nodes, and jobs. Jobs of a tenant with local quotas form one subproblem. Otherwise, jobs
 * of a group with a local cap form one. All other jobs are independent and form groups of about equal size.
 */
final class SubproblemFactory {
    private SubproblemFactory() {}

    static List<Subproblem> of(CouplingConstraints constraints) {
        List<Subproblem> subproblems =
                new ArrayList<>(constraints.patternCapacity().blocks());
        List<Integer> free = new ArrayList<>();
        SubproblemPartition.byTenant(constraints.candidates()).forEach((tenant, jobs) -> {
            List<LocalQuota> ownQuotas = constraints.privateQuotas(tenant);
            if (ownQuotas.isEmpty()) {
                addByCap(constraints, jobs, subproblems, free);
            } else {
                addTogether(constraints, jobs, ownQuotas, subproblems, free);
            }
        });
        SubproblemPartition.dealt(free, constraints.candidates().size())
                .forEach(group -> subproblems.add(new IndependentJobsSubproblem(constraints, group)));
        return subproblems;
    }

    private static void addByCap(
            CouplingConstraints constraints, List<Integer> jobs, List<Subproblem> subproblems, List<Integer> free) {
        Map<LocalCap, List<Integer>> capped = new LinkedHashMap<>();
        for (int j : jobs) {
            LocalCap cap = constraints.privateCap(j);
            if (cap == null) {
                free.add(j);
            } else {
                capped.computeIfAbsent(cap, c -> new ArrayList<>()).add(j);
            }
        }
        capped.values().forEach(together -> addTogether(constraints, together, List.of(), subproblems, free));
    }

    /** Adds one subproblem of the jobs; if it would have too many states, adds the jobs to {@code free}. */
    private static void addTogether(
            CouplingConstraints constraints,
            List<Integer> jobs,
            List<LocalQuota> ownQuotas,
            List<Subproblem> subproblems,
            List<Integer> free) {
        KnapsackSubproblem.of(
                        constraints, jobs.stream().mapToInt(Integer::intValue).toArray(), ownQuotas)
                .ifPresentOrElse(subproblems::add, () -> free.addAll(jobs));
    }
}
