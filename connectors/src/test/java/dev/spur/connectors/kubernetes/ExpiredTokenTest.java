package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An API server that no longer accepts the token of the connector, or that does not respond. */
class ExpiredTokenTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final List<String> upgrades = new ArrayList<>();
    private HttpServer server;
    private volatile String valid = "first";

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String upgrade = exchange.getRequestHeaders().getFirst("Upgrade");
            if (upgrade != null) {
                upgrades.add(upgrade);
            }
            boolean known =
                    ("Bearer " + valid).equals(exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] body = (known
                            ? "{\"items\": []}"
                            : "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"message\": \"Unauthorized\", \"code\": 401}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(known ? 200 : 401, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private KubernetesClient client(String token) throws IOException {
        return ClusterAccess.open(write(token).toString(), "", TIMEOUT);
    }

    private Path write(String token) throws IOException {
        return Files.writeString(
                folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: u, user: {token: %s}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """.formatted(server.getAddress().getPort(), token));
    }

    @Test
    void isTheCauseThatTheErrorNames() throws Exception {
        try (KubernetesClient client = client("expired")) {
            assertThatThrownBy(() -> new ApiServerClient(client).list(ClusterSnapshot.NODES))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("401 Unauthorized")
                    .hasMessageContaining("token");
        }
    }

    @Test
    void isReplacedByTheOneInTheFile() throws Exception {
        try (KubernetesClient client = client("first")) {
            ApiServerClient calls = new ApiServerClient(client);
            calls.list(ClusterSnapshot.NODES);
            write("second");
            valid = "second";

            assertThat(calls.list(ClusterSnapshot.NODES)).isEmpty();
        }
    }

    /** With HTTP/2 an API server closes the connection of an unknown token, and the client does not see the status. */
    @Test
    void isSeenSinceTheClientDoesNotUseHttp2() throws Exception {
        try (KubernetesClient client = client("first")) {
            new ApiServerClient(client).list(ClusterSnapshot.NODES);

            assertThat(upgrades).isEmpty();
        }
    }

    @Test
    void aServerThatDoesNotRespondIsNamedWithTheCause() throws Exception {
        try (KubernetesClient client = client("first")) {
            server.stop(0);

            assertThatThrownBy(() -> new ApiServerClient(client).list(ClusterSnapshot.NODES))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + server.getAddress().getPort())
                    .hasMessageContaining("connection refused");
        }
    }
}
