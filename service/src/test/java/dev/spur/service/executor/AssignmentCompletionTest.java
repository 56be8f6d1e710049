package dev.spur.service.executor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
