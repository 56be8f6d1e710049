package dev.spur.service.outcomes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.jobs.JobReport;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.security.Role;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** Utilization and queue over time. */
class OutcomeHistoryTest extends PastCluster {
    private static final String PATH = "/api/v1/outcomes/history?";
    private static final String SIX_TO_TEN = "since=2026-01-10T06:00:00Z&until=2026-01-10T10:00:00Z&stepSeconds=3600";

    @Autowired
    private JobTransitionStore changes;

    @Autowired
    private GpuUsageStore gpus;

    @Autowired
    private TransactionTemplate transaction;

    private JsonNode history(String query) {
        return api.get(PATH + query).is(200).json();
    }

    private static List<Double> numbers(JsonNode array) {
        List<Double> numbers = new ArrayList<>();
        array.forEach(number -> numbers.add(number.isNull() ? null : number.asDouble()));
        return numbers;
    }

    /** A job that holds a share of the first device of n1. */
    private void hold(double share) {
        String job = job("x", "05:00:00");
        held(job, 1, "START", 1, "06:00:00", null, null);
        world.sql("""
                update job set state = 'RUNNING', spec = jsonb_set(spec, '{elasticity,deviceShare}', to_jsonb(cast(? as double precision))),
                    allocation = (select allocation from job_allocation where job_id = ?) where id = ?
                """, share, job, job);
    }

    @Nested
    class JobsAndSlots {
        @Test
        void countTheShareOfADevice() {
            hold(0.25);

            assertThat(numbers(history(SIX_TO_TEN).path("slots").path(0).path("held")))
                    .containsOnly(0.25);
        }

        @Test
        void areMeansOverTheirSteps() {
            String job = job("x", "06:30:00");
            held(job, 1, "START", 2, "07:15:00", "08:30:00", "07:45:00");
            held(job, 2, "GROW", 4, "08:30:00", "09:30:00", null);
            ended(job, "DONE", "09:30:00");

            JsonNode history = history(SIX_TO_TEN);

            assertThat(numbers(history.path("pending"))).containsExactly(0.5, 0.25, 0.0, 0.0);
            assertThat(numbers(history.path("running"))).containsExactly(0.0, 0.75, 1.0, 0.5);
            JsonNode slots = history.path("slots").path(0);
            assertThat(numbers(slots.path("held"))).containsExactly(0.0, 1.5, 3.0, 2.0);
            assertThat(numbers(slots.path("useful"))).containsExactly(0.0, 0.5, 1.0, 0.0);
            assertThat(numbers(slots.path("total"))).containsOnlyNulls();
            assertThat(numbers(slots.path("free"))).containsOnlyNulls();
        }

        @Test
        void countWithinTheRangeIfTheyReachBeyondIt() {
            String job = job("x", "00:00:00");
            held(job, 1, "START", 2, "01:00:00", null, "01:10:00");

            JsonNode history = history(SIX_TO_TEN);

            assertThat(numbers(history.path("running"))).containsOnly(1.0);
            assertThat(numbers(history.path("pending"))).containsOnly(0.0);
            assertThat(numbers(history.path("slots").path(0).path("held"))).containsOnly(2.0);
            assertThat(numbers(history.path("slots").path(0).path("useful"))).containsOnly(2.0);
        }

        @Test
        void areAllUsefulOfAJobThatReportsNothing() {
            held(job("x", "05:00:00"), 1, "START", 2, "07:00:00", "08:00:00", null);

            assertThat(numbers(history(SIX_TO_TEN).path("slots").path(0).path("useful")))
                    .containsExactly(0.0, 2.0, 0.0, 0.0);
        }

        @Test
        void areThoseOfTheTenantsOfTheCaller() {
            held(job("x", "05:00:00"), 1, "START", 2, "06:00:00", "07:00:00", "06:00:00");
            held(job("y", "05:00:00"), 1, "START", 3, "06:00:00", "07:00:00", "06:00:00");
            capacity("00:00:00", 8, 0);

            JsonNode mine = api.with(world.token(Role.VIEWER, "x", null))
                    .get(PATH + SIX_TO_TEN)
                    .is(200)
                    .json();

            assertThat(mine.path("running").path(0).asDouble()).isEqualTo(1);
            assertThat(mine.path("slots").path(0).path("held").path(0).asDouble())
                    .isEqualTo(2);
            assertThat(mine.path("slots").path(0).path("total").path(0).asDouble())
                    .isEqualTo(8);
            assertThat(mine.path("slots").path(0).path("free").path(0).isNull()).isTrue();
            assertThat(history(SIX_TO_TEN).at("/slots/0/held/0").asDouble()).isEqualTo(5);
        }

        @Test
        void areAbsentFromAnEmptyRange() {
            JsonNode history = history("since=2026-01-10T06:00:00Z&until=2026-01-10T10:00:00Z");

            assertThat(history.path("slots")).isEmpty();
            assertThat(history.path("stepSeconds").asInt()).isEqualTo(60);
            assertThat(numbers(history.path("pending"))).hasSize(240).containsOnly(0.0);
        }
    }

    @Nested
    class TheService {
        @Test
        void beginsTheHistoryAndIsNotAveragedWithTheTimeBefore() {
            round("09:30:00");
            held(job("x", "09:30:00"), 1, "START", 2, "09:30:00", null, null);

            JsonNode history = history(SIX_TO_TEN);

            assertThat(history.path("since").asString()).isEqualTo("2026-01-10T09:30:00Z");
            assertThat(numbers(history.path("running"))).containsExactly(1.0);
            assertThat(numbers(history.path("slots").path(0).path("held"))).containsExactly(2.0);
        }

        @Test
        void hasNoHistoryBeforeItsBegin() {
            round("12:00:00");

            JsonNode history = history(SIX_TO_TEN);

            assertThat(history.path("times")).isEmpty();
            assertThat(history.path("pending")).isEmpty();
        }

        @Test
        void hasShortStepsInItsFirstHour() {
            round("09:30:00");
            assertThat(stepSeconds("10:00:00")).isEqualTo(10);
            assertThat(stepSeconds("10:30:00")).isEqualTo(30);
            assertThat(stepSeconds("12:30:00")).isEqualTo(60);
        }

        private int stepSeconds(String until) {
            return history("since=2026-01-10T00:00:00Z&until=" + time(until))
                    .path("stepSeconds")
                    .asInt();
        }
    }

    @Nested
    class Capacity {
        @Test
        void lastsUntilItsNextChange() {
            capacity("04:00:00", 4, 0);
            capacity("05:00:00", 8, 0);
            capacity("08:30:00", 16, 2);
            held(job("x", "05:00:00"), 1, "START", 3, "06:00:00", "10:00:00", null);

            JsonNode slots = history(SIX_TO_TEN).path("slots").path(0);

            assertThat(numbers(slots.path("total"))).containsExactly(8.0, 8.0, 12.0, 16.0);
            assertThat(numbers(slots.path("unavailable"))).containsExactly(0.0, 0.0, 1.0, 2.0);
            assertThat(numbers(slots.path("free"))).containsExactly(5.0, 5.0, 8.0, 11.0);
        }

        @Test
        void isUnknownBeforeItsFirstRecord() {
            capacity("07:30:00", 8, 0);

            assertThat(numbers(history(SIX_TO_TEN).path("slots").path(0).path("total")))
                    .containsExactly(null, 8.0, 8.0, 8.0);
        }

        @Test
        void isThatOfTheFirstRecordFromTheFirstHeldSlotOn() {
            capacity("08:30:00", 8, 0);
            held(job("x", "05:00:00"), 1, "START", 3, "07:00:00", null, null);

            assertThat(numbers(history(SIX_TO_TEN).path("slots").path(0).path("total")))
                    .containsExactly(null, 8.0, 8.0, 8.0);
        }

        @Test
        void isRecordedWhenItChanges() {
            world.node("n1", 8);
            world.node("n2", 4);
            held(job("x", "05:00:00"), 1, "START", 3, "06:00:00", null, null);
            world.sql("update job set state = 'RUNNING', allocation = (select allocation from job_allocation)");

            assertThat(capacities.record()).isOne();
            assertThat(capacities.record()).isZero();
            world.sql("update node set state = 'DRAINING' where id = 'n1'");
            assertThat(capacities.record()).isOne();
            assertThat(last()).isEqualTo("12 5");
            world.sql("update node set state = 'LOST' where id = 'n2'");
            assertThat(capacities.record()).isOne();
            assertThat(last()).isEqualTo("8 5");
            world.sql("delete from node");
            assertThat(capacities.record()).isOne();
            assertThat(last()).isEqualTo("0 0");
        }

        @Test
        void countsADeviceThatJobsShareOnce() {
            world.node("n1", 8);
            hold(0.5);
            hold(0.5);
            world.sql("update node set state = 'DRAINING'");

            capacities.record();

            assertThat(last()).isEqualTo("8 7");
        }

        private String last() {
            return world.value(
                    String.class, "select slots || ' ' || unavailable from slot_capacity order by at desc limit 1");
        }
    }

    @Nested
    class GpuUse {
        private void sample(String at, String utilization, String memoryGiB, String watts) {
            world.sql(
                    "insert into gpu_usage values ('A100', cast(? as timestamptz), %s, %s, %s)"
                            .formatted(utilization, memoryGiB, watts),
                    "2026-01-10T%sZ".formatted(at));
        }

        @Test
        void isTheMeanOfTheSamplesInEachStep() {
            capacity("05:00:00", 8, 0);
            sample("05:59:59", "1", "1", "1");
            sample("06:00:00", "0.5", "100", "1000");
            sample("06:59:59", "0.7", "200", "null");
            sample("08:30:00", "null", "40", "300");

            JsonNode slots = history(SIX_TO_TEN).path("slots").path(0);

            assertThat(numbers(slots.path("gpuUtilization"))).containsExactly(0.6, null, null, null);
            assertThat(numbers(slots.path("gpuMemoryGiB"))).containsExactly(150.0, null, 40.0, null);
            assertThat(numbers(slots.path("powerWatts"))).containsExactly(1000.0, null, 300.0, null);
            assertThat(api.get("/api/v1/outcomes?since=2026-01-10T06:00:00Z&until=2026-01-10T10:00:00Z")
                            .is(200)
                            .json()
                            .at("/slots/0/gpuUtilization")
                            .asDouble())
                    .isEqualTo(0.6);
        }

        @Test
        void countsADeviceThatJobsShareOnce() {
            world.node("n1", 8);
            hold(0.5);
            hold(0.5);
            heartbeat();

            gpus.record();

            assertThat(sampled()).isEqualTo("0.10 8 800");
        }

        @Test
        void isSampledOnceAMinuteFromTheHeartbeatsOfExecutorsWithALease() {
            world.node("n1", 8);
            held(job("x", "05:00:00"), 1, "START", 2, "06:00:00", null, null);
            world.sql("update job set state = 'RUNNING', allocation = (select allocation from job_allocation)");
            heartbeat();

            gpus.record();
            gpus.record();

            assertThat(world.value(Long.class, "select count(*) from gpu_usage"))
                    .isOne();
            assertThat(sampled()).as("the first two devices are held").isEqualTo("0.15 8 800");
            world.sql("update gpu_usage set at = at - interval '2 minutes'");
            world.sql("update executor set lease_expires_at = now() - interval '1 second'");
            gpus.record();
            assertThat(world.value(Long.class, "select count(*) from gpu_usage"))
                    .isOne();
        }

        private String sampled() {
            return world.value(
                    String.class,
                    "select round(utilization::numeric, 2) || ' ' || memory_used_gib || ' ' || power_watts from gpu_usage");
        }

        private void heartbeat() {
            world.sql("""
                    insert into executor (id, instance, registration_epoch, state, address, devices, registered_at, seen_at,
                        lease_expires_at, reclaim_at, device_usage)
                    select 'n1', 'x', 1, 'ALIVE', 'n1', devices, now(), now(), now() + interval '1 hour', now() + interval '1 hour',
                        (select jsonb_agg(jsonb_build_object('uuid', device, 'utilization', 0.1 * n, 'memoryUsedMiB', 1024,
                            'powerWatts', 100)) from unnest(devices) with ordinality as listed (device, n))
                    from node
                    """);
        }
    }

    @Nested
    class TheFirstProgressOfAGeneration {
        @Test
        void isTheFirstReportAboveTheSamplesBefore() {
            String job = job("x", "05:00:00");
            held(job, 1, "START", 2, "06:00:00", null, null);

            report(job, 1, 1, 0);
            assertThat(progress(job, 1)).isZero();
            report(job, 1, 2, 50);
            assertThat(progress(job, 1)).isOne();
            world.sql("update job_allocation set first_progress_at = '2026-01-10T07:00:00Z'");
            report(job, 1, 3, 90);

            assertThat(world.value(Long.class, """
                            select count(*) from job_allocation where first_progress_at = '2026-01-10T07:00:00Z'
                            """)).isOne();
        }

        @Test
        void isNotAReturnToACheckpoint() {
            String job = job("x", "05:00:00");
            held(job, 1, "START", 2, "06:00:00", "07:00:00", null);
            report(job, 1, 1, 90);
            held(job, 2, "MOVE", 2, "07:00:00", null, null);

            report(job, 2, 1, 60);
            assertThat(progress(job, 2)).isZero();
            report(job, 2, 2, 61);

            assertThat(progress(job, 2)).isOne();
        }

        private void report(String job, long generation, long seq, double samples) {
            transaction.executeWithoutResult(
                    status -> changes.report(job, JobReport.ofSamples(generation, seq, samples), samples));
        }

        private long progress(String job, long generation) {
            return world.value(
                    Long.class,
                    "select count(first_progress_at) from job_allocation where job_id = ? and generation = ?",
                    job,
                    generation);
        }
    }

    @Nested
    class EveryMistakeIsNamed {
        @Test
        void emptyAndLongRanges() {
            assertThat(api.get(PATH + "since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z")
                            .is(ProblemType.INVALID_REQUEST)
                            .text())
                    .contains("must be before the end of the range, which is 2026-01-01T00:00:00Z");
            assertThat(api.get(PATH + "since=2020-01-01T00:00:00Z&until=2026-01-01T00:00:00Z")
                            .is(ProblemType.INVALID_REQUEST)
                            .text())
                    .contains("at most 366 days");
        }

        @Test
        void tooManySteps() {
            assertThat(api.get(PATH + DAY + "&stepSeconds=43")
                            .is(ProblemType.INVALID_REQUEST)
                            .text())
                    .contains("must be at least 44");
            api.get(PATH + DAY + "&stepSeconds=44").is(200);
        }
    }
}
