package dev.spur.solver.pricing;

import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.group.GroupCaps.Cap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * States the caps of groups as rows: slots of a group's jobs <= slots it may hold, and its jobs that run <= jobs it may
 * run.
 */
final class GroupCapCoupling {
    private final CandidateSet candidates;
    private final Predicate<String> blocks;
    /**
     * Caps of groups whose jobs are all of one tenant: what others decide together can keep to no cap that they share.
     */
    private final Set<Cap> ofOneTenant = new HashSet<>();

    private final Map<Cap, Integer> slotsRow = new HashMap<>();
    private final Map<Cap, Integer> jobsRow = new HashMap<>();

    /** @param blocks true for tenants whose caps are left to blocks */
    GroupCapCoupling(CandidateSet candidates, Predicate<String> blocks, ConstraintList rows) {
        this.candidates = candidates;
        this.blocks = blocks;
        for (Cap cap : candidates.groups().all()) {
            if (cap.slots() < GroupCaps.NO_LIMIT) {
                slotsRow.put(cap, rows.add(cap.slotsResource(), (double) cap.slots()));
            }
            if (cap.jobs() < GroupCaps.NO_LIMIT) {
                jobsRow.put(cap, rows.add(cap.jobsResource(), (double) cap.jobs()));
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
                ofOneTenant.add(cap);
            }
        });
    }

    /**
     * The cap that a block of the jobs of its group is to keep for job {@code j}; null if there is none, or it is
     * priced.
     */
    @Nullable
    LocalCap privateCap(int j) {
        Cap cap = candidates.groups().of(candidates.job(j));
        return cap == null
                        || !ofOneTenant.contains(cap)
                        || !blocks.test(candidates.job(j).tenant())
                ? null
                : new LocalCap(
                        cap.name(),
                        slotsRow.getOrDefault(cap, -1),
                        jobsRow.getOrDefault(cap, -1),
                        cap.slots(),
                        cap.jobs());
    }

    /** True if some cap binds jobs of one tenant alone. */
    boolean someArePrivate() {
        return !ofOneTenant.isEmpty();
    }

    /** Adds what {@code candidate} takes of the caps of its job's group. */
    void addEntries(Candidate candidate, SparseMatrixBuilder entries) {
        Cap cap = candidates.groups().of(candidates.job(candidate.job()));
        if (cap == null) {
            return;
        }
        Integer slots = slotsRow.get(cap);
        if (slots != null) {
            entries.add(slots, candidate.slots());
        }
        Integer jobs = jobsRow.get(cap);
        if (jobs != null) {
            entries.add(jobs, 1);
        }
    }
}
