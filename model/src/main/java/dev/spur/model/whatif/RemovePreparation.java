package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.round.RoundProblem;

/**
 * One job that prepares data less. Jobs that await it go on waiting: {@link ReleaseHold} lets them go.
 *
 * @param preparation its id
 */
public record RemovePreparation(String preparation) implements Change {
    public RemovePreparation {
        Checks.named("preparation", preparation);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        new ChangeValidator(problem, held).preparation(preparation).demand();
        return problem.withPreparations(NamedLists.without(problem.preparations(), Preparation::id, preparation));
    }

    @Override
    public String words() {
        return "remove preparation " + preparation;
    }
}
