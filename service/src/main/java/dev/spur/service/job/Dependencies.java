package dev.spur.service.job;

import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.store.PreparationState;
import dev.spur.service.store.PreparationStore;
import dev.spur.service.store.PreparationStore.PreparationDependencies;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Which preparations a job waits for. Preparations wait for nobody, so there is no cycle. One that has failed or was
 * called off is still waited for: the data are not there.
 */
@Component
class Dependencies {
    private final PreparationStore preparations;

    Dependencies(PreparationStore preparations) {
        this.preparations = preparations;
    }

    /**
     * What is wrong with waiting for {@code ids}; each must be a preparation of the job's tenant that can still be
     * done.
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
     * Those of {@code ids} that are not done, each once. Belongs into the transaction that writes them down: until it
     * ends, none of them is done unnoticed.
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

    /** The same. @throws ProblemException 422 with all that is wrong */
    List<String> demand(String tenant, List<String> ids) {
        PreparationDependencies awaited = preparations.await(tenant, ids);
        List<FieldError> errors = errors(ids, awaited);
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
        return unfinished(ids, awaited);
    }
}
