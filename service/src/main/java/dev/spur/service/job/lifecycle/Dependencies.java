package dev.spur.service.job.lifecycle;

import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.dataprep.PreparationState;
import dev.spur.service.dataprep.PreparationStore;
import dev.spur.service.dataprep.PreparationStore.PreparationDependencies;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Preparations that a job depends on. Preparations have no dependencies, so there are no cycles. A failed or canceled
 * preparation still blocks the job, because its data do not exist.
 */
@Component
class Dependencies {
    private final PreparationStore preparations;

    Dependencies(PreparationStore preparations) {
        this.preparations = preparations;
    }

    /**
     * Errors of a dependency on {@code ids}; each must be an unfinished or completed preparation of the job's tenant.
     */
    List<FieldError> errors(String tenant, List<String> ids) {
        return errors(ids, preparations.await(tenant, ids));
    }

    private static List<FieldError> errors(List<String> ids, PreparationDependencies awaited) {
        List<FieldError> errors = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            Optional<PreparationState> state = awaited.state(ids.get(i));
            if (state.isEmpty()) {
                errors.add(FieldError.at("/dependsOn/" + i, "there is no preparation " + ids.get(i)));
            } else if (state.get().hasEnded() && state.get() != PreparationState.DONE) {
                errors.add(FieldError.at("/dependsOn/" + i, "preparation %s is %s".formatted(ids.get(i), state.get())));
            }
        }
        return errors;
    }

    /**
     * Distinct {@code ids} that are not done. Call this in the transaction that stores the dependencies: until that
     * transaction ends, none of the preparations can complete unnoticed.
     */
    List<String> unfinished(String tenant, List<String> ids) {
        return unfinished(ids, preparations.await(tenant, ids));
    }

    private static List<String> unfinished(List<String> ids, PreparationDependencies awaited) {
        return ids.stream()
                .distinct()
                .filter(id -> awaited.state(id).orElse(PreparationState.WAITING) != PreparationState.DONE)
                .toList();
    }

    /**
     * As {@link #unfinished}.
     *
     * @throws ProblemException 422 with all errors
     */
    List<String> requireUnfinished(String tenant, List<String> ids) {
        PreparationDependencies awaited = preparations.await(tenant, ids);
        List<FieldError> errors = errors(ids, awaited);
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
        return unfinished(ids, awaited);
    }
}
