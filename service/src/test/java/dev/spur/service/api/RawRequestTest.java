package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.service.web.contract.ProblemType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Bytes that no decent client sends. */
@ExtendWith(OutputCaptureExtension.class)
class RawRequestTest extends ApiTest {
    private static final String HOST = "Host: localhost\r\nConnection: close\r\n";

    private String send(String head, byte[] body) throws IOException {
        return send(port, head, body);
    }

    static String send(int port, String head, byte[] body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(StandardCharsets.UTF_8));
            out.write(body);
            out.flush();
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void isAProblem(String response, int min, int max) {
        int status = Integer.parseInt(response.substring(9, 12));
        assertThat(status).as(response).isBetween(min, max);
        assertThat(response).contains("application/problem+json").contains("X-Request-Id: ");
        String body = response.substring(response.indexOf("\r\n\r\n"));
        String json = body.substring(body.indexOf('{'), body.lastIndexOf('}') + 1);
        assertThat(RoundJson.mapper().readTree(json).path("status").intValue()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-1", "nonsense"})
    void aPartIsAnsweredWithTheWhole(String range) {
        api.get("/openapi.yaml", "Range", range).is(200);
        api.get("/docs", "Range", range).is(200);
    }

    @Test
    void anIdThatEndsLikeAFileIsNoFile() {
        api.put("/api/v1/executors/gpu-1.5", "{}").is(ProblemType.INVALID_REQUEST);
        api.get("/api/v1/nodes/gpu-1.5").is(ProblemType.NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /api/v1/jobs/%zz HTTP/1.1\r\n" + HOST,
                "GET /api/v1/jobs/%00 HTTP/1.1\r\n" + HOST,
                "GET /api/v1/jobs/a%2Fb HTTP/1.1\r\n" + HOST,
                "GET /api/v1/jobs/%c3%28 HTTP/1.1\r\n" + HOST,
                "GET /api/v1/pools/%c0%af HTTP/1.1\r\n" + HOST,
                "GET /api/v1/pools/%ed%a0%80 HTTP/1.1\r\n" + HOST,
                "GET /api/v1/pools/%0d%0aX-Evil:1 HTTP/1.1\r\n" + HOST,
                "GET /api/v1/pools/%2e%2e HTTP/1.1\r\n" + HOST,
                "GET /api/v1/pools/a;jsessionid=1 HTTP/1.1\r\n" + HOST,
                "GET /api/v1/rounds/1e9 HTTP/1.1\r\n" + HOST,
                "GET /api/v1/rounds/9223372036854775808 HTTP/1.1\r\n" + HOST,
                "GET /api/v1/usage?since=-999999999-01-01T00:00:00Z HTTP/1.1\r\n" + HOST,
                "GET /api/v1/audit?since=2026-02-30T00:00:00Z HTTP/1.1\r\n" + HOST,
                "GET /api/v1/../../etc/passwd HTTP/1.1\r\n" + HOST,
                "GET /api/v1//jobs HTTP/1.1\r\n" + HOST,
                "GET /api/v1/jobs?limit=%zz HTTP/1.1\r\n" + HOST,
                "GET /api/v1/jobs?%ff=1 HTTP/1.1\r\n" + HOST,
                "GET /metrics?%ff= HTTP/1.1\r\n" + HOST,
                "GET /health/live?== HTTP/1.1\r\n" + HOST,
                "GET /api/v1/jobs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n",
                "GET /api/v1/jobs HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n",
                "GET /api/v1/jobs HTTP/1.1\r\nConnection: close\r\n"
            })
    void isAnsweredWithAProblem(String head) throws IOException {
        isAProblem(send(head + "\r\n", new byte[0]), 400, 404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /api/v1/jobs?a=<b> HTTP/1.1\r\n" + HOST,
                "GET /api/v1/jobs HTTP/9.9\r\n" + HOST,
                "G{T /api/v1/jobs HTTP/1.1\r\n" + HOST,
                "POST /api/v1/jobs HTTP/1.1\r\nContent-Length: -5\r\n" + HOST,
                "POST /api/v1/jobs HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n" + HOST,
                "nonsense\r\n"
            })
    void isTurnedAway(String head) throws IOException {
        assertThat(send(head + "\r\n", new byte[0])).containsPattern("^HTTP/1\\.1 (4..|505) ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Accept: */*;q=nonsense | 406",
                "Accept: ,,;;= | 406",
                "Accept-Charset: utf-7 | 200",
                "Accept-Encoding: gzip, br;q=nonsense | 200",
                "Accept-Language: tlh | 200",
                "Cookie: a=b; \" | 200",
                "Expect: 200-ok | 400",
                "Forwarded: for=\"_x\" | 401",
                "If-Match: nonsense | 200",
                "If-None-Match: \" | 200",
                "If-Modified-Since: yesterday | 200",
                "Range: nonsense | 200",
                "X-HTTP-Method-Override: DELETE | 200",
                "X-Request-Id: a b | 200",
                "X-Request-Id: \u00fc | 200",
            })
    void aHeaderThatMeansNothingIsIgnoredOrRejected(String header, int status) throws IOException {
        String response = send("GET /api/v1/settings HTTP/1.1\r\n" + header + "\r\n" + HOST + "\r\n", new byte[0]);

        assertThat(response).startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void aHeaderBeyondAllMeasureIsTurnedAway() throws IOException {
        assertThat(send(
                        "GET /api/v1/jobs HTTP/1.1\r\nX-Long: " + "x".repeat(100_000) + "\r\n" + HOST + "\r\n",
                        new byte[0]))
                .startsWith("HTTP/1.1 4");
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeItIsRead() throws IOException {
        String head = "POST /api/v1/jobs HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n";

        isAProblem(send(head + HOST + "\r\n", new byte[0]), 413, 413);
    }

    @Test
    void aBodyThatGrowsTooLargeIsRefused() {
        byte[] body = new byte[(8 << 20) + 2];
        java.util.Arrays.fill(body, (byte) ' ');
        var request = HttpRequest.newBuilder(api.uri("/api/v1/solve"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(body)));

        api.send(request.build()).is(ProblemType.TOO_LARGE);
    }

    @Test
    void aBodyThatBreaksOffEndsTheConnection(CapturedOutput log) throws IOException {
        String head = "POST /api/v1/jobs HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n";

        assertThat(send(head + HOST + "\r\n", "{\"owner\":".getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(count("job")).isZero();
        assertThat(log).doesNotContain("WARN", "ERROR", "Exception");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /, 405",
        "POST, /nothing, 404",
        "POST, /docs, 405",
        "POST, /health/live, 405",
        "POST, /api/v1/jobs, 415",
        "GET, /api/v1/jobs, 400",
        "PUT, /compat/adaptdl/hints/a/b, 415",
        "POST, /keyed/aggregation/a/shard-locations, 405"
    })
    void aMultipartBodyIsNotReadAnywhere(String method, String path, int status, CapturedOutput log)
            throws IOException {
        byte[] body = String.join(
                        "\r\n", "--x", "Content-Disposition: form-data; name=a", "", "b".repeat(1000), "--x--", "")
                .getBytes(StandardCharsets.UTF_8);
        String head = method + " " + path + " HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\n"
                + "Content-Length: " + body.length + "\r\n";

        isAProblem(send(head + HOST + "\r\n", body), status, status);
        isAProblem(send(head.replace("boundary=x", "") + HOST + "\r\n", body), status, status);
        assertThat(log).doesNotContain("ERROR", "Exception");
    }

    @Test
    void aLargeMultipartBodyWithoutATokenIsAnsweredWith401() throws IOException {
        String head = String.join(
                "\r\n",
                "POST /api/v1/jobs HTTP/1.1",
                "Content-Type: multipart/form-data; boundary=x",
                "Authorization: Bearer nonsense",
                "Content-Length: 2000000",
                "");

        isAProblem(send(head + HOST + "\r\n", new byte[0]), 401, 401);
    }

    @Test
    void aBodyThatIsNotUtf8IsRefused() throws IOException {
        byte[] body = "{\"owner\": \"\u00e4\"}".getBytes(StandardCharsets.ISO_8859_1);
        String head = "POST /api/v1/jobs HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: " + body.length;

        String response = send(head + "\r\n" + HOST + "\r\n", body);
        isAProblem(response, 400, 400);
        assertThat(response).contains("/owner");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/nothing",
                "/docs",
                "/docs/index.html",
                "/health/live",
                "/metrics",
                "/openapi.yaml",
                "/api/v1/jobs",
                "/api/v1/nothing",
                "/api/v1/jobs/8f14e45f-ceea-467f-9a36-dedd4bea2543",
                "/keyed/aggregation/a/shard-locations",
                "/error"
            })
    void noPathOffersTrace(String path) throws IOException {
        String answer = send("OPTIONS " + path + " HTTP/1.1\r\n" + HOST + "\r\n", new byte[0]);

        assertThat(answer).startsWith("HTTP/1.1 ").doesNotContain("TRACE");
    }

    @Test
    void anIdThatIsUnfitForALogIsReplaced() throws IOException {
        assertThat(send("GET /api/v1/settings HTTP/1.1\r\nX-Request-Id: mine-7\r\n" + HOST + "\r\n", new byte[0]))
                .contains("X-Request-Id: mine-7\r\n");
        assertThat(send("GET /api/v1/settings HTTP/1.1\r\nX-Request-Id: a b\r\n" + HOST + "\r\n", new byte[0]))
                .doesNotContain("a b");
    }
}
