package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.group.GroupUsage;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Group caps: for each group, the sum of {@code units(c) * x[c]} over its jobs is at most the remaining slots, and the
 * sum of {@code x[c]} at most the remaining number of running jobs.
 */
final class GroupCapConstraints {
    private GroupCapConstraints() {}

    /** Adds the rows of the groups with open candidates. */
    static void groupsStayWithinTheirCaps(CpModel model, VariableFixing fixing, CandidateVariables variables) {
        CandidateSet candidates = fixing.candidates();
        Map<GroupCaps.Cap, LinearExprBuilder> slots = new LinkedHashMap<>();
        Map<GroupCaps.Cap, LinearExprBuilder> jobs = new LinkedHashMap<>();
        variables.forEach((candidate, chosen) -> {
            GroupCaps.Cap cap = candidates.groups().of(candidates.job(candidate.job()));
            if (cap != null) {
                slots.computeIfAbsent(cap, k -> LinearExpr.newBuilder()).addTerm(chosen, candidates.units(candidate));
                jobs.computeIfAbsent(cap, k -> LinearExpr.newBuilder()).addTerm(chosen, 1);
            }
        });
        GroupUsage use = fixing.residual().groups();
        slots.forEach((cap, sum) -> atMost(model, sum, use.slotsLeft(cap)));
        jobs.forEach((cap, sum) -> atMost(model, sum, use.jobsLeft(cap)));
    }

    private static void atMost(CpModel model, LinearExprBuilder sum, long left) {
        if (left < GroupCaps.NO_LIMIT) {
            RoundConstraint.GROUP_CAPS.nameRow(model.addLessOrEqual(sum, left));
        }
    }
}
