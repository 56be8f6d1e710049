package dev.spur.service.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanFeed;
import dev.spur.service.plans.PlanStore;
import dev.spur.service.rounds.TestRounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The service on a port and a database of its own, shared by all tests that extend this. No rounds and recordings of
 * outcomes run by themselves, and before each test the cluster is empty. The periodic refresh of long polls comes too
 * late to help, so that only events end their waiting.
 */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "spur.rounds.enabled=false",
            "spur.rounds.grace=500ms",
            "spur.executors.check-interval=0s",
            "spur.long-polls.refresh-interval=1h",
            "spur.outcomes.interval=0s",
            "spur.outcomes.metrics-interval=0s",
            "spur.events.heartbeat=500ms",
            "spur.webhooks.allowed-networks=127.0.0.1/32",
            "spur.webhooks.first-retry=20ms",
            "spur.webhooks.max-attempts=4",
            "spur.webhooks.timeout=1s",
            "spur.security.mode=local",
            "spur.security.token-cache-ttl=0s",
            "spur.security.rate.failures-per-minute=0"
        })
@Import({SwitchablePolicy.class, TestCluster.class, TestRounds.class, FaultPoints.class})
public abstract class ServiceTest {
    private static final TestDatabase DATABASE = TestDatabase.migrated();

    @Autowired
    protected TestCluster world;

    @Autowired
    protected SwitchablePolicy policy;

    @Autowired
    private TransactionTemplate transaction;

    @LocalServerPort
    private int port;

    @Autowired
    private PlanFeed feed;

    @Autowired
    private PlanStore plans;

    /** Waits until the feed hands out the current plan. */
    protected void awaitFeed() throws InterruptedException {
        Optional<Instant> published = plans.newest().map(PlanStore.Current::publishedAt);
        await(() -> feed.current().map(PlanDocument::publishedAt).equals(published));
    }

    /** Waits until something is true, for as long as a busy machine may take. */
    protected static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** Waits until {@code work} waits for a lock of the database, or is done. */
    protected void awaitBlocked(Future<?> work) {
        try {
            await(() ->
                    work.isDone() || world.value(Long.class, "select count(*) from pg_locks where not granted") > 0);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    /** The answer to what is asked after {@code change} of {@code subject} was made, and before it is committed. */
    protected <T> T beside(String change, String subject, Supplier<T> question) {
        CompletableFuture<T> answer = Objects.requireNonNull(transaction.execute(status -> {
            world.sql(change, subject);
            CompletableFuture<T> requested = CompletableFuture.supplyAsync(question);
            awaitBlocked(requested);
            return requested;
        }));
        return answer.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** A caller of the service. */
    protected Client client() {
        return new Client(port);
    }

    /** Where the service listens. */
    protected String address() {
        return "http://127.0.0.1:" + port;
    }

    @DynamicPropertySource
    static void useTheDatabase(DynamicPropertyRegistry registry) {
        DATABASE.register(registry);
        IdentityProvider.register(registry);
        registry.add("spur.probes.port", ServiceTest::freePort);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends every connection to the database, as a restart of the server does. */
    protected static void cutConnections() {
        DATABASE.execute("""
                select pg_terminate_backend(pid) from pg_stat_activity
                where pid <> pg_backend_pid() and datname = current_database()
                """);
    }

    @BeforeEach
    void restart() {
        policy.reset();
        world.reset();
    }
}
