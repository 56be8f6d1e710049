package dev.spur.service.web.contract;

import java.util.Locale;

/**
 * The problem types (RFC 9457) with status, title, cause and remedy. The URI of each resolves to its description; the
 * contract and {@code docs/reference/problem-types.md} list the same types.
 */
public enum ProblemType {
    INVALID_REQUEST(
            400,
            "Invalid request",
            "The body, a parameter or a header does not fit the contract.",
            "Correct each entry of `errors`; `openapi.yaml` states the schema."),
    MALFORMED_JSON(
            400,
            "Malformed JSON",
            "The body is not JSON, or it repeats a member name.",
            "Correct the body at the place that `errors` names."),
    UNAUTHENTICATED(
            401,
            "Not authenticated",
            "The request has no valid token.",
            "Send `Authorization: Bearer TOKEN` with a token that is neither expired nor revoked."),
    FORBIDDEN(
            403,
            "Not permitted",
            "The caller has none of the roles that the operation requires, or its scope is too narrow.",
            "Use a token with a required role; an operator issues it at `POST /api/v1/tokens`."),
    NOT_FOUND(
            404,
            "Resource not found",
            "The resource does not exist, or it is outside the scope of the caller.",
            "Check the path and the identifier; list the collection."),
    METHOD_NOT_ALLOWED(
            405,
            "Method not allowed",
            "The path does not support the HTTP method.",
            "Use a method of the header `Allow`."),
    NOT_ACCEPTABLE(
            406,
            "Media type not available",
            "The header `Accept` allows no media type that the operation returns.",
            "Accept the media type that `openapi.yaml` states."),
    REQUEST_TIMEOUT(
            408,
            "Request body late",
            "The body did not arrive as a whole within its deadline.",
            "Send the request again; check the connection."),
    CONFLICT(
            409,
            "State conflict",
            "The current state of the resource does not allow the change.",
            "Read the resource and decide again; `detail` names the state."),
    ALREADY_EXISTS(
            409,
            "Resource already exists",
            "Another resource has this unique name or identifier.",
            "Use the resource that `location` names, or choose another name."),
    JOB_ENDED(
            409,
            "Job has ended",
            "The job is DONE, FAILED or CANCELLED, and an ended job cannot be changed.",
            "Submit a new job."),
    NOT_PREEMPTIBLE(
            409,
            "Job is not preemptible",
            "The job runs, and it may neither be stopped nor moved.",
            "Wait for its end, or cancel it."),
    IN_USE(
            409,
            "Resource in use",
            "Other resources refer to the resource.",
            "First change or delete the resources that refer to it; `errors` names them where the service knows them."),
    STALE_GENERATION(
            409,
            "Stale generation",
            "The report belongs to an earlier allocation of the job.",
            "Stop the processes of that generation, and read the assignments."),
    STALE_REGISTRATION(
            409,
            "Stale registration",
            "A newer registration of the executor exists, or the service marked the executor as lost.",
            "Register again and report the running assignments."),
    NOT_READY(
            409,
            "Assignment not ready",
            "The assignment waits for devices or for other members of its gang.",
            "Poll the assignments, and report the transition when `mayStart` is true."),
    ROUND_RUNNING(
            409,
            "Scheduling round in progress",
            "A requested round is pending or in progress.",
            "Wait for that round; `location` names it."),
    GONE(410, "Job has ended", "The report concerns a job that has ended.", "Stop its processes."),
    PRECONDITION_FAILED(
            412,
            "Precondition failed",
            "The resource is not in the version that `If-Match` names, or it exists although `If-None-Match` forbids it.",
            "Read the resource, apply the change again and send its current ETag."),
    TOO_LARGE(
            413,
            "Request body too large",
            "The body exceeds the size limit of the operation.",
            "Send a smaller body, or split the request."),
    UNSUPPORTED_MEDIA_TYPE(
            415,
            "Unsupported media type",
            "The operation does not read the media type, charset or encoding of the body.",
            "Send the media type that `openapi.yaml` states, in UTF-8 and not compressed."),
    UNPROCESSABLE(
            422,
            "Request cannot be processed",
            "The body fits its schema, but values contradict each other or the current state.",
            "Correct each entry of `errors`."),
    UNSATISFIABLE(
            422,
            "Job can never be scheduled",
            "No configuration of the job fits the registered cluster, even if the cluster is idle.",
            "Change the job according to `reasons`, add nodes, or set `waitForHardware`."),
    IDEMPOTENCY_KEY_REUSED(
            422,
            "Idempotency key reused",
            "The same `Idempotency-Key` was sent with another body.",
            "Choose a new key for each new request."),
    PRECONDITION_REQUIRED(
            428,
            "Precondition required",
            "A change of an existing resource needs `If-Match`.",
            "Read the resource, and send its ETag as `If-Match`."),
    TOO_MANY_REQUESTS(
            429,
            "Rate limit exceeded",
            "The caller or the queue of the operation has reached its limit.",
            "Wait for the seconds of `Retry-After`, then retry."),
    INTERNAL_ERROR(
            500,
            "Internal error",
            "The service failed unexpectedly.",
            "Report `requestId`; the log of the service has the details."),
    UNAVAILABLE(
            503,
            "Service unavailable",
            "The database does not respond, or the service is overloaded.",
            "Retry after the seconds of `Retry-After`.");

    /** Path below which each type is described. */
    public static final String PATH = "/problems/";

    private final int status;
    private final String title;
    private final String cause;
    private final String remedy;

    ProblemType(int status, String title, String cause, String remedy) {
        this.status = status;
        this.title = title;
        this.cause = cause;
        this.remedy = remedy;
    }

    /** HTTP status. */
    public int status() {
        return status;
    }

    /** Short noun phrase. */
    public String title() {
        return title;
    }

    /** Cause of every problem of the type, as a sentence in Markdown. */
    public String cause() {
        return cause;
    }

    /** Remedy for the caller, as a sentence in Markdown. */
    public String remedy() {
        return remedy;
    }

    /** Last segment of the URI, in lower case with dashes. */
    public String token() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** URI that identifies the type and resolves to its description. */
    public String uri() {
        return PATH + token();
    }
}
