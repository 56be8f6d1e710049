package dev.spur.model.whatif;

import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.Violation;
import java.util.ArrayList;
import java.util.List;

/** Applies lists of changes one after the other. */
public final class Changes {
    private Changes() {}

    /**
     * The result of a list of changes.
     *
     * @param problem the problem after every valid change
     * @param violations violations of the other changes, by JSON pointers that begin with {@code /changes}; empty if
     *     all changes were applied
     */
    public record Applied(RoundProblem problem, List<Violation> violations) {
        public Applied {
            violations = List.copyOf(violations);
        }
    }

    /** Applies the valid changes and reports the violations of the others. */
    public static Applied apply(RoundProblem problem, WithheldJobs withheldJobs, List<Change> changes) {
        RoundProblem changedProblem = problem;
        List<Violation> violations = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            String place = "/changes/" + i;
            try {
                changedProblem = changes.get(i).applyTo(changedProblem, withheldJobs);
            } catch (InvalidChangeException exception) {
                exception
                        .violations()
                        .forEach(one -> violations.add(
                                new Violation(ChangeValidator.RULE, place + one.subject(), one.message())));
            } catch (IllegalArgumentException exception) {
                String message = exception.getMessage();
                violations.add(new Violation(ChangeValidator.RULE, place, message == null ? "is invalid" : message));
            }
        }
        return new Applied(changedProblem, violations);
    }

    /**
     * Applies all changes.
     *
     * @throws IllegalArgumentException if a change is invalid
     */
    public static RoundProblem applyAll(RoundProblem problem, WithheldJobs withheldJobs, List<Change> changes) {
        RoundProblem changedProblem = problem;
        for (Change change : changes) {
            changedProblem = change.applyTo(changedProblem, withheldJobs);
        }
        return changedProblem;
    }
}
