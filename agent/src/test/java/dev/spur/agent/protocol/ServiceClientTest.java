package dev.spur.agent.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.spur.agent.protocol.ServiceClient.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both transports send the same requests and return the same responses. */
class ServiceClientTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private URI address;
    private int status = 200;
    private String response = "{\"id\": \"j1\"}";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var headers = exchange.getRequestHeaders();
            requests.add("%s %s key=%s token=%s body=%s"
                    .formatted(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI(),
                            headers.getFirst("Idempotency-Key"),
                            headers.getFirst("Authorization"),
                            body));
            byte[] bytes = response.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestsCarryMethodBodyKeyAndToken(boolean command) throws Exception {
        ServiceClient client = client(command);

        client.get("/a?b=c%20d", LIMIT);
        client.put("/a", Map.of("x", 1), LIMIT);
        client.post("/a", Map.of("x", "ü"), LIMIT, "k1");
        client.post("/a/cancel", LIMIT);

        assertThat(requests)
                .containsExactly(
                        "GET /a?b=c%20d key=null token=Bearer secret body=",
                        "PUT /a key=null token=Bearer secret body={\"x\":1}",
                        "POST /a key=k1 token=Bearer secret body={\"x\":\"ü\"}",
                        "POST /a/cancel key=null token=Bearer secret body=");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void errorsAreResponsesWithTheirProblem(boolean command) throws Exception {
        for (int code : List.of(401, 409, 500)) {
            status = code;
            response = "{\"title\": \"Conflict\", \"detail\": \"The job has ended.\"}";

            Answer answer = client(command).post("/a", Map.of("x", 1), LIMIT, "k1");

            assertThat(answer.isFine()).isFalse();
            assertThat(answer.problem()).isEqualTo(code + " The job has ended.");
        }
        assertThat(requests).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRedirectIsNotFollowedAndAnEmptyBodyIsAnEmptyObject(boolean command) throws Exception {
        status = 302;
        response = "";

        Answer answer = client(command).get("/a", LIMIT);

        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.json()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aServiceThatDoesNotListenIsAnInputOutputError(boolean command) {
        server.stop(0);

        assertThatThrownBy(() -> client(command).get("/a", LIMIT)).isInstanceOf(IOException.class);
    }

    private ServiceClient client(boolean command) {
        return command
                ? ServiceClient.forCommand(address, () -> Optional.of("secret"))
                : new ServiceClient(address, () -> Optional.of("secret"));
    }
}
