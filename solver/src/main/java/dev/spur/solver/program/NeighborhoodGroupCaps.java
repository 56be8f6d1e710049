package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.placement.ResidualCluster;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Constraints of group caps in a neighborhood, less the use of fixed jobs. Groups without open candidates have no
 * constraint.
 */
final class NeighborhoodGroupCaps {
    private NeighborhoodGroupCaps() {}

    /**
     * For each group: slots of chosen jobs <= remaining slots, and number of chosen jobs <= remaining running jobs.
     *
     * @param room residual cluster without the fixed jobs
     * @param chosen variable by open candidate
     */
    static void add(
            CpModel program, CandidateSet candidates, ResidualCluster room, Map<Integer, ? extends IntVar> chosen) {
        Map<GroupCaps.Cap, LinearExprBuilder> slots = new LinkedHashMap<>();
        Map<GroupCaps.Cap, LinearExprBuilder> jobs = new LinkedHashMap<>();
        chosen.forEach((c, x) -> {
            Candidate candidate = candidates.get(c);
            GroupCaps.Cap cap = candidates.groups().of(candidates.job(candidate.job()));
            if (cap != null) {
                slots.computeIfAbsent(cap, k -> LinearExpr.newBuilder()).addTerm(x, candidate.slots());
                jobs.computeIfAbsent(cap, k -> LinearExpr.newBuilder()).addTerm(x, 1);
            }
        });
        slots.forEach(
                (cap, sum) -> atMost(program, sum, cap.slots(), room.groups().slots(cap.name())));
        jobs.forEach(
                (cap, sum) -> atMost(program, sum, cap.jobs(), room.groups().jobs(cap.name())));
    }

    private static void atMost(CpModel program, LinearExprBuilder sum, long most, long taken) {
        if (most < GroupCaps.NO_LIMIT) {
            program.addLessOrEqual(sum, most - taken);
        }
    }
}
