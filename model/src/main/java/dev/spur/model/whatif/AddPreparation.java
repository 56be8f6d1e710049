package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.round.RoundProblem;
import java.util.ArrayList;
import java.util.List;

/**
 * A new data preparation that arrives at the time of the problem.
 *
 * @param preparation id that no other preparation and no job has
 * @param tenant name of its tenant
 * @param spec its specification
 */
public record AddPreparation(String preparation, String tenant, PreparationSpec spec) implements Change {
    public AddPreparation {
        Checks.nonBlank("preparation", preparation);
        Checks.nonBlank("tenant", tenant);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        new ChangeValidator(problem, withheldJobs)
                .isNew("preparation", preparation)
                .tenant(tenant)
                .throwIfInvalid();
        List<Preparation> all = new ArrayList<>(problem.preparations());
        all.add(Preparation.of(preparation, tenant, problem.now(), spec, spec.seconds(), null));
        return problem.withPreparations(all);
    }

    @Override
    public String describe() {
        return "add preparation %s of tenant %s".formatted(preparation, tenant);
    }
}
