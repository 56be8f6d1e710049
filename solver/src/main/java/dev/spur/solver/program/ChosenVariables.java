package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;

/** One variable per candidate, 1 if it is chosen, named {@code x[job,configuration]}. */
final class ChosenVariables {
    private final CandidateSet candidates;
    private final BoolVar[] chosen;

    ChosenVariables(CpModel program, CandidateSet candidates) {
        this.candidates = candidates;
        chosen = new BoolVar[candidates.size()];
        for (int c = 0; c < chosen.length; c++) {
            chosen[c] = program.newBoolVar(name(candidates.get(c)));
        }
    }

    private String name(Candidate candidate) {
        Job job = candidates.job(candidate.job());
        return "x[%s,%s%s]".formatted(job.id(), candidate.kept() ? "kept " : "", candidate.configuration());
    }

    BoolVar get(int candidate) {
        return chosen[candidate];
    }

    /** The variables of job {@code j}. */
    Literal[] of(int j) {
        Literal[] literals = new Literal[candidates.end(j) - candidates.first(j)];
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            literals[c - candidates.first(j)] = chosen[c];
        }
        return literals;
    }

    /** Sum over all candidates that {@code counts} of the amount each takes. Amounts of 0 are left out. */
    LinearExpr sum(IntPredicate counts, ToLongFunction<Candidate> amount) {
        LinearExprBuilder sum = LinearExpr.newBuilder();
        addTo(sum, counts, amount);
        return sum.build();
    }

    /** Adds the same sum to {@code sum}. */
    void addTo(LinearExprBuilder sum, IntPredicate counts, ToLongFunction<Candidate> amount) {
        for (int c = 0; c < chosen.length; c++) {
            if (counts.test(c)) {
                long taken = amount.applyAsLong(candidates.get(c));
                if (taken != 0) {
                    sum.addTerm(chosen[c], taken);
                }
            }
        }
    }
}
