package dev.spur.service.outcomes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.service.security.Role;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** What the jobs of a day received. Each expected figure is computed by hand. */
class OutcomesTest extends PastCluster {
    private static final String PATH = "/api/v1/outcomes?";

    @Autowired
    private JobOutcomeStore jobs;

    @Autowired
    private OutcomeMetrics metrics;

    @Autowired
    private MeterRegistry registry;

    private JsonNode total() {
        return api.get(PATH + DAY).is(200).json().path("total");
    }

    private static void isClose(JsonNode number, double expected) {
        assertThat(number.asDouble()).isCloseTo(expected, within(1e-6));
    }

    private static void isSpread(JsonNode spread, int count, double mean, double p50, double p90, double p99) {
        assertThat(spread.path("count").asInt()).isEqualTo(count);
        isClose(spread.path("mean"), mean);
        isClose(spread.path("p50"), p50);
        isClose(spread.path("p90"), p90);
        isClose(spread.path("p99"), p99);
    }

    private void started(String job, String at) {
        world.sql("update job set first_start = cast(? as timestamptz) where id = ?", time(at), job);
    }

    /** Work done, in samples, and service received, in slot-seconds. */
    private void did(String job, double samples, double slotSeconds) {
        world.sql("update job set done_work = ?, attained_service = ? where id = ?", samples, slotSeconds, job);
    }

    /** Records the best speeds of jobs that have ended: 800 samples/s on 8 slots, and 100 per slot. */
    private void recordSpeeds() {
        world.node("n1", 8);
        world.sql("update job set ended_at = ended_at + interval '100 years' where ended_at is not null");
        assertThat(jobs.record()).isFalse();
        world.sql("update job set ended_at = ended_at - interval '100 years' where ended_at is not null");
    }

    @Nested
    class TimesOfJobs {
        @Test
        void countInTheRangeInWhichTheyEnd() {
            String first = job("x", "01:00:00");
            started(first, "01:00:10");
            ended(first, "DONE", "01:16:40");
            String second = job("x", "02:00:00");
            started(second, "02:00:30");
            ended(second, "DONE", "02:33:20");
            String failed = job("y", "03:00:00");
            started(failed, "03:00:20");
            ended(failed, "FAILED", "04:00:00");
            ended(job("y", "03:00:00"), "CANCELLED", "03:30:00");
            job("y", "05:00:00");

            JsonNode total = total();

            assertThat(total.path("jobs").toString())
                    .isEqualTo("{\"submitted\":5,\"started\":3,\"done\":2,\"failed\":1,\"canceled\":1}");
            isSpread(total.path("queueingDelaySeconds"), 3, 20, 20, 28, 29.8);
            isSpread(total.path("jctSeconds"), 2, 1500, 1500, 1900, 1990);
        }

        @Test
        void ofAJobAcrossTheEndsOfTheRangeCountWhereEachEventIs() {
            String job = job("x", "01:00:00");
            started(job, "02:00:00");
            ended(job, "DONE", "05:00:00");

            JsonNode begin = api.get(PATH + "since=2026-01-10T00:30:00Z&until=2026-01-10T01:30:00Z")
                    .is(200)
                    .json();
            JsonNode middle = api.get(PATH + "since=2026-01-10T01:30:00Z&until=2026-01-10T04:00:00Z")
                    .is(200)
                    .json();
            JsonNode end = api.get(PATH + "since=2026-01-10T04:00:00Z&until=2026-01-10T06:00:00Z")
                    .is(200)
                    .json();

            assertThat(begin.at("/total/jobs").toString())
                    .isEqualTo("{\"submitted\":1,\"started\":0,\"done\":0,\"failed\":0,\"canceled\":0}");
            assertThat(middle.at("/total/jobs/started").asInt()).isOne();
            isSpread(middle.at("/total/queueingDelaySeconds"), 1, 3600, 3600, 3600, 3600);
            assertThat(middle.at("/total/jctSeconds/count").asInt()).isZero();
            isSpread(end.at("/total/jctSeconds"), 1, 14_400, 14_400, 14_400, 14_400);
            assertThat(end.at("/total/queueingDelaySeconds/count").asInt()).isZero();
        }

        @Test
        void areRelativeToTheFastestConfigurationAndTheHighestGoodputPerSlot() {
            String fast = job("x", "01:00:00");
            ended(fast, "DONE", "01:50:00");
            did(fast, 1_200_000, 16_000);
            String slow = job("x", "02:00:00");
            ended(slow, "DONE", "03:00:00");
            did(slow, 480_000, 8_000);
            String failed = job("x", "02:00:00");
            ended(failed, "FAILED", "03:00:00");
            did(failed, 0, 4_000);
            recordSpeeds();

            JsonNode total = total();

            // 3,000 s / (1,200,000 / 800) s = 2 and 3,600 s / (480,000 / 800) s = 6
            isSpread(total.path("slowdown"), 2, 4, 4, 5.6, 5.96);
            // 12,000 of 16,000 slot-seconds, 4,800 of 8,000, 0 of 4,000
            isSpread(total.path("jobTrainingEfficiency"), 3, 0.45, 0.6, 0.72, 0.747);
            isClose(total.path("trainingEfficiency"), 16_800.0 / 28_000);
        }

        @Test
        void haveNoRatiosIfNoNodeCanRunTheJob() {
            String job = job("x", "01:00:00");
            ended(job, "DONE", "01:50:00");
            did(job, 1_200_000, 16_000);
            world.sql("update job set spec = jsonb_set(spec, '{elasticity,pools}', '[\"other\"]')");
            recordSpeeds();

            JsonNode total = total();

            assertThat(total.at("/jctSeconds/count").asInt()).isOne();
            assertThat(total.at("/slowdown/count").asInt()).isZero();
            assertThat(total.path("trainingEfficiency").isNull()).isTrue();
        }
    }

    @Nested
    class Money {
        @Test
        void isTheRevenueOfCompletedJobsMinusTheCostOfAllOfATenant() {
            world.node("n1", 8);
            world.sql("update node set price_per_slot_hour = 2");
            String done = job("x", "01:00:00");
            held(done, 1, "START", 2, "02:00:00", "04:00:00", "02:30:00");
            ended(done, "DONE", "04:00:00");
            ended(job("x", "01:00:00"), "FAILED", "04:00:00");
            world.sql("update job set spec = jsonb_set(spec, '{revenue}', '10.5')");
            ended(job("y", "01:00:00"), "DONE", "04:00:00");

            JsonNode report = api.get(PATH + DAY).is(200).json();

            isClose(report.at("/total/revenue"), 10.5);
            isClose(report.at("/total/profit"), 2.5);
            isClose(report.at("/tenants/0/profit"), 2.5);
            isClose(report.at("/tenants/1/profit"), 0);
        }
    }

    @Nested
    class Slots {
        @Test
        void countWithinTheRange() {
            world.node("n1", 8);
            world.sql("update node set price_per_slot_hour = 2.5");
            String job = job("x", "01:00:00");
            held(job, 1, "START", 2, "02:00:00", "04:00:00", "02:30:00");
            held(job, 2, "GROW", 4, "04:00:00", "06:00:00", "04:15:00");

            JsonNode total = api.get(PATH + "since=2026-01-10T03:00:00Z&until=2026-01-10T05:00:00Z")
                    .is(200)
                    .json()
                    .path("total");

            isClose(total.path("heldSlotHours"), 2 + 4);
            isClose(total.path("usefulSlotHours"), 2 + 3);
            isClose(total.path("cost"), 6 * 2.5);
        }

        @Test
        void costTheirCpusAndThePowerOfTheirLoad() {
            world.node("n1", 8);
            world.sql("update node set price_per_slot_hour = 2.5");
            world.sql("update accelerator_type set idle_watts = 50, load_watts = 450");
            world.sql("insert into settings (body) values"
                    + " ('{\"planning\": {\"prices\": {\"pricePerCpuHour\": 0.1, \"pricePerKilowattHour\": 0.5}}}')"
                    + " on conflict (singleton) do update set body = excluded.body");
            String job = job("x", "01:00:00");
            world.sql("update job set spec = jsonb_set(spec, '{host,cpusPerSlot}', '3')");
            held(job, 1, "START", 2, "02:00:00", "04:00:00", "02:30:00");

            isClose(total().path("cost"), 4 * (2.5 + 0.3 + 0.2));
        }

        @Test
        void areRelativeToTheCapacity() {
            capacity("12:00:00", 8, 0);
            capacity("18:00:00", 16, 0);
            held(job("x", "01:00:00"), 1, "START", 6, "13:00:00", "18:00:00", "13:00:00");

            JsonNode slots = api.get(PATH + DAY).is(200).json().path("slots").path(0);

            isClose(slots.path("totalSlotHours"), 8 * 6 + 16 * 6);
            isClose(slots.path("heldSlotHours"), 30);
            isClose(slots.path("heldUtilization"), 30.0 / 144);
        }

        @Test
        void areThoseOfTheTotalAlsoBeforeTheFirstRecordOfTheCapacity() {
            capacity("12:00:00", 8, 0);
            held(job("x", "01:00:00"), 1, "START", 6, "06:00:00", "18:00:00", "13:00:00");

            JsonNode report = api.get(PATH + DAY).is(200).json();

            JsonNode slots = report.path("slots").path(0);
            isClose(slots.path("totalSlotHours"), 8 * 18);
            isClose(slots.path("heldSlotHours"), 72);
            isClose(slots.path("usefulSlotHours"), 30);
            isClose(slots.path("usefulUtilization"), 30.0 / 144);
            isClose(report.at("/total/heldSlotHours"), 72);
        }

        @Test
        void stallFromARestartToItsFirstProgress() {
            String job = job("x", "01:00:00");
            held(job, 1, "START", 2, "02:00:00", "03:00:00", "02:30:00");
            held(job, 2, "GROW", 4, "03:00:00", "04:00:00", "03:01:00");
            held(job, 3, "KEEP", 4, "04:00:00", "05:00:00", null);
            held(job, 4, "MOVE", 4, "05:00:00", "05:03:00", null);
            held(job, 5, "MOVE", 4, "05:03:00", null, null);
            world.sql("update job set report_generation = 5 where id = ?", job);

            JsonNode total = total();

            // the last one may still make progress: how long it stalls is unknown
            assertThat(total.path("restarts").asInt()).isEqualTo(3);
            isSpread(total.path("restartStallSeconds"), 2, 120, 120, 168, 178.8);
            isClose(total.path("usefulSlotHours"), 2 * 0.5 + 4 * 59.0 / 60 + 4);
        }
    }

    @Nested
    class Deadlines {
        @Test
        void areMetByJobsThatAreDoneInTime() {
            ended(due("12:00:00"), "DONE", "12:00:00");
            ended(due("12:00:00"), "DONE", "12:00:01");
            ended(due("12:00:00"), "FAILED", "11:00:00");
            ended(due("12:00:00"), "CANCELLED", "11:00:00");
            ended(due("12:00:00"), "CANCELLED", "13:00:00");
            due("12:00:00");
            String early = due("12:00:00");
            world.sql("""
                    update job set submitted_at = '2026-01-09T01:00:00Z', ended_at = '2026-01-09T12:00:00Z', state = 'DONE' where id = ?
                    """, early);
            world.sql("update job set deadline = '2026-01-11T00:00:00Z' where id = ?", due("12:00:00"));

            JsonNode report = api.get(PATH + DAY).is(200).json();

            assertThat(report.at("/total/deadlines").toString()).isEqualTo("{\"met\":2,\"missed\":4}");
            assertThat(report.at("/tenants/0/deadlines/met").asInt()).isEqualTo(2);
            assertThat(report.at("/total/jobs/done").asInt()).isEqualTo(2);
        }

        private String due(String at) {
            String job = job("x", "01:00:00");
            world.sql("update job set deadline = cast(? as timestamptz) where id = ?", time(at), job);
            return job;
        }
    }

    @Nested
    class Tenants {
        @Test
        void haveTheirOwnOutcomesAndSeeNoOthers() {
            String ofX = job("x", "01:00:00");
            held(ofX, 1, "START", 2, "02:00:00", "03:00:00", null);
            ended(ofX, "DONE", "03:00:00");
            String ofY = job("y", "01:00:00");
            held(ofY, 1, "START", 3, "02:00:00", "03:00:00", null);

            JsonNode all = api.get(PATH + DAY).is(200).json();
            JsonNode mine = api.with(world.token(Role.VIEWER, "y", null))
                    .get(PATH + DAY)
                    .is(200)
                    .json();

            assertThat(all.path("tenants").findValuesAsString("tenant")).containsExactly("x", "y");
            isClose(all.at("/total/heldSlotHours"), 5);
            isClose(all.at("/tenants/0/heldSlotHours"), 2);
            assertThat(all.at("/tenants/0/jobs/done").asInt()).isOne();
            assertThat(mine.path("tenants").findValuesAsString("tenant")).containsExactly("y");
            isClose(mine.at("/total/heldSlotHours"), 3);
            assertThat(mine.at("/total/jobs/done").asInt()).isZero();
        }

        @Test
        void areAbsentFromAnEmptyRange() {
            JsonNode report = api.get(PATH + DAY).is(200).json();

            assertThat(report.path("tenants")).isEmpty();
            assertThat(report.path("slots")).isEmpty();
            assertThat(report.at("/total/jctSeconds").toString())
                    .isEqualTo("{\"count\":0,\"mean\":null,\"p50\":null,\"p90\":null,\"p99\":null}");
            isClose(report.at("/total/heldSlotHours"), 0);
        }
    }

    @Nested
    class Tables {
        @Test
        void haveTheTotalFirstAndOneCellForEachColumn() {
            world.sql("update tenant set name = '=x' where name = 'x'");
            String job = job("=x", "01:00:00");
            held(job, 1, "START", 2, "02:00:00", "03:00:00", null);
            ended(job, "DONE", "03:00:00");
            String text = api.get("/api/v1/outcomes/table?" + DAY).is(200).text();

            List<String> lines = Arrays.asList(text.split("\r\n"));
            assertThat(lines).hasSize(3);
            List<String> names = Arrays.asList(lines.get(0).split(",", -1));
            List<String> total = Arrays.asList(lines.get(1).split(",", -1));
            List<String> tenant = Arrays.asList(lines.get(2).split(",", -1));
            assertThat(total).hasSameSizeAs(names);
            assertThat(tenant.get(0)).isEqualTo("\"'=x\"");
            Map<String, String> cells = new LinkedHashMap<>();
            for (int i = 0; i < names.size(); i++) {
                cells.put(names.get(i), total.get(i));
            }
            assertThat(cells)
                    .containsEntry("tenant", "")
                    .containsEntry("submitted", "1")
                    .containsEntry("done", "1")
                    .containsEntry("jct_seconds_count", "1")
                    .containsEntry("jct_seconds_p99", "7200")
                    .containsEntry("slowdown_mean", "")
                    .containsEntry("held_slot_hours", "2")
                    .containsEntry("deadlines_missed", "0")
                    .hasSize(40);
        }
    }

    @Nested
    class Metrics {
        @Test
        void areThoseOfTheLastDay() {
            world.node("n1", 8);
            capacities.record();
            world.sql("update slot_capacity set at = now() - interval '12 hours'");
            String job = job("x", "01:00:00");
            held(job, 1, "START", 2, "01:00:00", null, "01:00:00");
            world.sql("update job_allocation set started_at = now() - interval '6 hours', ended_at = now()");
            world.sql("""
                    update job set submitted_at = now() - interval '7 hours', first_start = now() - interval '6 hours',
                        ended_at = now() - interval '1 hour', state = 'DONE'
                    """);

            metrics.update();

            assertThat(gauge("spur.outcomes.jct.seconds", "quantile", "0.9")).isCloseTo(21_600, within(1.0));
            assertThat(gauge("spur.outcomes.queueing.delay.seconds", "quantile", "0.5"))
                    .isCloseTo(3600, within(1.0));
            assertThat(gauge("spur.outcomes.jobs", "state", "done")).isEqualTo(1);
            assertThat(gauge("spur.outcomes.slot.hours", "tenant", "x")).isCloseTo(12, within(0.1));
            assertThat(gauge("spur.outcomes.slot.hours", "tenant", "")).isZero();
            assertThat(gauge("spur.outcomes.utilization.held", "type", "A100")).isCloseTo(0.125, within(0.01));
            assertThat(gauge("spur.outcomes.slowdown", "quantile", "0.5")).isNaN();
        }

        private double gauge(String name, String label, String value) {
            return registry.get(name).tag(label, value).gauge().value();
        }
    }
}
