package dev.spur.service.jobs.lifecycle;

import dev.spur.model.job.DependencyCondition;
import dev.spur.model.job.JobDependency;
import dev.spur.service.jobs.DependencyStore;
import dev.spur.service.jobs.DependencyStore.CanceledJob;
import dev.spur.service.jobs.DependencyStore.RequiredJob;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Dependencies on other jobs of the tenant. A job that depends on the success of a job that ends otherwise is canceled,
 * as with {@code kill_invalid_depend} of Slurm.
 */
@Component
class Dependencies {
    private final DependencyStore store;

    Dependencies(DependencyStore store) {
        this.store = store;
    }

    /** Returns the errors of dependencies; each must be on another job of the tenant, and can be met. */
    List<FieldError> errors(String tenant, List<JobDependency> dependencies) {
        return errors(dependencies, requiredJobs(tenant, dependencies));
    }

    private static List<FieldError> errors(List<JobDependency> dependencies, Map<String, RequiredJob> required) {
        List<FieldError> errors = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (int i = 0; i < dependencies.size(); i++) {
            JobDependency dependency = dependencies.get(i);
            String pointer = "/dependsOn/%d/job".formatted(i);
            RequiredJob job = required.get(dependency.job());
            if (!named.add(dependency.job())) {
                errors.add(FieldError.at(pointer, "job %s is stated twice; state it once".formatted(dependency.job())));
            } else if (job == null) {
                errors.add(FieldError.at(pointer, "the tenant has no job " + dependency.job()));
            } else if (job.neverMeets(dependency.when())) {
                errors.add(FieldError.at(
                        pointer,
                        "job %s (%s) is %s, so it never succeeds; state when ENDED, or another job"
                                .formatted(job.id(), job.name(), job.state())));
            }
        }
        return errors;
    }

    /**
     * Returns the ids of the jobs whose condition is not met. Call this in the transaction that stores the
     * dependencies: until that transaction ends, none of the jobs can start or end unnoticed.
     */
    List<String> unmet(String tenant, List<JobDependency> dependencies) {
        return unmet(dependencies, requiredJobs(tenant, dependencies));
    }

    private static List<String> unmet(List<JobDependency> dependencies, Map<String, RequiredJob> required) {
        return dependencies.stream()
                .filter(dependency -> {
                    RequiredJob job = required.get(dependency.job());
                    return job == null || !job.meets(dependency.when());
                })
                .map(JobDependency::job)
                .distinct()
                .toList();
    }

    private Map<String, RequiredJob> requiredJobs(String tenant, List<JobDependency> dependencies) {
        return store.keep(tenant, dependencies.stream().map(JobDependency::job).toList()).stream()
                .collect(Collectors.toMap(RequiredJob::id, Function.identity()));
    }

    /**
     * Replaces the dependencies of a locked job that waits.
     *
     * @throws ProblemException 422 with all errors, among them a cycle
     */
    void replace(StoredJob job, List<JobDependency> dependencies) {
        store.lockChanges();
        Map<String, RequiredJob> required = requiredJobs(job.tenant(), dependencies);
        List<FieldError> errors = errors(dependencies, required);
        for (int i = 0; i < dependencies.size(); i++) {
            String pointer = "/dependsOn/%d/job".formatted(i);
            String id = dependencies.get(i).job();
            if (id.equals(job.id())) {
                errors.add(FieldError.at(pointer, "a job cannot depend on itself"));
            } else if (required.containsKey(id)) {
                store.path(List.of(id), job.id())
                        .ifPresent(names -> errors.add(FieldError.at(
                                pointer, "closes the cycle %s → %s".formatted(job.name(), String.join(" → ", names)))));
            }
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
        store.replace(job.id(), dependencies, unmet(dependencies, required));
    }

    /**
     * Meets or cancels what depends on jobs that have ended in {@code state}. Call this in the transaction of the end.
     * Returns the canceled jobs.
     */
    List<CanceledJob> end(Collection<String> ids, JobState state) {
        if (state == JobState.DONE) {
            store.meet(ids, DependencyCondition.values());
            return List.of();
        }
        List<CanceledJob> canceled = store.cancelDependents(ids, state);
        List<String> ended =
                new ArrayList<>(canceled.stream().map(CanceledJob::id).toList());
        ended.addAll(ids);
        store.meet(ended, DependencyCondition.ENDED, DependencyCondition.STARTED);
        return canceled;
    }
}
