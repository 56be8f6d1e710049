package dev.spur.connectors.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that do not come, do not end, or are too large. */
@Timeout(60)
class BoundedHttpTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    private static HttpRequest get(FaultyServer server) {
        return HttpRequest.newBuilder(server.url()).build();
    }

    @Test
    void aWholeAnswerWithinTheLimitsIsReturned() throws Exception {
        try (FaultyServer server = FaultyServer.answering(503, "0123456789")) {
            var answer = new BoundedHttp(Duration.ofSeconds(20), 10).send(get(server));

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo("0123456789");
        }
    }

    @Test
    void aBodyThatStopsIsATimeout() {
        try (FaultyServer server = FaultyServer.silentInTheBody()) {
            assertThatThrownBy(() -> new BoundedHttp(SHORT).send(get(server)))
                    .isInstanceOf(HttpTimeoutException.class)
                    .hasMessage("no complete response within 0.3 s");
        }
    }

    @Test
    void aBodyThatTricklesIsATimeoutAndItsConnectionIsClosed() throws Exception {
        try (FaultyServer server = FaultyServer.trickling()) {
            assertThatThrownBy(() -> new BoundedHttp(SHORT).send(get(server))).isInstanceOf(HttpTimeoutException.class);

            assertThat(server.isAbandoned()).isTrue();
        }
    }

    @Test
    void noHeadersAreATimeout() {
        try (FaultyServer server = FaultyServer.with(out -> Thread.sleep(60_000))) {
            assertThatThrownBy(() -> new BoundedHttp(SHORT).send(get(server))).isInstanceOf(HttpTimeoutException.class);
        }
    }

    @Test
    void aBodyThatIsOneByteTooLargeIsAnError() {
        try (FaultyServer server = FaultyServer.answering(200, "0123456789")) {
            assertThatThrownBy(() -> new BoundedHttp(Duration.ofSeconds(20), 9).send(get(server)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the response exceeds 9 bytes");
        }
    }

    @Test
    void aBodyOfUnknownLengthIsAbandonedWhenItIsTooLarge() throws Exception {
        try (FaultyServer server = FaultyServer.huge(false)) {
            assertThatThrownBy(() -> new BoundedHttp(Duration.ofSeconds(20), 1_000_000).send(get(server)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("exceeds 1000000 bytes");

            assertThat(server.isAbandoned()).isTrue();
        }
    }
}
