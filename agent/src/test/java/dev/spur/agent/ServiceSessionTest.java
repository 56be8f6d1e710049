package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.spur.agent.inventory.Host;
import dev.spur.agent.process.LeaseFile;
import dev.spur.agent.process.StateDirectory;
import dev.spur.agent.protocol.HostEnforcement;
import dev.spur.agent.protocol.Messages.DeviceReport;
import dev.spur.agent.protocol.ServiceClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against answers that are made up, also such as no service of ours gives. */
class ServiceSessionTest {
    private static final String REGISTERED = """
            {"registrationEpoch": %d, "leaseTtlSeconds": 100, "leaseGraceSeconds": 5, "heartbeatSeconds": 0.05, "pollHoldSeconds": 30,
             "stop": []}
            """;

    private static final ServiceSession.Aggregation NOTHING_SUMMED = new ServiceSession.Aggregation(List::of, List::of);

    @TempDir
    private Path folder;

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final AtomicInteger beats = new AtomicInteger();
    private volatile List<DeviceReport> health = List.of();
    private volatile Optional<String> refusal = Optional.empty();
    private volatile String heard = "";
    private volatile int status = 200;
    private volatile String body = REGISTERED.formatted(1);
    private HttpServer server;
    private StateDirectory state;
    private LeaseFile lease;
    private ServiceSession link;
    private Thread thread;

    @BeforeEach
    void open() throws IOException {
        serve(0);
        state = StateDirectory.open(folder);
        lease = new LeaseFile(state);
        var identity = new ServiceSession.Identity(
                "left", "instance", "1", "127.0.0.1", "default", Map.of(), 0, HostEnforcement.NONE, false);
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        var client = new ServiceClient(address, Optional::empty);
        link = new ServiceSession(
                client,
                identity,
                Host.ofSlots("left", 1, "stated"),
                lease,
                List::of,
                NOTHING_SUMMED,
                () -> health,
                () -> refusal,
                log::add);
        thread = new Thread(link);
    }

    @AfterEach
    void close() throws Exception {
        thread.interrupt();
        thread.join();
        server.stop(0);
        state.close();
    }

    @Test
    void aRegistrationBringsTheLeaseAndTheTerms() throws Exception {
        thread.start();
        await(() -> link.terms() != null);

        assertThat(link.terms().registrationEpoch()).isEqualTo(1);
        assertThat(link.terms().longestGraceSeconds()).isEqualTo(3);
        assertThat(lease.secondsLeft()).isBetween(50.0, 100.0);
    }

    @Test
    void anAnswerThatIsNotUnderstoodIsNotTheEnd() throws Exception {
        body = "<html>a page of a proxy</html>";
        thread.start();
        await(() -> log.stream().anyMatch(line -> line.contains("invalid response")));
        assertThat(lease.secondsLeft()).isZero();
        body = REGISTERED.formatted(1);
        await(() -> link.terms() != null);

        assertThat(lease.secondsLeft()).isPositive();
    }

    @Test
    void theEndOfAnInterruptionIsLoggedOnce() throws Exception {
        thread.start();
        await(() -> link.terms() != null);
        int port = server.getAddress().getPort();
        server.stop(0);
        await(() -> log.stream().anyMatch(line -> line.startsWith("the service does not respond: ")));

        serve(port);
        int before = beats.get();
        await(() -> beats.get() > before + 2);

        assertThat(log.stream().filter(line -> line.equals("the service responds again")))
                .hasSize(1);
    }

    @Test
    void aStaleRegistrationLeadsToANewRegistration() throws Exception {
        thread.start();
        await(() -> link.terms() != null);
        status = 409;
        await(() -> link.terms() == null);
        body = REGISTERED.formatted(2);
        status = 200;
        await(() -> link.terms() != null);

        assertThat(link.terms().registrationEpoch()).isEqualTo(2);
    }

    @Test
    void whatTheServiceShouldHearNowGoesWithAHeartbeatAtOnce() throws Exception {
        body = REGISTERED.formatted(1).replace("0.05", "3600");
        thread.start();
        await(() -> beats.get() == 2);
        health = List.of(new DeviceReport("left/0", false));

        link.requestHeartbeat();
        await(() -> beats.get() == 3);

        assertThat(heard).contains("\"devices\":[{\"uuid\":\"left/0\",\"healthy\":false,");
    }

    private void serve(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", exchange -> {
            heard = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            beats.incrementAndGet();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
