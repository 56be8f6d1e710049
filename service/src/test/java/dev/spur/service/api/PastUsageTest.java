package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.tenant.PastUsage;
import dev.spur.service.cluster.PastUsageStore;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.solver.policy.Policies;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;

/** What tenants have used, where it counts. The half-life is an hour. */
class PastUsageTest extends ApiTest {
    private static final String API = "/api/v1/";
    private static final double HOUR = 3600;

    @Autowired
    private TestRounds rounds;

    @Autowired
    private PastUsageStore store;

    @Autowired
    private SnapshotReader snapshots;

    @Autowired
    private TransactionTemplate transaction;

    @BeforeEach
    void registerTenants() {
        cluster(8);
        policy.use(Policies.spur()::plan);
        rounds.begin();
        api.put(API + "tenants/x", "{\"parent\": \"root\"}").is(201);
        api.put(API + "tenants/y", "{\"parent\": \"root\"}").is(201);
    }

    private void count(boolean desired) {
        world.sql("delete from settings");
        String halfLife = desired ? "3600" : "null";
        api.put(
                        API + "settings",
                        "{\"planning\": {\"fairShare\": {\"halfLifeSeconds\": %s}}}".formatted(halfLife),
                        "If-Match",
                        "*")
                .is(200);
    }

    /** A job of {@code tenant} that held a slot from so long ago until so long ago. */
    private void held(String tenant, String from, String to) {
        String job = world.job(8);
        world.sql("update job set tenant = ?, state = 'DONE' where id = ?", tenant, job);
        world.sql("""
                insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at, ended_at)
                values (?, 1, 1, 'START', '{"placement": [{"node": "n0", "devices": ["d0", "d1"]}]}',
                    now() - cast(? as interval), now() - cast(? as interval))
                """, job, from, to);
    }

    private void advance() {
        transaction.executeWithoutResult(status -> store.advance(HOUR));
    }

    private double used(String tenant) {
        return store.all().stream()
                .filter(past -> past.tenant().equals(tenant))
                .mapToDouble(PastUsage::slotSeconds)
                .sum();
    }

    @Nested
    class WhatWasHeld {
        @Test
        void isCountedWithItsAge() {
            held("x", "2 hours", "1 hour");
            advance();

            assertThat(used("x")).isCloseTo(2 * HOUR / Math.log(2) * (0.5 - 0.25), within(5.0));
            assertThat(used("y")).isZero();
        }

        @Test
        void isCountedOnceHoweverOftenThatIsDone() {
            held("x", "2 hours", "0 s");
            advance();
            double once = used("x");
            advance();
            advance();

            assertThat(used("x")).isCloseTo(once, within(5.0));
        }

        @Test
        void decaysAndGrowsByWhatCameSince() {
            held("x", "3 hours", "2 hours");
            advance();
            double before = used("x");
            world.sql("update usage_clock set as_of = as_of - interval '1 hour'");
            held("x", "30 min", "0 s");
            advance();

            double since = 2 * HOUR / Math.log(2) * (1 - Math.pow(2, -0.5));
            assertThat(used("x")).isCloseTo(before / 2 + since, within(5.0));
        }
    }

    @Nested
    class Tenants {
        @Test
        void showHowTheyStand() {
            held("x", "1 hour", "0 s");
            count(true);
            rounds.run();

            Answer x = api.get(API + "tenants/x").is(200);
            assertThat(x.json().at("/pastUsage/used").asDouble()).isEqualTo(1);
            assertThat(x.json().at("/pastUsage/share").asDouble()).isEqualTo(0.5);
            assertThat(x.json().at("/pastUsage/factor").asDouble()).isEqualTo(0.5);
            assertThat(api.get(API + "tenants/y")
                            .is(200)
                            .json()
                            .at("/pastUsage/factor")
                            .asDouble())
                    .isEqualTo(2);
            api.get(API + "tenants").is(200);
        }

        @Test
        void showNothingWhereItDoesNotCount() {
            held("x", "1 hour", "0 s");
            rounds.run();

            assertThat(api.get(API + "tenants/x")
                            .is(200)
                            .json()
                            .at("/pastUsage")
                            .isNull())
                    .isTrue();
            assertThat(store.all()).isEmpty();
        }
    }

    @Test
    void whoHasUsedLessGoesFirst() {
        held("x", "1 hour", "0 s");
        String first = world.job(8);
        String second = world.job(8);
        world.sql("update job set tenant = 'x' where id = ?", first);
        world.sql("update job set tenant = 'y' where id = ?", second);
        count(true);
        rounds.run();

        assertThat(world.state(second)).isEqualTo("RUNNING");
        assertThat(world.state(first)).isEqualTo("WAITING");
    }

    /** Whenever it was written down last, which only rounds do. */
    @Nested
    class Questions {
        private double seen(String tenant) {
            return snapshots.read().problem().pastUsage().stream()
                    .filter(past -> past.tenant().equals(tenant))
                    .mapToDouble(PastUsage::slotSeconds)
                    .sum();
        }

        @Test
        void countWhatWasUsedUntilNowAndWriteNothing() {
            count(true);
            held("x", "2 hours", "1 hour");
            assertThat(seen("x")).isCloseTo(2 * HOUR / Math.log(2) * (0.5 - 0.25), within(5.0));
            assertThat(store.all()).isEmpty();

            advance();
            world.sql("update usage_clock set as_of = as_of - interval '1 hour'");
            held("x", "30 min", "0 s");
            double written = used("x");
            double seen = seen("x");
            assertThat(used("x")).isEqualTo(written);
            advance();

            assertThat(seen).isCloseTo(used("x"), within(5.0));
            assertThat(seen("y")).isZero();
        }

        @ParameterizedTest
        @CsvSource({"x, y", "y, x"})
        void areAnsweredAsTheNextRoundWouldPlan(String rich, String poor) {
            held(rich, "1 hour", "0 s");
            String ofRich = world.job(8);
            String ofPoor = world.job(8);
            world.sql("update job set tenant = ? where id = ?", rich, ofRich);
            world.sql("update job set tenant = ? where id = ?", poor, ofPoor);
            count(true);

            String waiting = api.post("/api/v1/what-if", """
                            {"changes": [{"change": "SET_WEIGHT", "job": "%s", "weight": 1.01}]}""".formatted(ofRich))
                    .is(200)
                    .json()
                    .path("waiting")
                    .findValuesAsString("jobId")
                    .toString();

            assertThat(waiting).isEqualTo("[" + ofRich + "]");
        }
    }
}
