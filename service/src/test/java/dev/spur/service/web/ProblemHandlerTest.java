package dev.spur.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

class ProblemHandlerTest {
    private final ProblemHandler handler = new ProblemHandler();
    private final ServletWebRequest exchange =
            new ServletWebRequest(new MockHttpServletRequest("GET", "/api/v1/jobs"), new MockHttpServletResponse());

    @Test
    void anUnavailableDatabaseIsAProblemWithARetryTime() {
        var answer = handler.database(new DataAccessResourceFailureException("secret host unreachable"), exchange);

        assertThat(answer.getStatusCode().value()).isEqualTo(503);
        assertThat(answer.getHeaders().getFirst("Retry-After")).isEqualTo("2");
        assertThat(String.valueOf(answer.getBody())).doesNotContain("secret");
    }

    @Test
    void aFaultOfTheServiceIsKnownByItsIdAlone() {
        var answer = handler.other(new IllegalStateException("secret detail"), exchange);

        assertThat(answer.getStatusCode().value()).isEqualTo(500);
        assertThat(answer.getBody()).isNotNull();
        assertThat(idOf(answer.getBody())).isNotBlank();
        assertThat(String.valueOf(answer.getBody())).doesNotContain("secret");
    }

    @Test
    void theLogKnowsBothByTheirIds() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(ProblemHandler.class);
        log.start();
        logger.addAppender(log);
        String first;
        String second;
        try {
            first = idOf(
                    handler.other(new IllegalStateException("detail"), exchange).getBody());
            second = idOf(handler.database(new DataAccessResourceFailureException("away"), exchange)
                    .getBody());
        } finally {
            logger.detachAppender(log);
        }

        assertThat(log.list.get(0).getFormattedMessage()).contains("(request " + first + ")");
        assertThat(log.list.get(1).getFormattedMessage()).contains("(request " + second + ")");
    }

    @Test
    void aClosedConnectionIsNoFaultOfTheService() {
        var closed = new HttpMessageNotWritableException(
                "Could not write JSON",
                new AsyncRequestNotUsableException("Broken pipe", new IOException("Broken pipe")));

        assertThat(notWritten(closed)).isNull();
    }

    @Test
    void aBodyThatHasNoFormIsAFaultOfTheService() {
        var answer = notWritten(new HttpMessageNotWritableException("Could not write JSON", new IOException("cycle")));

        assertThat(answer).isNotNull();
        assertThat(answer.getStatusCode().value()).isEqualTo(500);
    }

    private @Nullable ResponseEntity<Object> notWritten(HttpMessageNotWritableException e) {
        return handler.handleHttpMessageNotWritable(e, new HttpHeaders(), HttpStatus.INTERNAL_SERVER_ERROR, exchange);
    }

    private static String idOf(Object problem) {
        return String.valueOf(((ProblemDetail) problem).getProperties().get("requestId"));
    }
}
