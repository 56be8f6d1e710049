package dev.spur.model.round.change;

import dev.spur.model.Checks;
import dev.spur.model.preparation.Preparation;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.stream.Stream;

/**
 * A job that prepares data and is held back is offered again.
 *
 * @param preparation its id
 */
public record ReleasePreparation(String preparation) implements Change {
    public ReleasePreparation {
        Checks.named("preparation", preparation);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, HeldBack held) {
        List<Preparation> released = held.preparations().stream()
                .filter(other -> other.id().equals(preparation))
                .filter(other -> !Named.has(problem.preparations(), Preparation::id, preparation))
                .toList();
        new Fit(problem, held)
                .require(!released.isEmpty(), "/preparation", "preparation %s is not held", preparation)
                .demand();
        return problem.withPreparations(Stream.concat(problem.preparations().stream(), released.stream())
                .toList());
    }

    @Override
    public String words() {
        return "release preparation " + preparation;
    }
}
