package dev.spur.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.ProblemDetail;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.context.request.ServletWebRequest;

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

    private static String idOf(Object problem) {
        return String.valueOf(((ProblemDetail) problem).getProperties().get("requestId"));
    }
}
