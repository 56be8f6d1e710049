package dev.spur.service.feeds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.SpurApplication;
import dev.spur.service.security.Role;
import dev.spur.service.testing.AnotherService;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ProblemType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

class EventStreamTest extends ServiceTest {
    private static final String STREAM = "/api/v1/events/stream";

    @Autowired
    private EventHub hub;

    @Autowired
    private EventStore store;

    @Autowired
    private PlatformTransactionManager transactions;

    @Autowired
    private Environment environment;

    @LocalServerPort
    private int port;

    private String job = "";

    @BeforeEach
    void submit() {
        job = world.job(1);
    }

    @AfterEach
    void closeAll() throws InterruptedException {
        await(() -> hub.streams() == 0);
    }

    private void add(String kind) {
        world.sql("insert into job_event (job_id, kind, detail) values (?, ?, '{}')", job, kind);
    }

    private EventReader open(String query, String... headers) throws Exception {
        return EventReader.open(address() + STREAM + query, headers);
    }

    /** Adds an event, and another one in a transaction that begins earlier and commits later. */
    private void addOutOfOrder(String first, String second) {
        TransactionTemplate outer = new TransactionTemplate(transactions);
        TransactionTemplate inner = new TransactionTemplate(transactions);
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        outer.executeWithoutResult(status -> {
            add(first);
            inner.executeWithoutResult(late -> add(second));
        });
    }

    @Nested
    class AStream {
        @Test
        void losesNoEventOfATransactionThatCommitsLate() throws Exception {
            try (EventReader reader = open("")) {
                for (int i = 0; i < 20; i++) {
                    addOutOfOrder("HELD", "RELEASED");
                }

                for (int i = 0; i < 20; i++) {
                    assertThat(reader.kinds(2)).containsExactly("HELD", "RELEASED");
                }
            }
        }

        @Test
        void namesTheJobAndTheDetail() throws Exception {
            try (EventReader reader = open("?kind=STARTED")) {
                world.sql(
                        "insert into job_event (job_id, kind, detail) values (?, 'STARTED', '{\"generation\": 3}')",
                        job);

                var event = reader.next();
                assertThat(event.path("jobId").asString()).isEqualTo(job);
                assertThat(event.path("tenant").asString()).isEqualTo("root");
                assertThat(event.path("detail").path("generation").asInt()).isEqualTo(3);
                await(() -> reader.lastId().equals(event.path("id").asString()));
            }
        }

        @Test
        void containsPublishedPlans() throws Exception {
            try (EventReader reader = open("")) {
                world.sql(
                        "insert into round (number, lease_term, trigger, status) values (7, 1, 'a test', 'PUBLISHED')");
                world.sql("""
                        insert into plan (revision, round_number, lease_term, published_at, node_revisions, summary, body)
                        values (5, 7, 1, now(), '{}', '{}', '{}')
                        """);

                var event = reader.next();
                assertThat(event.path("kind").asString()).isEqualTo("PLAN_PUBLISHED");
                assertThat(event.path("jobId").isNull()).isTrue();
                assertThat(event.path("detail").path("revision").asInt()).isEqualTo(5);
            }
        }

        @Test
        void continuesAfterTheLastEventThatTheCallerHas() throws Exception {
            String seen;
            try (EventReader reader = open("")) {
                add("HELD");
                seen = reader.next().path("id").asString();
            }
            add("RELEASED");
            add("STARTED");

            try (EventReader again = open("", "Last-Event-ID", seen)) {
                add("RUNNING");

                assertThat(again.kinds(3)).containsExactly("RELEASED", "STARTED", "RUNNING");
            }
        }

        @Test
        void continuesOverManyEvents() throws Exception {
            String start;
            try (EventReader reader = open("")) {
                start = reader.lastId();
            }
            world.sql("""
                    insert into job_event (job_id, kind, detail) select ?, 'E_' || chr(65 + i % 26), '{}' from generate_series(1, 6000) i
                    """, job);

            try (EventReader again = open("", "Last-Event-ID", start)) {
                add("DONE");
                assertThat(again.kinds(6001)).endsWith("DONE");
            }
        }

        @Test
        void showsACallerItsTenantsOnly() throws Exception {
            world.sql("insert into tenant (name, parent, weight, quotas) values ('vision', 'root', 1, '{}')");
            String token = world.token(Role.VIEWER, "vision", null);
            try (EventReader reader = open("", "Authorization", "Bearer " + token)) {
                add("HELD");
                world.sql("update job set tenant = 'vision' where id = ?", world.job(1));
                world.sql("""
                        insert into job_event (job_id, kind, detail) select id, 'RUNNING', '{}' from job where tenant = 'vision'
                        """);

                assertThat(reader.next().path("tenant").asString()).isEqualTo("vision");
            }
        }

        @Test
        void containsWhatItsFiltersName() throws Exception {
            String other = world.job(1);
            try (EventReader reader = open("?job=" + other + "&kind=DONE&kind=FAILED&tenant=root")) {
                add("DONE");
                for (String kind : List.of("RUNNING", "FAILED")) {
                    world.sql("insert into job_event (job_id, kind, detail) values (?, ?, '{}')", other, kind);
                }

                assertThat(reader.next().path("kind").asString()).isEqualTo("FAILED");
            }
        }

        @Test
        void doesNotBeginAtAPositionThatTheDatabaseHasNotIssued() {
            ContractedClient api = new ContractedClient(port);

            String message = api.get(STREAM, "Last-Event-ID", "999999999999-1")
                    .is(ProblemType.INVALID_REQUEST)
                    .at("/errors/0/message");

            assertThat(message).contains("no event of this database");
        }
    }

    @Nested
    class AfterARestoreIntoANewDatabase {
        @Test
        void storedEventsDoNotDelayNewOnes() {
            add("HELD");
            world.sql("update job_event set transaction_id = '999999999999'");

            store.moveRestoredEvents();

            EventPosition end = store.end();
            add("RELEASED");
            assertThat(store.after(end, 10).events())
                    .extracting(ClusterEvent::kind)
                    .containsExactly("RELEASED");
            assertThat(store.after(new EventPosition(0, 0), 10).events())
                    .extracting(ClusterEvent::kind)
                    .containsExactly("HELD", "RELEASED");
        }
    }

    @Nested
    class AnotherReplica {
        private ConfigurableApplicationContext other;
        private String url = "";

        @BeforeEach
        void start() {
            other = AnotherService.start(
                    new SpringApplicationBuilder(SpurApplication.class)
                            .properties(
                                    "server.port=0",
                                    "server.tomcat.connection-timeout=1s",
                                    "spur.rounds.enabled=false",
                                    "spur.events.max-streams=2",
                                    "spur.events.heartbeat=100ms",
                                    "spur.security.mode=local"),
                    Stream.of("spur.database.url", "spur.database.user", "spur.database.password")
                            .map(name -> "--" + name + "=" + environment.getRequiredProperty(name))
                            .toArray(String[]::new));
            url = "http://127.0.0.1:" + otherPort() + STREAM;
        }

        @AfterEach
        void stop() {
            other.close();
        }

        private int otherPort() {
            return Objects.requireNonNull(other.getEnvironment().getProperty("local.server.port", Integer.class));
        }

        @Test
        void continuesTheStreamOfTheFirst() throws Exception {
            String seen;
            try (EventReader reader = open("")) {
                add("HELD");
                seen = reader.next().path("id").asString();
            }
            add("RELEASED");

            try (EventReader there = EventReader.open(url, "Last-Event-ID", seen)) {
                add("RUNNING");

                assertThat(there.kinds(2)).containsExactly("RELEASED", "RUNNING");
            }
        }

        @Test
        void sendsItsPositionWithoutMatchingEvents() throws Exception {
            try (EventReader reader = EventReader.open(url + "?kind=PROFILED")) {
                String before = reader.lastId();
                add("HELD");

                await(() -> !reader.lastId().equals(before));
            }
        }

        @Test
        void rejectsMoreStreamsThanItsLimit() throws Exception {
            ContractedClient api = new ContractedClient(otherPort());
            try (EventReader one = EventReader.open(url);
                    EventReader two = EventReader.open(url)) {
                assertThat(api.get(STREAM).is(503).header("Retry-After")).isNotEmpty();
                assertThat(one.hasEnded() || two.hasEnded()).isFalse();
            }
        }

        @Test
        void disconnectsACallerThatTakesNothing() throws Exception {
            EventHub there = other.getBean(EventHub.class);
            try (Socket slow = new Socket()) {
                slow.setReceiveBufferSize(4096);
                slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), otherPort()));
                slow.getOutputStream()
                        .write(("GET " + STREAM + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                await(() -> there.streams() == 1);
                world.sql("""
                        insert into job_event (job_id, kind, detail)
                        select ?, 'RUNNING', jsonb_build_object('text', repeat('x', 4000)) from generate_series(1, 3000)
                        """, job);

                await(() -> there.streams() == 0);
            }
        }

        @Test
        void endsItsStreamsWhenItStops() throws Exception {
            try (EventReader reader = EventReader.open(url)) {
                other.close();

                await(reader::hasEnded);
            }
        }
    }
}
