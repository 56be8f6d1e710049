package dev.spur.service.web.contract;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One request body on a Tomcat of its own, with a limit and a deadline that are short. */
class BodyReadingTest {
    private static final int LIMIT = 10;
    /** Pause after which the container has read what was sent before it. */
    private static final long PAUSE_MILLIS = 200;

    private final Tomcat tomcat = new Tomcat();

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws Exception {
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        var context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "echo", new Echo()).setAsyncSupported(true);
        context.addServletMapping("/", "echo");
        tomcat.start();
    }

    @AfterEach
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }

    /** Answers with the body, or the status of the problem. */
    private static final class Echo extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            boolean begins = request.getDispatcherType() == DispatcherType.REQUEST;
            if (begins && !BodyReading.start(request, response, LIMIT, Duration.ofSeconds(1))) {
                return;
            }
            response.setHeader("Dispatches", begins ? "1" : "2");
            try {
                response.getOutputStream().write(BodyReading.of(request).body());
            } catch (ProblemException problem) {
                response.setStatus(problem.type().status());
                response.getOutputStream().print(problem.getMessage());
            }
        }
    }

    private String send(String headers, String... body) throws Exception {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers + "\r\n" + body[0])
                            .getBytes(StandardCharsets.UTF_8));
            for (int piece = 1; piece < body.length; piece++) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                socket.getOutputStream().write(body[piece].getBytes(StandardCharsets.UTF_8));
            }
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aBodyUpToTheLimitIsTaken() throws Exception {
        assertThat(send("Content-Length: 10\r\n", "0123456789"))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("0123456789");
        assertThat(send("Transfer-Encoding: chunked\r\n", "4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n"))
                .contains("0123456789");
    }

    @Test
    void aBodyThatArrivesWithItsHeadersIsReadInOneDispatch() throws Exception {
        assertThat(send("Content-Length: 10\r\n", "0123456789"))
                .contains("Dispatches: 1")
                .endsWith("0123456789");
    }

    @Test
    void aBodyThatArrivesInPiecesIsReadWithoutAThread() throws Exception {
        assertThat(send("Content-Length: 10\r\n", "0123", "45", "6789"))
                .contains("Dispatches: 2")
                .endsWith("0123456789");
        assertThat(send("Content-Length: 10\r\n", "", "0123456789"))
                .contains("Dispatches: 2")
                .endsWith("0123456789");
    }

    @Test
    void aBodyAboveTheLimitIsReadToItsEndAndAnsweredWith413() throws Exception {
        assertThat(send("Content-Length: 11\r\n", "0123456789a"))
                .startsWith("HTTP/1.1 413 ")
                .contains("larger than 10 bytes");
        assertThat(send("Transfer-Encoding: chunked\r\n", "4\r\n0123\r\n7\r\n456789a\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
    }

    /** The container looks for late requests once a second. */
    @Test
    void aBodyThatIsNotWholeAtTheDeadlineIsAnsweredWith408() throws Exception {
        assertThat(send("Content-Length: 10\r\n", "012345678"))
                .startsWith("HTTP/1.1 408 ")
                .contains("within 1 s");
    }
}
