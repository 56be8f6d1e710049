package dev.spur.model.round.change;

import dev.spur.model.Checks;
import dev.spur.model.preparation.Preparation;
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
    public RoundProblem applyTo(RoundProblem problem, HeldBack held) {
        new Fit(problem, held).preparation(preparation).demand();
        return problem.withPreparations(Named.without(problem.preparations(), Preparation::id, preparation));
    }

    @Override
    public String words() {
        return "remove preparation " + preparation;
    }
}
