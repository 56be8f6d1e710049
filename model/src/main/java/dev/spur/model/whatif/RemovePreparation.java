package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.round.RoundProblem;

/**
 * The removal of a data preparation. Jobs that depend on it continue to wait; {@link ReleaseHold} releases them.
 *
 * @param preparation its id
 */
public record RemovePreparation(String preparation) implements Change {
    public RemovePreparation {
        Checks.named("preparation", preparation);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        new ChangeValidator(problem, held).preparation(preparation).throwIfInvalid();
        return problem.withPreparations(NamedLists.without(problem.preparations(), Preparation::id, preparation));
    }

    @Override
    public String describe() {
        return "remove preparation " + preparation;
    }
}
