package dev.spur.model.whatif;

import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.Violation;
import java.util.ArrayList;
import java.util.List;

/** Lists of changes, applied one after the other. */
public final class Changes {
    private Changes() {}

    /**
     * What came out of a list of changes.
     *
     * @param problem the problem after every change that could be made
     * @param misfits why changes could not be made, by JSON pointers that begin with {@code /changes}; empty if all
     *     were made
     */
    public record Applied(RoundProblem problem, List<Violation> misfits) {
        public Applied {
            misfits = List.copyOf(misfits);
        }
    }

    /** Applies what fits and tells what does not. */
    public static Applied apply(RoundProblem problem, WithheldJobs held, List<Change> changes) {
        RoundProblem changed = problem;
        List<Violation> misfits = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            String place = "/changes/" + i;
            try {
                changed = changes.get(i).applyTo(changed, held);
            } catch (InvalidChangeException all) {
                all.found()
                        .forEach(one ->
                                misfits.add(new Violation(ChangeValidator.RULE, place + one.subject(), one.message())));
            } catch (IllegalArgumentException misfit) {
                String message = misfit.getMessage();
                misfits.add(new Violation(ChangeValidator.RULE, place, message == null ? "does not fit" : message));
            }
        }
        return new Applied(changed, misfits);
    }

    /** @throws IllegalArgumentException if a change does not fit */
    public static RoundProblem applyAll(RoundProblem problem, WithheldJobs held, List<Change> changes) {
        RoundProblem changed = problem;
        for (Change change : changes) {
            changed = change.applyTo(changed, held);
        }
        return changed;
    }
}
