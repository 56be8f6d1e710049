package dev.spur.service.jobs.lifecycle;

import dev.spur.model.job.DependencyCondition;
import dev.spur.service.jobs.DependencyStore;
import dev.spur.service.jobs.DependencyStore.Prerequisite;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.StatedDependency;
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
 * Dependencies on other jobs and arrays of the tenant. A job that depends on the success of a job that ends otherwise
 * is canceled, as with {@code kill_invalid_depend} of Slurm.
 */
@Component
class Dependencies {
    private final DependencyStore store;

    Dependencies(DependencyStore store) {
        this.store = store;
    }

    /** Returns the errors of dependencies; each must be on another job or an array of the tenant, and can be met. */
    List<FieldError> errors(String tenant, List<StatedDependency> dependencies) {
        return errors(dependencies, prerequisites(tenant, dependencies));
    }

    private static List<FieldError> errors(
            List<StatedDependency> dependencies, Map<String, Prerequisite> prerequisites) {
        List<FieldError> errors = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (int i = 0; i < dependencies.size(); i++) {
            StatedDependency dependency = dependencies.get(i);
            String kind = dependency.array() == null ? "job" : "array";
            Prerequisite other = prerequisites.get(dependency.id());
            String message = null;
            if (!named.add(dependency.id())) {
                message = "%s %s is stated twice; state it once".formatted(kind, dependency.id());
            } else if (other == null) {
                message = "the tenant has no %s %s".formatted(kind, dependency.id());
            } else if (dependency.when() == DependencyCondition.SUCCEEDED && other.lost() != null) {
                message = "%s %s (%s) %s %s, so it never succeeds; state when ENDED, or another %s"
                        .formatted(
                                kind,
                                other.id(),
                                other.name(),
                                kind.equals("job") ? "is" : "has a job that is",
                                other.lost(),
                                kind);
            }
            if (message != null) {
                errors.add(FieldError.at(pointer(i, dependency), message));
            }
        }
        return errors;
    }

    private static String pointer(int index, StatedDependency dependency) {
        return "/dependsOn/%d/%s".formatted(index, dependency.array() == null ? "job" : "array");
    }

    /**
     * Returns the ids of the jobs and arrays whose condition is not met. Call this in the transaction that stores the
     * dependencies: until that transaction ends, none of the jobs can start or end unnoticed.
     */
    List<String> unmet(String tenant, List<StatedDependency> dependencies) {
        return unmet(dependencies, prerequisites(tenant, dependencies));
    }

    private static List<String> unmet(List<StatedDependency> dependencies, Map<String, Prerequisite> prerequisites) {
        return dependencies.stream()
                .filter(dependency -> {
                    Prerequisite other = prerequisites.get(dependency.id());
                    return other == null || !other.meets(dependency.when());
                })
                .map(StatedDependency::id)
                .distinct()
                .toList();
    }

    private Map<String, Prerequisite> prerequisites(String tenant, List<StatedDependency> dependencies) {
        return store.keep(tenant, dependencies).stream()
                .collect(Collectors.toMap(Prerequisite::id, Function.identity()));
    }

    /**
     * Replaces the dependencies of a locked job that waits.
     *
     * @throws ProblemException 422 with all errors, among them a cycle
     */
    void replace(StoredJob job, List<StatedDependency> dependencies) {
        store.lockChanges();
        Map<String, Prerequisite> prerequisites = prerequisites(job.tenant(), dependencies);
        List<FieldError> errors = errors(dependencies, prerequisites);
        String array = job.arrayId();
        for (int i = 0; i < dependencies.size(); i++) {
            String pointer = pointer(i, dependencies.get(i));
            String id = dependencies.get(i).id();
            if (id.equals(job.id()) || id.equals(array)) {
                errors.add(FieldError.at(pointer, "a job cannot depend on itself"));
            } else if (prerequisites.containsKey(id)) {
                store.path(id, job.id(), array)
                        .ifPresent(names -> errors.add(FieldError.at(
                                pointer, "closes the cycle %s → %s".formatted(job.name(), String.join(" → ", names)))));
            }
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
        store.replace(job.id(), dependencies, unmet(dependencies, prerequisites));
    }

    /**
     * Meets or cancels what depends on jobs that have ended in {@code state}. Call this in the transaction of the end.
     * Returns the ids of the canceled jobs.
     *
     * @param inArrays false if no job is in an array
     */
    List<String> end(Collection<String> ids, boolean inArrays, JobState state) {
        List<String> arrays = inArrays ? store.lockArrays(ids) : List.of();
        if (state == JobState.DONE) {
            store.meet(ids, arrays, DependencyCondition.values());
            return List.of();
        }
        List<String> canceled = store.cancelDependents(ids, arrays);
        List<String> ended = new ArrayList<>(ids);
        ended.addAll(canceled);
        store.meet(
                ended,
                canceled.isEmpty() ? arrays : store.lockArrays(ended),
                DependencyCondition.ENDED,
                DependencyCondition.STARTED);
        return canceled;
    }
}
