package dev.spur.service.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An error as clients see it, RFC 9457.
 *
 * @param type URI of the type
 * @param title the type in words
 * @param status HTTP status
 * @param detail what is wrong this time
 * @param instance path of the request
 * @param requestId by which the log knows the request
 * @param errors everything that is wrong with the request
 * @param reasons why a job can never run
 * @param jobId the job that stands in the way
 * @param currentGeneration generation of the job
 * @param action what an executor should do
 * @param location path of the resource that stands in the way
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        String instance,
        String requestId,
        @Nullable List<FieldError> errors,
        @Nullable List<String> reasons,
        @Nullable String jobId,
        @Nullable Long currentGeneration,
        @Nullable String action,
        @Nullable String location) {}
