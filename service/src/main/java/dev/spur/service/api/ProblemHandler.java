package dev.spur.service.api;

import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.Problem;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.contract.RequestId;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import java.util.TreeSet;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

/**
 * Converts exceptions to problems. An internal error is logged in full and returned without detail. A database failure
 * is logged in one line, because it affects every request at the same time.
 */
@RestControllerAdvice
class ProblemHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);
    private static final String RETRY_SECONDS = "2";

    @ExceptionHandler
    ResponseEntity<Problem> foreseen(ProblemException problem, HttpServletRequest request) {
        ResponseEntity.BodyBuilder answer = answer(problem.type());
        problem.headers().forEach(answer::header);
        return answer.body(problem.toProblem(request.getRequestURI(), RequestId.of(request)));
    }

    @ExceptionHandler
    ResponseEntity<Problem> method(HttpRequestMethodNotSupportedException e, HttpServletRequest request) {
        Set<String> supported = e.getSupportedHttpMethods() == null
                ? Set.of()
                : new TreeSet<>(e.getSupportedHttpMethods().stream()
                        .map(Object::toString)
                        .toList());
        return foreseen(
                ProblemException.of(
                                ProblemType.METHOD_NOT_ALLOWED,
                                "%s is not among %s.".formatted(e.getMethod(), String.join(", ", supported)))
                        .withHeader("Allow", String.join(", ", supported)),
                request);
    }

    /**
     * Converts an undecodable query of a page outside of the contract. For operations, the contract check reports it.
     */
    @ExceptionHandler
    ResponseEntity<Problem> query(InvalidParameterException e, HttpServletRequest request) {
        return foreseen(
                ProblemException.of(ProblemType.INVALID_REQUEST, FieldError.of("the query cannot be decoded")),
                request);
    }

    @ExceptionHandler({
        DataAccessResourceFailureException.class,
        TransientDataAccessException.class,
        QueryTimeoutException.class,
        CannotCreateTransactionException.class,
        TransactionSystemException.class
    })
    ResponseEntity<Problem> database(Exception e, HttpServletRequest request) {
        LOG.warn(
                "{} {} (request {}): the database cannot be used: {}",
                request.getMethod(),
                request.getRequestURI(),
                RequestId.of(request),
                NestedExceptionUtils.getMostSpecificCause(e).getMessage());
        LOG.debug("stack trace of the database failure", e);
        return foreseen(
                ProblemException.of(ProblemType.UNAVAILABLE, "The database does not respond.")
                        .withHeader("Retry-After", RETRY_SECONDS),
                request);
    }

    /** The client has closed the connection, so no response is possible. */
    @ExceptionHandler
    void gone(AsyncRequestNotUsableException e) {
        LOG.debug("the client has closed the connection", e);
    }

    @ExceptionHandler
    ResponseEntity<Problem> other(Exception e, HttpServletRequest request) {
        if (e instanceof ErrorResponse response && response.getStatusCode().is4xxClientError()) {
            return foreseen(ofStatus(response.getStatusCode(), e.getMessage()), request);
        }
        LOG.error("{} {} (request {}) failed", request.getMethod(), request.getRequestURI(), RequestId.of(request), e);
        return foreseen(
                ProblemException.of(
                        ProblemType.INTERNAL_ERROR,
                        "The service failed unexpectedly. Its log has the details under the request id."),
                request);
    }

    /** Problem for a status that the web framework itself returns. */
    static ProblemException ofStatus(HttpStatusCode status, @Nullable String detail) {
        ProblemType type = switch (status.value()) {
            case 404 -> ProblemType.NOT_FOUND;
            case 405 -> ProblemType.METHOD_NOT_ALLOWED;
            case 406 -> ProblemType.NOT_ACCEPTABLE;
            case 413 -> ProblemType.TOO_LARGE;
            case 415 -> ProblemType.UNSUPPORTED_MEDIA_TYPE;
            default -> ProblemType.INVALID_REQUEST;
        };
        return detail == null
                ? ProblemException.of(type, FieldError.of(type.title()))
                : ProblemException.of(type, detail);
    }

    private static ResponseEntity.BodyBuilder answer(ProblemType type) {
        return ResponseEntity.status(type.status()).contentType(MediaType.APPLICATION_PROBLEM_JSON);
    }
}
