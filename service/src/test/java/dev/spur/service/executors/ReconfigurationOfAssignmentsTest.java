package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.ChangeCosts;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.service.testing.TestCluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Another batch size for a running job: in place where the job supports it, otherwise by a restart. */
class ReconfigurationOfAssignmentsTest extends ExecutorsTest {
    private static JobSpec spec() {
        return TestCluster.spec(1)
                .edit()
                .batch(new BatchLimits(64, 64, 256, 256, Map.of(), false))
                .speed(
                        new ThroughputProfile(
                                List.of(
                                        ProfilePoint.allReduce("A100", 1, 1, 64, 64),
                                        ProfilePoint.allReduce("A100", 1, 1, 128, 120)),
                                List.of()),
                        StatisticalEfficiency.ofNoiseScale(10_000))
                .build();
    }

    private String running(JobSpec spec) {
        String job = submit(1);
        world.sql(
                "update job set spec = cast(? as jsonb) where id = ?",
                RoundJson.mapper().writeValueAsString(spec),
                job);
        place(job, piece("n1", "d0"));
        run(job, one);
        return job;
    }

    private static JobSpec reconfigures() {
        return spec().edit().changeCosts(new ChangeCosts(0.5, null, null)).build();
    }

    private void reconfigure(String job) {
        plan.batch(job, 128);
        place(job, piece("n1", "d0"));
    }

    @Test
    void keepsTheGenerationOfAJobThatSupportsIt() {
        String job = running(reconfigures());

        reconfigure(job);

        assertThat(world.generation(job)).isEqualTo(1);
        assertThat(one.poll().size()).isEqualTo(1);
        assertThat(one.poll(job).path("state").asString()).isEqualTo("RUNNING");
        assertThat(one.poll(job).path("desired").asString()).isEqualTo("RUN");
        assertThat(one.poll(job).at("/batch/global").asInt()).isEqualTo(128);
        assertThat(event(job, "RECONFIGURED").path("generation").asInt()).isEqualTo(1);
        assertThat(api.get(JOBS + job).is(200).json().at("/history/restarts").asInt())
                .isZero();
    }

    @Test
    void hasAnEventWithTheChangedSettings() {
        String job = running(reconfigures());

        reconfigure(job);

        JsonNode detail = event(job, "RECONFIGURED");
        assertThat(detail.at("/batchSize/before").asInt()).isEqualTo(64);
        assertThat(detail.at("/batchSize/after").asInt()).isEqualTo(128);
        assertThat(detail.has("strategy")).isFalse();
        assertThat(event(job, "STARTED").has("batchSize")).isFalse();
    }

    @Test
    void keepsTheStartOfTheAllocation() {
        String job = running(reconfigures());

        reconfigure(job);

        assertThat(world.value(
                        Boolean.class,
                        "select (allocation->>'since')::double precision < extract(epoch from now()) - 80000 from job where id = ?",
                        job))
                .isTrue();
    }

    @Test
    void countsSamplesUnderTheBatchSizeThatTheReportStates() {
        String job = running(reconfigures());
        reconfigure(job);

        report(job, 1, 6_400, 64);
        assertThat(doneSamples(job)).as("made before the change").isEqualTo(6_400);

        report(job, 2, 12_800, 128);
        assertThat(doneSamples(job))
                .as("a batch of 128 is worth less by the noise scale")
                .isCloseTo(6_400 + 6_400 * (10_064.0 / 10_128), within(1e-6));
    }

    private void report(String job, int seq, double samples, int batch) {
        api.post(JOBS + job + "/progress", """
                {"generation": 1, "seq": %d, "samplesTotal": %s, "state": "RUNNING",
                 "measured": {"stepSeconds": 1, "batchSize": %d}}
                """.formatted(seq, samples, batch)).is(200);
    }

    private double doneSamples(String job) {
        return api.get(JOBS + job).is(200).json().path("doneSamples").asDouble();
    }

    @Test
    void restartsAJobThatDoesNotSupportIt() {
        String job = running(spec());

        reconfigure(job);

        assertThat(world.generation(job)).isEqualTo(2);
        assertThat(one.poll().valueStream())
                .filteredOn(item -> item.path("assignmentId").asString().equals(job + ".1"))
                .allSatisfy(item -> assertThat(item.path("desired").asString()).isEqualTo("STOP"))
                .hasSize(1);
    }
}
