package dev.spur.service.web.contract;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.util.UriUtils;

/**
 * Ends a request with a problem (RFC 9457). The optional members of the problem are properties of its body: errors,
 * reasons, jobId, currentGeneration, action and location.
 */
public final class ProblemException extends ErrorResponseException {
    /** Verbs with which messages about a value begin. */
    private static final Pattern VERB = Pattern.compile("(has|is|must|may) ");

    private static final long serialVersionUID = 1L;
    private static final int MAX_ERRORS = 100;

    private final ProblemType type;
    private final transient List<FieldError> errors;

    private ProblemException(ProblemType type, String detail, List<FieldError> errors) {
        super(HttpStatusCode.valueOf(type.status()), body(type, detail), null);
        this.type = type;
        this.errors = errors;
        if (!errors.isEmpty()) {
            getBody().setProperty("errors", errors);
        }
    }

    private static ProblemDetail body(ProblemType type, String detail) {
        ProblemDetail body = ProblemDetail.forStatusAndDetail(HttpStatusCode.valueOf(type.status()), detail);
        body.setType(URI.create(type.uri()));
        body.setTitle(type.title());
        return body;
    }

    /** Problems are ordinary responses, and the stack trace of most of them would cost more than the request. */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // changes nothing
    public Throwable fillInStackTrace() {
        return this;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(getBody().getDetail());
    }

    /** A problem with a detail. */
    public static ProblemException of(ProblemType type, String detail) {
        return new ProblemException(type, detail, List.of());
    }

    /**
     * A problem of at least one field; the detail contains the first error. If there are too many errors, the first
     * ones are included.
     */
    public static ProblemException of(ProblemType type, List<FieldError> errors) {
        int count = errors.size();
        String others = count == 1 ? "" : count == 2 ? " 1 other error." : " %d other errors.".formatted(count - 1);
        String detail = message(errors.get(0)) + others;
        if (count > MAX_ERRORS) {
            return new ProblemException(
                    type, detail + " The first " + MAX_ERRORS + " are listed.", errors.subList(0, MAX_ERRORS));
        }
        return new ProblemException(type, detail, List.copyOf(errors));
    }

    /** A problem of one field. */
    public static ProblemException of(ProblemType type, FieldError error) {
        return of(type, List.of(error));
    }

    /** A missing resource, e.g. {@code notFound("node", "n-1")}. */
    public static ProblemException notFound(String kind, Object name) {
        return of(ProblemType.NOT_FOUND, "There is no %s %s.".formatted(kind, name));
    }

    /** Adds the reasons why a job can never run. */
    public ProblemException withReasons(List<String> all) {
        return with("reasons", List.copyOf(all));
    }

    /** Adds the id of the conflicting job. */
    public ProblemException withJob(String id) {
        return with("jobId", id);
    }

    /** The id of the conflicting job. */
    public Optional<String> job() {
        return Optional.ofNullable(getBody().getProperties()).map(all -> (String) all.get("jobId"));
    }

    private ProblemException with(String member, @Nullable Object value) {
        if (value != null) {
            getBody().setProperty(member, value);
        }
        return this;
    }

    /** Adds the current generation, and instructs the executor to stop. */
    public ProblemException withStop(@Nullable Long generation) {
        return with("currentGeneration", generation).withAction(Action.STOP);
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
        return with("action", what.name());
    }

    /** Adds the path of the conflicting resource. */
    public ProblemException withLocation(String path) {
        return with("location", path);
    }

    /** Adds a response header. */
    public ProblemException withHeader(String name, String value) {
        getHeaders().set(name, value);
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

    /**
     * The response body.
     *
     * @param path path of the request as received
     * @param requestId id of the request in the log
     */
    public ProblemDetail toBody(String path, String requestId) {
        getBody().setInstance(uri(path));
        getBody().setProperty("requestId", requestId);
        return getBody();
    }

    /** The path as URI. Characters that no URI may contain are escaped. */
    private static URI uri(String path) {
        try {
            return new URI(path);
        } catch (URISyntaxException e) {
            return URI.create(UriUtils.encodePath(path, StandardCharsets.UTF_8));
        }
    }

    private static String message(FieldError error) {
        String place = Stream.of(error.pointer(), error.parameter(), error.header())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
        String text = place.isEmpty()
                ? (error.pointer() == null
                                ? ""
                                : VERB.matcher(error.message()).lookingAt() ? "The body " : "The body: ")
                        + error.message()
                : place + ": " + error.message();
        return text.endsWith(".") || text.endsWith("?") ? text : text + ".";
    }
}
