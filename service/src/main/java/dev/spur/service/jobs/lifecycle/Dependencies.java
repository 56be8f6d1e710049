package dev.spur.service.jobs.lifecycle;

import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobStore.PreparationStatus;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Data preparations that a job depends on. They have no dependencies themselves, so there are no cycles. A failed or
 * canceled one still blocks the job, because its data do not exist.
 */
@Component
class Dependencies {
    private final JobStore jobs;

    Dependencies(JobStore jobs) {
        this.jobs = jobs;
    }

    /**
     * Errors of a dependency on {@code ids}; each must be an unfinished or completed preparation of the job's tenant.
     */
    List<FieldError> errors(String tenant, List<String> ids) {
        return errors(ids, states(tenant, ids));
    }

    private static List<FieldError> errors(List<String> ids, Map<String, JobState> states) {
        List<FieldError> errors = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            JobState state = states.get(ids.get(i));
            if (state == null) {
                errors.add(FieldError.at("/dependsOn/" + i, "there is no data preparation " + ids.get(i)));
            } else if (state.hasEnded() && state != JobState.DONE) {
                errors.add(FieldError.at("/dependsOn/" + i, "data preparation %s is %s".formatted(ids.get(i), state)));
            }
        }
        return errors;
    }

    /**
     * Distinct {@code ids} that are not done. Call this in the transaction that stores the dependencies: until that
     * transaction ends, none of the preparations can complete unnoticed.
     */
    List<String> unfinishedDependencies(String tenant, List<String> ids) {
        return unfinishedDependencies(ids, states(tenant, ids));
    }

    private static List<String> unfinishedDependencies(List<String> ids, Map<String, JobState> states) {
        return ids.stream()
                .distinct()
                .filter(id -> states.get(id) != JobState.DONE)
                .toList();
    }

    /**
     * As {@link #unfinishedDependencies}.
     *
     * @throws ProblemException 422 with all errors
     */
    List<String> requireUnfinished(String tenant, List<String> ids) {
        Map<String, JobState> states = states(tenant, ids);
        List<FieldError> errors = errors(ids, states);
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
        return unfinishedDependencies(ids, states);
    }

    private Map<String, JobState> states(String tenant, List<String> ids) {
        return jobs.await(tenant, ids).stream()
                .collect(Collectors.toMap(PreparationStatus::id, PreparationStatus::state));
    }
}
