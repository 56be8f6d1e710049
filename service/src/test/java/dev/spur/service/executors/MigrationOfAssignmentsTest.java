package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.ChangeCosts;
import dev.spur.model.json.RoundJson;
import dev.spur.service.testing.TestCluster;
import dev.spur.service.web.contract.ContractedClient.Answer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A move of a running job whose next processes start while the previous ones train. */
class MigrationOfAssignmentsTest extends ExecutorsTest {
    /** A job with a rank that runs on device d0 of n1. */
    private String running() {
        String job = submit(1);
        world.sql(
                "update job set spec = cast(? as jsonb) where id = ?",
                RoundJson.mapper()
                        .writeValueAsString(TestCluster.spec(1)
                                .edit()
                                .changeCosts(new ChangeCosts(null, null, 5.0))
                                .build()),
                job);
        place(job, piece("n1", "d0"));
        run(job, one);
        return job;
    }

    private static String desired(FakeExecutor executor, String job, int generation) {
        return item(executor, job, generation).path("desired").asString();
    }

    private static boolean warmsUp(FakeExecutor executor, String job, int generation) {
        return item(executor, job, generation).path("warmUp").asBoolean();
    }

    private static JsonNode item(FakeExecutor executor, String job, int generation) {
        return executor.poll()
                .valueStream()
                .filter(item -> item.path("assignmentId").asString().equals(job + "." + generation))
                .findFirst()
                .orElseThrow();
    }

    private static void report(FakeExecutor executor, String job, int generation, boolean ready) {
        executor.step(job + "." + generation, "ACCEPTED", ", \"warm\": " + ready)
                .is(200);
    }

    @Test
    void trainsUntilTheNextProcessesAreReady() {
        String job = running();

        place(job, piece("n2", "d0"));

        assertThat(event(job, "MOVED").path("mechanism").asString()).isEqualTo("MIGRATE");
        assertThat(desired(one, job, 1)).isEqualTo("RUN");
        assertThat(warmsUp(two, job, 2)).isTrue();
        assertThat(item(two, job, 2).path("mayStart").asBoolean()).isFalse();
        assertThat(two.step(job + ".2", "ACCEPTED").status()).isEqualTo(409);

        report(two, job, 2, true);

        assertThat(warmsUp(two, job, 2)).isFalse();
        assertThat(item(one, job, 1).path("reason").asString()).isEqualTo("SUPERSEDED");
        assertThat(two.step(job + ".2", "STARTING").status()).isEqualTo(409);

        one.release(job + ".1").is(200);
        run(job, two);
        assertThat(item(two, job, 2).at("/checkpoint/resumeUpTo").asLong()).isEqualTo(1);
    }

    @Test
    void reportsProgressUntilTheNextProcessesAreReady() {
        String job = running();
        place(job, piece("n1", "d1"), piece("n2", "d0"));

        progress(job, 1, 640).is(200);

        assertThat(api.get(JOBS + job).is(200).json().path("doneSamples").asDouble())
                .isEqualTo(640);
        assertThat(learnedShapes(job)).as("that of the previous generation").isEqualTo("1 on 1");

        report(one, job, 2, true);
        report(two, job, 2, true);
        assertThat(progress(job, 2, 1280).status()).isEqualTo(409);
    }

    private Answer progress(String job, int seq, int samples) {
        return measured(job, seq, samples, 1);
    }

    @Test
    void trainsUntilAllNodesOfTheNextGenerationAreReady() {
        String job = running();

        place(job, piece("n1", "d1"), piece("n2", "d0"));
        report(two, job, 2, true);
        assertThat(desired(one, job, 1)).isEqualTo("RUN");
        report(one, job, 2, true);

        assertThat(desired(one, job, 1)).isEqualTo("STOP");
    }

    @Test
    void restartsIfTheNextProcessesEndBeforeTheyAreReady() {
        String job = running();
        place(job, piece("n1", "d1"), piece("n2", "d0"));

        report(two, job, 2, false);

        assertThat(desired(one, job, 1)).isEqualTo("STOP");
        one.release(job + ".1").is(200);
        run(job, one, two);
        assertThat(world.generation(job)).isEqualTo(2);
    }

    @Test
    void restartsIfTheNextProcessesAreNotReadyInTime() {
        String job = running();
        place(job, piece("n2", "d0"));
        world.sql(
                "update assignment set changed_at = now() - interval '1 hour' where generation = 2 and job_id = ?",
                job);

        steward.step();

        assertThat(desired(one, job, 1)).isEqualTo("STOP");
        assertThat(warmsUp(two, job, 2)).isFalse();
    }

    @Test
    void continuesFromItsCheckpointIfThePreviousProcessesFail() {
        String job = running();
        place(job, piece("n2", "d0"));

        one.exit(job + ".1", 1).is(200);

        run(job, two);
        assertThat(world.generation(job)).isEqualTo(2);
    }

    @Test
    void isARestartWhereAnotherJobStillHoldsADevice() {
        String other = placed(piece("n2", "d0"));
        run(other, two);
        String job = running();
        plan.put(other);

        place(job, piece("n2", "d0"));

        assertThat(warmsUp(two, job, 2)).isFalse();
        assertThat(desired(one, job, 1)).isEqualTo("STOP");
    }

    @Test
    void isARestartOnADeviceThatTheJobHolds() {
        String job = running();

        place(job, piece("n1", "d0", "d1"));

        assertThat(item(one, job, 2).path("warmUp").asBoolean()).isFalse();
        assertThat(desired(one, job, 1)).isEqualTo("STOP");
    }

    @Test
    void anotherPlanEndsTheWarmUp() {
        String job = running();
        place(job, piece("n2", "d0"));

        place(job, piece("n2", "d1"));

        assertThat(desired(one, job, 1)).isEqualTo("STOP");
        assertThat(two.poll().valueStream())
                .extracting(item -> item.path("generation").asInt())
                .containsExactly(3);
        assertThat(warmsUp(two, job, 3)).isFalse();
    }

    @Test
    void aHeldJobStops() {
        String job = running();
        place(job, piece("n2", "d0"));

        api.post(JOBS + job + "/hold", "").is(200);

        assertThat(desired(one, job, 1)).isEqualTo("STOP");
        assertThat(two.poll()).isEmpty();
    }

    @Test
    void aLostNodeOfTheNextProcessesRestartsTheJob() {
        String job = running();
        place(job, piece("n2", "d0"));

        silence("n2");

        assertThat(desired(one, job, 1)).isEqualTo("STOP");
        assertThat(event(job, "REQUEUED").path("node").asString()).isEqualTo("n2");
    }

    @Test
    void onlyAnAssignmentThatHasNotStartedWarmsUp() {
        String job = running();

        assertThat(one.step(job + ".1", "ACCEPTED", ", \"warm\": true").text()).contains("they have started");
    }
}
