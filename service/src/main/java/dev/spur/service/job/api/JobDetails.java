package dev.spur.service.job.api;

import dev.spur.service.job.lifecycle.JobWarnings.Warning;
import dev.spur.service.job.logs.JobFailure;
import dev.spur.service.performance.ChangeCost;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Parts of the view of a single job that lists omit.
 *
 * @param warnings problems of its execution; null in lists
 * @param failure its last failure; null without one
 * @param stalls stall of each change that it supports; null for a data preparation
 */
record JobDetails(
        @Nullable List<Warning> warnings,
        @Nullable JobFailure failure,
        @Nullable List<ChangeCost> stalls) {
    /** Details in a list. */
    static final JobDetails OMITTED = new JobDetails(null, null, null);

    /** Returns a hash that is equal on every replica. */
    int version() {
        return Objects.hash(
                warnings == null
                        ? null
                        : warnings.stream()
                                .map(warning -> warning.kind().name())
                                .toList(),
                failure == null ? 0 : failure.version(),
                stalls == null ? null : stalls.stream().map(ChangeCost::message).toList());
    }
}
