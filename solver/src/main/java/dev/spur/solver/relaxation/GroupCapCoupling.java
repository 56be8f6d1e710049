package dev.spur.solver.relaxation;

import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.group.GroupCaps.Cap;
import dev.spur.solver.resource.ResourceKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Coupling constraints of group caps. For each group, slots of its jobs <= maximum slots, and running jobs <= maximum
 * running jobs.
 */
final class GroupCapCoupling {
    private final CandidateSet candidates;
    private final Predicate<String> blocks;
    /** Caps of groups whose jobs all belong to one tenant. Only such a cap can be enforced by a subproblem. */
    private final Set<Cap> tenantCaps = new HashSet<>();

    private final Map<Cap, Integer> slotsRow = new HashMap<>();
    private final Map<Cap, Integer> jobsRow = new HashMap<>();

    /** @param blocks true for tenants whose caps subproblems enforce */
    GroupCapCoupling(CandidateSet candidates, Predicate<String> blocks, ConstraintList constraints) {
        this.candidates = candidates;
        this.blocks = blocks;
        for (Cap cap : candidates.groups().all()) {
            if (cap.slots() < GroupCaps.NO_LIMIT) {
                slotsRow.put(cap, constraints.add(new ResourceKey.GroupSlots(cap.name()), (double) cap.slots()));
            }
            if (cap.jobs() < GroupCaps.NO_LIMIT) {
                jobsRow.put(cap, constraints.add(new ResourceKey.GroupJobs(cap.name()), (double) cap.jobs()));
            }
        }
        Map<Cap, Set<String>> tenants = new HashMap<>();
        for (Job job : candidates.problem().jobs()) {
            Cap cap = candidates.groups().of(job);
            if (cap != null && (slotsRow.containsKey(cap) || jobsRow.containsKey(cap))) {
                tenants.computeIfAbsent(cap, any -> new HashSet<>()).add(job.tenant());
            }
        }
        tenants.forEach((cap, of) -> {
            if (of.size() == 1) {
                tenantCaps.add(cap);
            }
        });
    }

    /** Returns the cap that a subproblem enforces for job {@code j}; null if there is none, or if it has a price. */
    @Nullable
    LocalCap privateCap(int j) {
        Cap cap = candidates.groups().of(candidates.job(j));
        return cap == null
                        || !tenantCaps.contains(cap)
                        || !blocks.test(candidates.job(j).tenant())
                ? null
                : new LocalCap(
                        cap.name(),
                        slotsRow.getOrDefault(cap, -1),
                        jobsRow.getOrDefault(cap, -1),
                        cap.slots(),
                        cap.jobs());
    }

    /** Returns whether some cap binds only jobs of one tenant. */
    boolean someArePrivate() {
        return !tenantCaps.isEmpty();
    }

    /** Returns the rows of the maximum numbers of running jobs. */
    List<Integer> jobsRows() {
        return List.copyOf(jobsRow.values());
    }

    /** Adds the use of the group's caps by {@code candidate}. */
    void addEntries(Candidate candidate, SparseMatrixBuilder matrix) {
        Cap cap = candidates.groups().of(candidates.job(candidate.job()));
        if (cap == null) {
            return;
        }
        Integer slots = slotsRow.get(cap);
        if (slots != null) {
            matrix.add(slots, candidates.units(candidate));
        }
        Integer jobs = jobsRow.get(cap);
        if (jobs != null) {
            matrix.add(jobs, 1);
        }
    }
}
