package dev.spur.service.contract;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ends a request with a problem. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_ERRORS = 100;

    private final ProblemType type;
    private final transient List<FieldError> errors;
    private final transient Map<String, String> headers = new LinkedHashMap<>();
    private transient @Nullable List<String> reasons;
    private @Nullable String jobId;
    private @Nullable Long currentGeneration;
    private @Nullable Action action;
    private @Nullable String location;

    private ProblemException(ProblemType type, String detail, List<FieldError> errors) {
        super(detail, null, false, false);
        this.type = type;
        this.errors = errors;
    }

    /** A problem with a detail. */
    public static ProblemException of(ProblemType type, String detail) {
        return new ProblemException(type, detail, List.of());
    }

    /** A problem of at least one field. If there are too many errors, the first ones are included. */
    public static ProblemException of(ProblemType type, List<FieldError> errors) {
        int count = errors.size();
        String detail = count == 1 ? "1 error." : count + " errors.";
        if (count > MOST_ERRORS) {
            return new ProblemException(
                    type, detail + " The first " + MOST_ERRORS + " are listed.", errors.subList(0, MOST_ERRORS));
        }
        return new ProblemException(type, detail, List.copyOf(errors));
    }

    /** A problem of one field. */
    public static ProblemException of(ProblemType type, FieldError error) {
        return new ProblemException(type, sentence(error), List.of(error));
    }

    /** A missing resource, e.g. {@code notFound("node", "n-1")}. */
    public static ProblemException notFound(String kind, Object name) {
        return of(ProblemType.NOT_FOUND, "There is no %s %s.".formatted(kind, name));
    }

    /** Adds the reasons why a job can never run. */
    public ProblemException withReasons(List<String> all) {
        reasons = List.copyOf(all);
        return this;
    }

    /** Adds the id of the conflicting job. */
    public ProblemException withJob(String id) {
        jobId = id;
        return this;
    }

    /** Adds the current generation, and instructs the executor to stop. */
    public ProblemException withStop(@Nullable Long generation) {
        currentGeneration = generation;
        return withAction(Action.STOP);
    }

    /** Actions that an executor must take after a problem. */
    public enum Action {
        /** Stop the processes that the request concerns. */
        STOP,
        /** Register again. */
        REGISTER,
        /** Retry later. */
        WAIT
    }

    /** Adds the action that the executor must take. */
    public ProblemException withAction(Action what) {
        action = what;
        return this;
    }

    /** Adds the path of the conflicting resource. */
    public ProblemException withLocation(String path) {
        location = path;
        return this;
    }

    /** Adds a response header. */
    public ProblemException withHeader(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** The problem type. */
    public ProblemType type() {
        return type;
    }

    /** Errors of single fields; empty for a problem of the whole request. */
    public List<FieldError> errors() {
        return errors;
    }

    /** Response headers. */
    public Map<String, String> headers() {
        return headers;
    }

    /** The response body. */
    public Problem toProblem(String instance, String requestId) {
        String detail = getMessage();
        return new Problem(
                type.uri(),
                type.title(),
                type.status(),
                detail == null ? type.title() : detail,
                instance,
                requestId,
                errors.isEmpty() ? null : errors,
                reasons,
                jobId,
                currentGeneration,
                action == null ? null : action.name(),
                location);
    }

    private static String sentence(FieldError error) {
        String place = error.pointer() != null
                ? (error.pointer().isEmpty() ? "The body" : error.pointer())
                : error.parameter() != null ? error.parameter() : error.header();
        String text = place == null ? error.message() : place + " " + error.message();
        return text.endsWith(".") ? text : text + ".";
    }
}
