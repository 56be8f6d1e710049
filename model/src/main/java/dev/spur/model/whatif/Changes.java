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
    public static Applied apply(RoundProblem problem, WithheldJobs held, List<Change> changes) {
        RoundProblem changed = problem;
        List<Violation> violations = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            String place = "/changes/" + i;
            try {
                changed = changes.get(i).applyTo(changed, held);
            } catch (InvalidChangeException all) {
                all.violations()
                        .forEach(one -> violations.add(
                                new Violation(ChangeValidator.RULE, place + one.subject(), one.message())));
            } catch (IllegalArgumentException invalid) {
                String message = invalid.getMessage();
                violations.add(new Violation(ChangeValidator.RULE, place, message == null ? "is invalid" : message));
            }
        }
        return new Applied(changed, violations);
    }

    /**
     * Applies all changes.
     *
     * @throws IllegalArgumentException if a change is invalid
     */
    public static RoundProblem applyAll(RoundProblem problem, WithheldJobs held, List<Change> changes) {
        RoundProblem changed = problem;
        for (Change change : changes) {
            changed = change.applyTo(changed, held);
        }
        return changed;
    }
}
