package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.mock.web.MockHttpServletRequest;

class ProblemHandlerTest {
    private final ProblemHandler handler = new ProblemHandler();
    private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/v1/jobs");

    @Test
    void aDatabaseThatIsDownIsToldWithATimeToComeBack() {
        var answer = handler.database(new DataAccessResourceFailureException("secret host unreachable"), request);

        assertThat(answer.getStatusCode().value()).isEqualTo(503);
        assertThat(answer.getHeaders().getFirst("Retry-After")).isEqualTo("2");
        assertThat(String.valueOf(answer.getBody())).doesNotContain("secret");
    }

    @Test
    void aFaultOfTheServiceIsKnownByItsIdAlone() {
        var answer = handler.other(new IllegalStateException("secret detail"), request);

        assertThat(answer.getStatusCode().value()).isEqualTo(500);
        assertThat(answer.getBody()).isNotNull();
        assertThat(answer.getBody().requestId()).isNotBlank();
        assertThat(String.valueOf(answer.getBody())).doesNotContain("secret");
    }
}
