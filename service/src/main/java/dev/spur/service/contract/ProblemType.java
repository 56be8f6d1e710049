package dev.spur.service.contract;

import java.util.Locale;

/**
 * The kinds of problem, with the status each is answered with. Their URIs are part of the contract and never change.
 */
public enum ProblemType {
    INVALID_REQUEST(400),
    MALFORMED_JSON(400, "Malformed JSON"),
    UNAUTHENTICATED(401, "Not authenticated"),
    FORBIDDEN(403),
    NOT_FOUND(404),
    METHOD_NOT_ALLOWED(405),
    NOT_ACCEPTABLE(406),
    REQUEST_TIMEOUT(408),
    CONFLICT(409),
    ALREADY_EXISTS(409),
    JOB_ENDED(409),
    NOT_PREEMPTIBLE(409),
    IN_USE(409),
    STALE_GENERATION(409),
    STALE_REGISTRATION(409),
    NOT_YET(409),
    ROUND_RUNNING(409),
    GONE(410),
    PRECONDITION_FAILED(412),
    TOO_LARGE(413),
    UNSUPPORTED_MEDIA_TYPE(415),
    UNPROCESSABLE(422),
    NEVER_FITS(422),
    IDEMPOTENCY_KEY_REUSED(422),
    PRECONDITION_REQUIRED(428),
    TOO_MANY_REQUESTS(429),
    INTERNAL_ERROR(500),
    UNAVAILABLE(503);

    private final int status;
    private final String title;

    ProblemType(int status) {
        this.status = status;
        String words = name().toLowerCase(Locale.ROOT).replace('_', ' ');
        this.title = name().charAt(0) + words.substring(1);
    }

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** HTTP status. */
    public int status() {
        return status;
    }

    /** A few words for people. */
    public String title() {
        return title;
    }

    /** Identifies the type to programs. */
    public String uri() {
        return "/problems/" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
