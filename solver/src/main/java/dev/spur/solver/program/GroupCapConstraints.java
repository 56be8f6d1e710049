package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.group.GroupCaps.Cap;
import java.util.function.ToLongFunction;

/** Constraints of group caps. */
final class GroupCapConstraints {
    private final CpModel program;
    private final CandidateSet candidates;
    private final CandidateVariables chosen;
    private int rows;

    GroupCapConstraints(CpModel program, CandidateSet candidates, CandidateVariables chosen) {
        this.program = program;
        this.candidates = candidates;
        this.chosen = chosen;
    }

    /** Adds the constraints and returns their number. */
    int add() {
        candidates.groups().all().forEach(this::groupsStayWithinTheirCaps);
        return rows;
    }

    /**
     * For each group: slots of its chosen jobs <= maximum slots, and number of its chosen jobs <= maximum running jobs.
     */
    private void groupsStayWithinTheirCaps(Cap cap) {
        atMost(cap, cap.slots(), Candidate::slots);
        atMost(cap, cap.jobs(), candidate -> 1);
    }

    private void atMost(Cap cap, long most, ToLongFunction<Candidate> amount) {
        if (most < GroupCaps.NO_LIMIT) {
            LinearExprBuilder sum = LinearExpr.newBuilder();
            chosen.addTo(
                    sum,
                    c -> cap.equals(candidates
                            .groups()
                            .of(candidates.job(candidates.get(c).job()))),
                    amount);
            program.addLessOrEqual(sum, most);
            rows++;
        }
    }
}
