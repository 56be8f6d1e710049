package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.GreedyPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Devices that executors report as not healthy are not planned with, and come back when they have been healthy for long
 * enough.
 */
class DeviceHealthTest extends ExecutorsTest {
    private final GreedyPolicy greedy = new GreedyPolicy();

    @BeforeEach
    void planByItself() {
        policy.use(problem -> greedy.decide(problem).plan());
    }

    /** A heartbeat of the first executor that says of a device how it does. */
    private void reports(String device, boolean healthy) {
        api.put(one.path() + "/heartbeat", """
                {"registrationEpoch": %d, "devices": [{"uuid": "%s", "healthy": %s}]}
                """.formatted(one.registrationEpoch(), device, healthy))
                .is(200);
    }

    private JsonNode quarantined() {
        return api.get(one.path()).is(200).json().path("quarantined");
    }

    private List<String> devicesOf(String job) {
        return world.value(
                        String.class,
                        "select coalesce((select string_agg((p ->> 'node') || d, ' ' order by (p ->> 'node') || d) from jsonb_array_elements(allocation -> 'placement') p,"
                                + " jsonb_array_elements_text(p -> 'devices') d), '') from job where id = ?",
                        job)
                .lines()
                .flatMap(line -> List.of(line.split(" ")).stream())
                .toList();
    }

    private String planned(int slots) {
        String job = submit(slots);
        rounds.run();
        return job;
    }

    @Nested
    class ADeviceThatIsNotHealthy {
        @Test
        void isLeftByTheWholeGangThatHoldsIt() {
            String job = planned(2);
            assertThat(devicesOf(job)).containsExactly("n1d0", "n1d1");
            run(job, one);
            String old = assignment(job);

            reports("d1", false);
            rounds.run();

            assertThat(devicesOf(job)).hasSize(2).doesNotContain("n1d1");
            assertThat(world.generation(job)).isEqualTo(2);
            assertThat(one.poll()
                            .valueStream()
                            .filter(item -> item.path("assignmentId").asString().equals(old))
                            .map(item -> item.path("desired").asString()))
                    .containsExactly("STOP");
        }

        @Test
        void isNoCapacity() {
            reports("d1", false);

            assertThat(devicesOf(planned(4))).containsExactly("n2d0", "n2d1", "n2d2", "n2d3");
            assertThat(devicesOf(planned(4))).isEmpty();
            assertThat(devicesOf(planned(3))).containsExactly("n1d0", "n1d2", "n1d3");
        }

        @Test
        void isShownWithWhatItWaitsFor() {
            reports("d1", false);

            JsonNode device = quarantined().path(0);
            assertThat(device.path("uuid").asString()).isEqualTo("d1");
            assertThat(device.path("healthy").asBoolean()).isFalse();
            assertThat(device.path("failures").asInt()).isEqualTo(1);
            assertThat(device.path("until").isNull()).isTrue();
            assertThat(api.get("/api/v1/executors").is(200).json().at("/items/0/quarantined"))
                    .isEqualTo(quarantined());
            assertThat(api.get("/metrics").is(200).text()).contains("spur_devices_quarantined 1.0");
        }

        @Test
        void countsOnceHoweverOftenItIsReported() {
            reports("d1", false);
            reports("d1", false);

            assertThat(quarantined().at("/0/failures").asInt()).isEqualTo(1);
        }

        @Test
        void staysQuarantinedWhenAHeartbeatSaysNothingOfItOrItsExecutorRegistersAgain() {
            reports("d1", false);

            one.status().is(200);
            one.register().is(200);

            assertThat(quarantined().at("/0/healthy").asBoolean()).isFalse();
        }

        @Test
        void givesNothingToAPlanThatWasMadeBeforeItWasReported() {
            String job = submit(4);
            policy.use(problem -> {
                reports("d3", false);
                return greedy.decide(problem).plan();
            });

            rounds.run();

            assertThat(devicesOf(job)).isEmpty();
        }

        @Test
        void isForgottenWithADeviceThatIsNotOfTheNode() {
            reports("d9", false);

            assertThat(quarantined()).isEmpty();
        }
    }

    @Nested
    class ADeviceThatIsHealthyAgain {
        @BeforeEach
        void afterAFailure() {
            reports("d1", false);
            reports("d1", true);
        }

        private Duration until() {
            JsonNode device = quarantined().path(0);
            return Duration.between(
                    Instant.parse(device.path("since").asString()),
                    Instant.parse(device.path("until").asString()));
        }

        @Test
        void isUsedWhenItHasBeenForFiveMinutes() {
            assertThat(until()).isEqualTo(Duration.ofMinutes(5));
            planned(4);
            String job = planned(4);
            assertThat(devicesOf(job)).isEmpty();

            world.sql("update device_health set quarantined_until = now()");
            rounds.run();

            assertThat(devicesOf(job)).containsExactly("n1d0", "n1d1", "n1d2", "n1d3");
            assertThat(quarantined()).isEmpty();
        }

        @Test
        void staysOutTwiceAsLongAfterEachFurtherFailureUpToTwoHours() {
            reports("d1", false);
            reports("d1", true);
            assertThat(until()).isEqualTo(Duration.ofMinutes(10));

            world.sql("update device_health set failures = 40");
            reports("d1", false);
            reports("d1", true);

            assertThat(until()).isEqualTo(Duration.ofHours(2));
        }

        @Test
        void isNotMadeToWaitLongerByBeingHealthy() {
            JsonNode before = quarantined();

            reports("d1", true);

            assertThat(quarantined()).isEqualTo(before);
        }

        @Test
        void hasItsFailuresForgottenWhenItHasBeenUsedForTwoHours() {
            world.sql("update device_health set quarantined_until = now() - interval '119 minutes'");
            reports("d2", true);
            assertThat(world.value(Long.class, "select count(*) from device_health"))
                    .isOne();

            world.sql("update device_health set quarantined_until = now() - interval '121 minutes'");
            reports("d2", true);

            assertThat(world.value(Long.class, "select count(*) from device_health"))
                    .isZero();
        }
    }
}
