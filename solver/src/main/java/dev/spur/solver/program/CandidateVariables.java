package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Variables {@code x[c]}: one for each candidate c of an open job, 1 if it is chosen. */
final class CandidateVariables {
    /** Consumer of the variable of a candidate. */
    interface Consumer {
        void accept(Candidate candidate, BoolVar variable);
    }

    private final CandidateSet candidates;
    private final Map<Integer, BoolVar> variables = new LinkedHashMap<>();

    CandidateVariables(CpModel model, VariableFixing fixing) {
        this.candidates = fixing.candidates();
        for (int[] own : fixing.open().values()) {
            for (int c : own) {
                variables.put(c, model.newBoolVar("x[" + c + "]"));
            }
        }
    }

    /** Returns whether candidate {@code c} is open. */
    boolean isOpen(int c) {
        return variables.containsKey(c);
    }

    /** Returns the variable of the open candidate {@code c}. */
    BoolVar get(int c) {
        return Objects.requireNonNull(variables.get(c), "the candidate is not open");
    }

    /** Returns the variables by open candidate. */
    Map<Integer, BoolVar> all() {
        return Collections.unmodifiableMap(variables);
    }

    /** Passes each open candidate with its variable to {@code consumer}. */
    void forEach(Consumer consumer) {
        variables.forEach((c, x) -> consumer.accept(candidates.get(c), x));
    }
}
