package dev.spur.solver.pricing;

import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.group.GroupCaps.Cap;
import java.util.HashMap;
import java.util.Map;

/** States the caps of groups as rows: slots of a group's jobs <= slots it may hold, and its jobs that run <= jobs it may run. */
final class CapRows {
    private final CandidateSet candidates;
    private final Map<Cap, Integer> slotsRow = new HashMap<>();
    private final Map<Cap, Integer> jobsRow = new HashMap<>();

    CapRows(CandidateSet candidates, RowList rows) {
        this.candidates = candidates;
        for (Cap cap : candidates.groups().all()) {
            if (cap.slots() < GroupCaps.NO_LIMIT) {
                slotsRow.put(cap, rows.add(cap.slotsResource(), (double) cap.slots()));
            }
            if (cap.jobs() < GroupCaps.NO_LIMIT) {
                jobsRow.put(cap, rows.add(cap.jobsResource(), (double) cap.jobs()));
            }
        }
    }

    /** Adds what {@code candidate} takes of the caps of its job's group. */
    void addEntries(Candidate candidate, Entries entries) {
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
