package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Variables {@code x[job,configuration]}: one per candidate of an open job, 1 if it is chosen. Candidates of fixed jobs
 * are constants.
 */
final class CandidateVariables {
    private final CandidateSet candidates;
    private final VariableFixing scope;
    private final @Nullable BoolVar[] chosen;

    CandidateVariables(CpModel program, CandidateSet candidates, VariableFixing scope) {
        this.candidates = candidates;
        this.scope = scope;
        chosen = new BoolVar[candidates.size()];
        for (int c : scope.live()) {
            if (scope.isOpen(candidates.get(c).job())) {
                chosen[c] = program.newBoolVar(name(candidates.get(c)));
            }
        }
    }

    private String name(Candidate candidate) {
        Job job = candidates.job(candidate.job());
        return "x[" + job.id() + (candidate.kept() ? ",kept," : ",") + candidate.configuration() + "]";
    }

    /** Returns the variable of {@code candidate}, which must be allowed and belong to an open job. */
    BoolVar get(int candidate) {
        BoolVar variable = chosen[candidate];
        if (variable == null) {
            throw new IllegalArgumentException("candidate %d is not open".formatted(candidate));
        }
        return variable;
    }

    /** Returns whether the program may choose the candidate. */
    boolean isOpen(int candidate) {
        return chosen[candidate] != null;
    }

    /** Returns whether the candidate is the fixed choice of its job. */
    boolean isSettled(int candidate) {
        int j = candidates.get(candidate).job();
        return !scope.isOpen(j) && scope.settled(j) == candidate;
    }

    /** Returns the variables of job {@code j}; empty for a fixed job. */
    Literal[] of(int j) {
        List<Literal> literals = new ArrayList<>();
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            if (isOpen(c)) {
                literals.add(get(c));
            }
        }
        return literals.toArray(Literal[]::new);
    }

    /** Returns the fixed and the open candidates. */
    int[] live() {
        return scope.live();
    }

    /**
     * Returns the sum, over all candidates that {@code counts} accepts, of their amounts. Amounts of 0 are left out.
     */
    LinearExpr sum(IntPredicate counts, ToLongFunction<Candidate> amount) {
        LinearExprBuilder sum = LinearExpr.newBuilder();
        addTo(sum, counts, amount);
        return sum.build();
    }

    /** Adds the same sum to {@code sum}. */
    void addTo(LinearExprBuilder sum, IntPredicate counts, ToLongFunction<Candidate> amount) {
        long constant = 0;
        for (int c : scope.live()) {
            if (counts.test(c)) {
                long taken = amount.applyAsLong(candidates.get(c));
                if (chosen[c] == null) {
                    constant += taken;
                } else if (taken != 0) {
                    sum.addTerm(chosen[c], taken);
                }
            }
        }
        sum.add(constant);
    }
}
