package dev.spur.service.web;

import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.service.web.contract.RequestId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Converts exceptions to problems. An internal error is logged in full and returned without detail. A database failure
 * is logged in one line, because it affects every request at the same time. A response whose first part has been sent
 * cannot become a problem; it is marked, so that the web server cuts it.
 */
@RestControllerAdvice
class ProblemHandler extends ResponseEntityExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);
    private static final String RETRY_SECONDS = "2";

    /** Replaces the problem of the framework by one of the contract. */
    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception e, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest web) {
        ServletWebRequest exchange = (ServletWebRequest) web;
        if (e instanceof ProblemException problem) {
            return response(problem, exchange);
        }
        return status.is4xxClientError() ? response(ofStatus(status, e.getMessage()), exchange) : other(e, exchange);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpRequestMethodNotSupported(
            HttpRequestMethodNotSupportedException e, HttpHeaders headers, HttpStatusCode status, WebRequest web) {
        String supported = Stream.ofNullable(e.getSupportedMethods())
                .flatMap(Arrays::stream)
                .sorted()
                .collect(Collectors.joining(", "));
        return handleExceptionInternal(
                ProblemException.of(
                                ProblemType.METHOD_NOT_ALLOWED,
                                "%s is not among %s.".formatted(e.getMethod(), supported))
                        .withHeader("Allow", supported),
                null,
                headers,
                status,
                web);
    }

    /** Answers nothing to a client that has closed its connection: this is no fault of the service. */
    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotWritable(
            HttpMessageNotWritableException e, HttpHeaders headers, HttpStatusCode status, WebRequest web) {
        if (e.contains(AsyncRequestNotUsableException.class)) {
            LOG.debug("the client has closed its connection before the response was written", e);
            return null;
        }
        return handleExceptionInternal(e, null, headers, status, web);
    }

    /**
     * Converts an undecodable query of a page outside of the contract. For operations, the contract check reports it.
     */
    @ExceptionHandler
    @Nullable
    ResponseEntity<Object> query(InvalidParameterException e, ServletWebRequest exchange) {
        return response(
                ProblemException.of(ProblemType.INVALID_REQUEST, FieldError.of("the query cannot be decoded")),
                exchange);
    }

    @ExceptionHandler({
        DataAccessResourceFailureException.class,
        TransientDataAccessException.class,
        QueryTimeoutException.class,
        CannotCreateTransactionException.class,
        TransactionSystemException.class
    })
    @Nullable
    ResponseEntity<Object> database(Exception e, ServletWebRequest exchange) {
        HttpServletRequest request = exchange.getRequest();
        LOG.warn(
                "{} {} (request {}): the database cannot be used: {}",
                request.getMethod(),
                request.getRequestURI(),
                RequestId.of(request),
                NestedExceptionUtils.getMostSpecificCause(e).getMessage());
        LOG.debug("stack trace of the database failure", e);
        return response(
                ProblemException.of(ProblemType.UNAVAILABLE, "The database does not respond.")
                        .withHeader("Retry-After", RETRY_SECONDS),
                exchange);
    }

    @ExceptionHandler
    @Nullable
    ResponseEntity<Object> other(Exception e, ServletWebRequest exchange) {
        HttpServletRequest request = exchange.getRequest();
        LOG.error("{} {} (request {}) failed", request.getMethod(), request.getRequestURI(), RequestId.of(request), e);
        return response(
                ProblemException.of(
                        ProblemType.INTERNAL_ERROR,
                        "The service failed unexpectedly. Its log has the details under the request id."),
                exchange);
    }

    /** Returns the problem as the response; null if another response has begun. */
    private static @Nullable ResponseEntity<Object> response(ProblemException problem, ServletWebRequest exchange) {
        HttpServletRequest request = exchange.getRequest();
        HttpServletResponse begun = exchange.getResponse();
        if (begun != null && begun.isCommitted()) {
            request.setAttribute(ServerRejections.CUT, true);
            return null;
        }
        return ResponseEntity.status(problem.getStatusCode())
                .headers(problem.getHeaders())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem.toBody(request.getRequestURI(), RequestId.of(request)));
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
}
