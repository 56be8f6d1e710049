package dev.spur.service.jobs;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.job.DependencyCondition;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Dependency of a job on another one, or on all jobs of an array, as its owner states it.
 *
 * @param job id of the other job; null for an array
 * @param array id of the array; null for a job
 * @param when condition on the other job, or on each job of the array
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StatedDependency(
        @Nullable String job, @Nullable String array, DependencyCondition when) {
    public StatedDependency {
        Checks.require(
                (job == null) != (array == null), "dependency must state either job (%s) or array (%s)", job, array);
    }

    /** Creates a dependency on a job. */
    public static StatedDependency onJob(String job, DependencyCondition when) {
        return new StatedDependency(job, null, when);
    }

    /** Returns the id of the other job or of the array. */
    @JsonIgnore
    public String id() {
        return Objects.requireNonNullElse(job, array);
    }
}
