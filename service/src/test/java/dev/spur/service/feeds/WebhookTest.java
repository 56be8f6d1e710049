package dev.spur.service.feeds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.feeds.Receiver.Behavior;
import dev.spur.service.feeds.Receiver.Received;
import dev.spur.service.security.Role;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ProblemType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

class WebhookTest extends ServiceTest {
    private static final String WEBHOOKS = "/api/v1/webhooks";

    @Autowired
    private DeliveryStore deliveries;

    @LocalServerPort
    private int port;

    private ContractedClient api;
    private Receiver receiver;
    private String job = "";
    private String secret = "";

    @BeforeEach
    void start() throws Exception {
        api = new ContractedClient(port);
        receiver = new Receiver();
        job = world.job(1);
    }

    @AfterEach
    void stop() {
        world.sql("delete from webhook");
        receiver.close();
    }

    private String create(String host, String rest) {
        var created = api.post(WEBHOOKS, "{\"url\": \"%s\"%s}".formatted(receiver.url(host), rest))
                .is(201);
        secret = created.at("/secret");
        return created.at("/webhook/id");
    }

    private void add(String kind) {
        world.sql("insert into job_event (job_id, kind, detail) values (?, ?, '{}')", job, kind);
    }

    private JsonNode log(String webhook) {
        return api.get(WEBHOOKS + "/" + webhook + "/deliveries").is(200).json().path("items");
    }

    private void awaitState(String webhook, String state) throws InterruptedException {
        await(() -> log(webhook).path(0).path("state").asString().equals(state));
    }

    @Nested
    class Deliveries {
        @Test
        void areSignedAsStandardWebhooks() throws Exception {
            String id = create("127.0.0.1", "");
            add("RUNNING");

            Received request = receiver.take();
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(6)), "HmacSHA256"));
            byte[] expected = mac.doFinal(
                    (request.id() + "." + request.timestamp() + "." + request.body()).getBytes(StandardCharsets.UTF_8));
            assertThat(request.signature())
                    .isEqualTo("v1," + Base64.getEncoder().encodeToString(expected));
            assertThat(request.json().path("jobId").asString()).isEqualTo(job);
            awaitState(id, "DELIVERED");
            assertThat(log(id).path(0).path("id").asString()).isEqualTo(request.id());
            assertThat(api.get(WEBHOOKS + "/" + id).text()).doesNotContain("whsec_");
        }

        /** The example of the documentation is the specification. */
        @Test
        void areVerifiedByThePythonExample() throws Exception {
            create("127.0.0.1", "");
            add("RUNNING");
            Received request = receiver.take();

            assertThat(PythonExample.verifies(secret, request)).isTrue();
            assertThat(PythonExample.verifies(
                            secret,
                            new Received(request.id(), request.timestamp(), request.signature(), request.body() + " ")))
                    .isFalse();
        }

        @Test
        void followTheOrderOfEvents() throws Exception {
            create("127.0.0.1", "");
            receiver.next(Behavior.FAIL, Behavior.ACCEPT, Behavior.FAIL);
            for (int i = 0; i < 150; i++) {
                add("E_" + (char) ('A' + i / 26) + (char) ('A' + i % 26));
            }

            await(() -> receiver.all().size() >= 152);
            List<String> distinct =
                    receiver.all().stream().map(Received::kind).distinct().toList();
            assertThat(distinct).hasSize(150).isSorted();
        }

        @ParameterizedTest
        @EnumSource(names = {"FAIL", "HANG", "CLOSE", "DRIP"})
        void areRepeatedWithTheSameIdAfterAFailure(Behavior failure) throws Exception {
            String id = create("127.0.0.1", "");
            receiver.next(failure);
            add("RUNNING");

            assertThat(receiver.take().id()).isEqualTo(receiver.take().id());
            awaitState(id, "DELIVERED");
            assertThat(log(id).path(0).path("attempts").asInt()).isEqualTo(2);
        }

        @Test
        void areDeadAfterTheLastAttemptAndTheNextFollows() throws Exception {
            String id = create("127.0.0.1", "");
            receiver.next(Behavior.FAIL, Behavior.FAIL, Behavior.FAIL, Behavior.FAIL);
            add("RUNNING");
            add("DONE");

            // at least: an accepted delivery is repeated if its response comes too late
            await(() -> receiver.all().size() >= 5);
            awaitState(id, "DELIVERED");
            int received = receiver.all().size();
            JsonNode dead = api.get(WEBHOOKS + "/" + id + "/deliveries?state=DEAD")
                    .is(200)
                    .json()
                    .path("items")
                    .path(0);
            assertThat(dead.path("lastStatus").asInt()).isEqualTo(500);

            api.post(WEBHOOKS + "/" + id + "/deliveries/" + dead.path("id").asString() + "/redeliver")
                    .is(202);
            await(() -> receiver.all().size() > received);
            assertThat(receiver.all().get(received).id())
                    .isEqualTo(receiver.all().get(0).id());
        }

        @Test
        void containWhatTheWebhookNames() throws Exception {
            world.sql("insert into tenant (name, parent, weight, quotas) values ('vision', 'root', 1, '{}')");
            world.sql("insert into tenant (name, parent, weight, quotas) values ('detection', 'vision', 1, '{}')");
            create("127.0.0.1", ", \"kinds\": [\"DONE\"], \"tenants\": [\"vision\"]");
            add("DONE");
            String below = world.job(1);
            world.sql("update job set tenant = 'detection' where id = ?", below);
            for (String kind : List.of("RUNNING", "DONE")) {
                world.sql("insert into job_event (job_id, kind, detail) values (?, ?, '{}')", below, kind);
            }

            Received request = receiver.take();
            assertThat(request.json().path("jobId").asString()).isEqualTo(below);
            assertThat(request.kind()).isEqualTo("DONE");
        }

        @Test
        void beginWithTheNextEventWhenTheWebhookIsEnabledAgain() throws Exception {
            String id = create("127.0.0.1", ", \"enabled\": false");
            add("HELD");
            String body = "{\"url\": \"%s\", \"enabled\": true}".formatted(receiver.url("127.0.0.1"));
            api.put(WEBHOOKS + "/" + id, body).is(ProblemType.PRECONDITION_REQUIRED);
            api.put(WEBHOOKS + "/" + id, body, "If-Match", "\"1\"").is(200);
            add("RELEASED");

            assertThat(receiver.take().kind()).isEqualTo("RELEASED");
        }

        @Test
        void doNotGrowAheadOfAReceiverThatFails() throws Exception {
            String id = create("127.0.0.1", "");
            receiver.next(Behavior.HANG);
            add("RUNNING");
            receiver.take();
            world.sql(
                    "insert into job_event (job_id, kind, detail) select ?, 'DRIFT', '{}' from generate_series(1, 2500)",
                    job);

            await(() -> receiver.all().size() == 2502);
            assertThat(world.value(Long.class, "select count(*) from webhook_delivery where webhook_id = ?", id))
                    .isEqualTo(2501);
        }
    }

    @Nested
    class APing {
        @Test
        void hasOneAttempt() throws Exception {
            String id = create("127.0.0.1", "");
            receiver.next(Behavior.FAIL);

            api.post(WEBHOOKS + "/" + id + "/ping").is(202);

            assertThat(receiver.take().kind()).isEqualTo("PING");
            awaitState(id, "DEAD");
            assertThat(api.get("/metrics").is(200).text())
                    .contains("spur_webhooks_deliveries_dead 1.0")
                    .contains("spur_webhooks_deliveries_pending 0.0")
                    .contains("spur_events_streams 0.0");
            assertThat(receiver.all()).hasSize(1);
        }

        @Test
        void requiresAnEnabledWebhook() {
            String id = create("127.0.0.1", ", \"enabled\": false");

            api.post(WEBHOOKS + "/" + id + "/ping").is(ProblemType.CONFLICT);
        }
    }

    @Nested
    class Destinations {
        @ParameterizedTest
        @ValueSource(strings = {"127.0.0.2", "[::1]", "0.0.0.0", "[::ffff:127.0.0.2]", "2130706434"})
        void thatAreNotPublicReceiveNothing(String host) throws Exception {
            String id = create(host, "");

            api.post(WEBHOOKS + "/" + id + "/ping").is(202);

            awaitState(id, "DEAD");
            assertThat(log(id).path(0).path("lastError").asString()).contains("allowed-networks");
            assertThat(receiver.all()).isEmpty();
        }

        @Test
        void areNotReachedByRedirects() throws Exception {
            try (Receiver inner = new Receiver()) {
                receiver.redirectTo(inner);
                receiver.next(Behavior.REDIRECT);
                String id = create("127.0.0.1", "");

                api.post(WEBHOOKS + "/" + id + "/ping").is(202);

                awaitState(id, "DEAD");
                assertThat(log(id).path(0).path("lastError").asString()).contains("redirects (307)");
                assertThat(inner.all()).isEmpty();
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "ftp://example.org/x",
                    "https://user:secret@example.org/",
                    "https://example.org/#part",
                    "https://example.org:0/",
                    "https://example.org:99999/"
                })
        void areHttpUrls(String url) {
            var refusal = api.post(WEBHOOKS, "{\"url\": \"%s\"}".formatted(url));

            assertThat(refusal.status()).isIn(400, 422);
            assertThat(refusal.at("/errors/0/pointer")).isEqualTo("/url");
        }
    }

    @Nested
    class Replicas {
        /**
         * A replica that ends between a request and the storage of its result leaves a lease and a pending delivery.
         */
        @Test
        void repeatADeliveryWhoseResultWasLost() throws Exception {
            String id = create("127.0.0.1", "");
            receiver.next(Behavior.FAIL);
            add("RUNNING");
            Received first = receiver.take();
            world.sql("""
                    update webhook set lease_holder = 'killed', lease_expires_at = now() + interval '300 milliseconds' where id = ?
                    """, id);

            assertThat(receiver.take().id()).isEqualTo(first.id());
            awaitState(id, "DELIVERED");
        }

        @Test
        void doNotSendWhileAnotherHasTheLease() throws InterruptedException {
            String id = create("127.0.0.1", ", \"enabled\": false");
            due(id);
            Duration lease = Duration.ofSeconds(30);
            Optional<DeliveryStore.Claim> held = deliveries.claim(lease, Duration.ofMinutes(1), 4);

            assertThat(held).isPresent();
            assertThat(deliveries.claim(lease, Duration.ofMinutes(1), 4)).isEmpty();
            world.sql("update webhook set lease_holder = 'other'");
            assertThat(deliveries.next(held.get(), lease, Duration.ofMinutes(1)))
                    .isEmpty();
            world.sql("update webhook set lease_expires_at = now() - interval '1 second'");
            assertThat(deliveries.claim(lease, Duration.ofMinutes(1), 4)).isPresent();
        }

        @Test
        void continueAfterTheClockOfTheDatabaseWasSetBack() throws InterruptedException {
            String id = create("127.0.0.1", ", \"enabled\": false");
            due(id);
            world.sql("update webhook set lease_holder = 'past', lease_expires_at = now() + interval '1 day'");
            world.sql("update webhook_delivery set next_attempt_at = now() + interval '1 day'");

            assertThat(deliveries.claim(Duration.ofSeconds(30), Duration.ofMinutes(1), 4))
                    .isPresent();
        }

        @Test
        void sendToOtherTenantsWhileReceiversOfOneAreSlow() throws InterruptedException {
            world.sql("insert into tenant (name, parent, weight, quotas) values ('vision', 'root', 1, '{}')");
            String id = create("127.0.0.1", ", \"enabled\": false, \"tenants\": [\"vision\"]");
            String other = create("127.0.0.1", ", \"enabled\": false");
            due(id);
            for (int copy = 0; copy < 3; copy++) {
                world.sql("""
                        insert into webhook (id, url, kinds, tenants, secret, enabled, created_by, position_transaction, position_number)
                        select 'copy' || ?, url, kinds, tenants, secret, enabled, 'another', position_transaction, position_number
                        from webhook where id = ?
                        """, copy, id);
                world.sql("""
                        insert into webhook_delivery (id, webhook_id, kind, body, state, next_attempt_at)
                        values ('d' || ?, 'copy' || ?, 'DONE', '{}', 'PENDING', now() - interval '1 hour')
                        """, copy, copy);
            }
            Duration lease = Duration.ofSeconds(30);
            Duration retry = Duration.ofMinutes(1);
            assertThat(deliveries.claim(lease, retry, 2)).isPresent();
            assertThat(deliveries.claim(lease, retry, 2)).isPresent();
            assertThat(deliveries.claim(lease, retry, 2)).isEmpty();

            world.sql("""
                    insert into webhook_delivery (id, webhook_id, kind, body, state, next_attempt_at)
                    values ('e', ?, 'DONE', '{}', 'PENDING', now())
                    """, other);
            world.sql("update webhook set enabled = true where id = ?", other);
            assertThat(deliveries.claim(lease, retry, 4))
                    .get()
                    .extracting(DeliveryStore.Claim::webhook)
                    .isEqualTo(other);
        }

        /**
         * Adds a due delivery without a notification, so that only the test claims it: the dispatcher does not poll
         * after it has found no enabled webhook.
         */
        private void due(String id) throws InterruptedException {
            TimeUnit.SECONDS.sleep(1);
            world.sql("""
                    insert into webhook_delivery (id, webhook_id, kind, body, state, next_attempt_at)
                    values ('d', ?, 'DONE', '{}', 'PENDING', now())
                    """, id);
            world.sql("update webhook set enabled = true where id = ?", id);
        }
    }

    @Nested
    class ACallerOfATenant {
        @Test
        void createsWebhooksForItsTenantsOnly() throws Exception {
            world.sql("insert into tenant (name, parent, weight, quotas) values ('vision', 'root', 1, '{}')");
            ContractedClient team = api.with(world.token(Role.SUBMITTER, "vision", null));
            String url = receiver.url("127.0.0.1");

            assertThat(team.post(WEBHOOKS, "{\"url\": \"%s\", \"tenants\": [\"root\"]}".formatted(url))
                            .is(422)
                            .at("/errors/0/message"))
                    .isEqualTo("there is no tenant root");
            assertThat(team.post(WEBHOOKS, "{\"url\": \"%s\"}".formatted(url))
                            .is(201)
                            .at("/webhook/tenants/0"))
                    .isEqualTo("vision");
        }

        @Test
        void leavesWebhooksToOthers() throws Exception {
            ContractedClient team = api.with(world.token(Role.SUBMITTER, null, null));
            String webhook = "{\"url\": \"%s\", \"enabled\": false}".formatted(receiver.url("127.0.0.1"));
            for (int i = 0; i < 20; i++) {
                team.post(WEBHOOKS, webhook).is(201);
            }

            assertThat(team.post(WEBHOOKS, webhook).is(ProblemType.CONFLICT).text())
                    .contains("spur.webhooks.max-per-caller");
            api.post(WEBHOOKS, webhook).is(201);
        }
    }
}
