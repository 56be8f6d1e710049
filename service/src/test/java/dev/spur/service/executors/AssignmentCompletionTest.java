package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job held, once its executor has ended it. */
class AssignmentCompletionTest extends ExecutorsTest {
    /** Of allocations that are over and were counted, and of those that are not. */
    private String counted(String job) {
        return world.value(String.class, """
                select count(ended_at) || ' over, ' || count(*) filter (where ended_at is null) || ' not, '
                    || (select (allocation is null)::text || ' ' || (attained_service >= 100)::text from job where id = ?)
                from job_allocation where job_id = ? and allocation is not null
                """, job, job);
    }

    private String runningFor50Seconds() {
        String job = placed(piece("n1", "d0", "d1"));
        run(job, one);
        world.sql("update job set allocated_since = allocated_since - interval '50 seconds' where id = ?", job);
        assertThat(counted(job)).isEqualTo("0 over, 1 not, false false");
        return job;
    }

    @Test
    void isOverAndCountedWhenItIsDone() {
        String job = runningFor50Seconds();

        one.exit(assignment(job), 0).is(200);

        assertThat(counted(job)).isEqualTo("1 over, 0 not, true true");
        assertThat(event(job, "DONE").path("doneSamples").asDouble()).isZero();
    }

    @Test
    void isOverAndCountedWhenItGoesBackToTheQueue() {
        String job = runningFor50Seconds();

        one.exit(assignment(job), 1).is(200);

        assertThat(counted(job)).isEqualTo("1 over, 0 not, true true");
    }

    private String completing() {
        String job = runningFor50Seconds();
        world.sql("update job set state = 'COMPLETING' where id = ?", job);
        return job;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 143})
    void isDoneWhenACompleteJobHasStopped(int code) {
        String job = completing();

        one.release(assignment(job), code).is(200);

        assertThat(world.state(job)).isEqualTo("DONE");
    }

    @Test
    void isNotDoneWhenACompleteJobStopsWithAnError() {
        String job = completing();

        one.release(assignment(job), 1).is(200);

        assertThat(world.state(job)).isEqualTo("WAITING");
        assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("FAILED");
        assertThat(event(job, "REQUEUED").path("exitCode").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"100, DONE", "99, WAITING"})
    void isDoneAfterAnErrorOnlyIfTheNewestCheckpointHasAllSamples(double saved, String state) {
        String job = completing();
        world.sql("update job set raw_samples = 100, checkpoint_samples = ? where id = ?", saved, job);

        one.release(assignment(job), 1).is(200);

        assertThat(world.state(job)).isEqualTo(state);
    }

    /** torchrun ends with 1 after each stop, whatever its workers end with. */
    @Test
    void isDoneWhenTheLauncherOfACompleteJobStopsWithAnError() {
        String job = completing();
        world.sql("update job set command = jsonb_set(command, '{launch}', '\"PER_NODE\"') where id = ?", job);

        one.release(assignment(job), 1).is(200);

        assertThat(world.state(job)).isEqualTo("DONE");
    }
}
