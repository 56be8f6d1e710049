package dev.spur.service.web.access;

import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import org.springframework.security.core.AuthenticationException;

/** Failed authentication with a problem of its own. The problem of other failures is an invalid token. */
final class AuthenticationProblemException extends AuthenticationException {
    private static final long serialVersionUID = 1;
    private static final long UNAVAILABLE_RETRY_SECONDS = 2;

    private final transient ProblemException problem;

    private AuthenticationProblemException(ProblemType type, String detail, long retrySeconds) {
        super(detail);
        this.problem = ProblemException.of(type, detail).withHeader("Retry-After", Long.toString(retrySeconds));
    }

    /** A client address has sent too many invalid tokens; it may retry after {@code seconds} s. */
    static AuthenticationProblemException tooManyFailures(long seconds) {
        return new AuthenticationProblemException(
                ProblemType.TOO_MANY_REQUESTS, "Too many invalid tokens from this address.", seconds);
    }

    /** The database or the identity provider is unavailable, so a token cannot be validated. */
    static AuthenticationProblemException unavailable(String detail, Throwable cause) {
        var unavailable =
                new AuthenticationProblemException(ProblemType.UNAVAILABLE, detail, UNAVAILABLE_RETRY_SECONDS);
        unavailable.initCause(cause);
        return unavailable;
    }

    ProblemException problem() {
        return problem;
    }
}
