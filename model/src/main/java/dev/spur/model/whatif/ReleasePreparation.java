package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.stream.Stream;

/**
 * The release of a withheld data preparation to the scheduler.
 *
 * @param preparation its id
 */
public record ReleasePreparation(String preparation) implements Change {
    public ReleasePreparation {
        Checks.named("preparation", preparation);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        List<Preparation> released = held.preparations().stream()
                .filter(other -> other.id().equals(preparation))
                .filter(other -> !NamedLists.has(problem.preparations(), Preparation::id, preparation))
                .toList();
        new ChangeValidator(problem, held)
                .require(
                        !released.isEmpty(),
                        "/preparation",
                        "preparation %s is not withheld from scheduling",
                        preparation)
                .throwIfInvalid();
        return problem.withPreparations(Stream.concat(problem.preparations().stream(), released.stream())
                .toList());
    }

    @Override
    public String describe() {
        return "release preparation " + preparation;
    }
}
