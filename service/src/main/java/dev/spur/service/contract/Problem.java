package dev.spur.service.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An error response, RFC 9457.
 *
 * @param type URI of the type
 * @param title title of the type
 * @param status HTTP status
 * @param detail description of this occurrence
 * @param instance path of the request
 * @param requestId id of the request in the log
 * @param errors all errors of the request
 * @param reasons reasons why a job can never run
 * @param jobId id of the conflicting job
 * @param currentGeneration generation of the job
 * @param action action that the executor must take
 * @param location path of the conflicting resource
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
