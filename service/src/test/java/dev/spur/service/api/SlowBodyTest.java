package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.Client;
import dev.spur.service.web.ServerConnectors;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

/** Clients that begin a body and do not finish it. */
class SlowBodyTest extends ApiTest {
    private static final int CLIENTS = 200;
    private static final String JSON = "Host: localhost\r\nContent-Type: application/json\r\n";
    private static final String TOKEN = "Authorization: Bearer spur_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n";
    private static final String KEYED = "PUT /compat/adaptdl/hints/5b1f6f0e-8c1e-4c55-9a5b-0e6f3a1d7c42/"
            + "8f14e45f-ceea-467f-9a36-dedd4bea2543 HTTP/1.1\r\n";

    @Autowired
    private ServerConnectors.ProbeProperties probes;

    private final List<Socket> clients = new ArrayList<>();

    @AfterEach
    void leave() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
    }

    private Socket begin(String head, String body) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        clients.add(socket);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write((head + "\r\n" + body).getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000\r\n",
                "PUT /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n",
                "POST /api/v1/jobs HTTP/1.1\r\n" + JSON + TOKEN + "Content-Length: 5000\r\n",
                "POST /api/v1/jobs HTTP/1.1\r\n" + JSON + "Content-Length: 5000\r\n",
                "POST /%zz HTTP/1.1\r\n" + JSON + "Content-Length: 5000\r\n",
                KEYED + JSON + "Content-Length: 5000\r\n"
            })
    void holdNoRequestThread(String head) throws Exception {
        for (int c = 0; c < CLIENTS; c++) {
            begin(head, c % 2 == 0 ? "{" : "");
        }

        assertThatTheServiceAnswers();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1\r\n", "1\r\n{\r\n5"})
    void holdNoRequestThreadWhateverPartOfAChunkTheySend(String begin) throws Exception {
        for (int c = 0; c < CLIENTS; c++) {
            begin("POST /api/v1/jobs HTTP/1.1\r\n" + JSON + "Transfer-Encoding: chunked\r\n", begin);
        }

        assertThatTheServiceAnswers();
    }

    /** With all request threads held it takes at least 12 s; the limit leaves room for a busy machine. */
    private void assertThatTheServiceAnswers() {
        long begin = System.nanoTime();
        api.get("/health/live").is(200);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)).isLessThan(5000);
        api.get("/health/ready").is(200);
        cluster(1);
        api.post("/api/v1/rounds").is(202);
    }

    @ParameterizedTest
    @CsvSource({"/health/live, 200", "/health/ready, 200", "/metrics, 200", "/api/v1/jobs, 404", "/, 404", "/docs, 404"
    })
    void theProbePortServesProbesOnly(String path, int status) throws Exception {
        assertThat(new Client(probes.port()).get(path).statusCode()).isEqualTo(status);
    }

    @Test
    void areAnsweredOnceTheBodyIsComplete() throws IOException {
        String body = Submissions.json();
        String head = "POST /api/v1/jobs HTTP/1.1\r\n" + JSON + "Connection: close\r\nContent-Length: " + body.length()
                + "\r\n";
        cluster(4);
        Socket client = begin(head, body.substring(0, 10));

        client.getOutputStream().write(body.substring(10).getBytes(StandardCharsets.UTF_8));

        assertThat(all(client)).startsWith("HTTP/1.1 201 ");
    }

    @Test
    void receiveTheAnswerThatRefusesThemAndAreDisconnected() throws IOException {
        Socket client = begin("POST /api/v1/jobs HTTP/1.1\r\n" + JSON + TOKEN + "Content-Length: 5000\r\n", "{");

        assertThat(all(client)).startsWith("HTTP/1.1 401 ").contains("Connection: close");
    }

    private static String all(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
