package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** What a maximum run time does to jobs that executors run. */
class TimeLimitTest extends ExecutorsTest {
    @Autowired
    private MeterRegistry registry;

    private void limit(String job, String limit) {
        world.sql("update job set spec = jsonb_set(spec, '{timeLimit}', cast(? as jsonb)) where id = ?", limit, job);
    }

    private String running(String limit) {
        String job = submit(2);
        limit(job, limit);
        place(job, piece("n1", "d0", "d1"));
        run(job, one);
        return job;
    }

    /** The job has run for so long, as the clock of the database sees it. */
    private void age(String job, int seconds) {
        world.sql(
                "update job set allocated_since = allocated_since - make_interval(secs => ?) where id = ?",
                seconds,
                job);
    }

    private JsonNode job(String job) {
        return api.get(JOBS + job).is(200).json();
    }

    private String orderToStop() {
        return one.poll().path(0).path("reason").asString();
    }

    @Test
    void endsAJobWithItsProcesses() {
        String job = running("{\"seconds\": 100}");
        double before = registry.counter("spur.jobs.limited", "action", "end").count();
        assertThat(Duration.between(
                        Instant.now(), Instant.parse(job(job).path("limitAt").asString())))
                .isBetween(Duration.ofSeconds(80), Duration.ofSeconds(101));

        age(job, 90);
        steward.step();
        assertThat(world.state(job)).as("10 s before").isEqualTo("RUNNING");
        age(job, 10);
        steward.step();
        steward.step();

        assertThat(world.state(job)).isEqualTo("FAILED");
        assertThat(event(job, "FAILED").path("cause").asString()).isEqualTo("TIME_LIMIT");
        assertThat(job(job).at("/failure/message").asString())
                .isEqualTo("The job has reached its time limit of 0:01:40.");
        assertThat(job(job).has("limitAt")).isFalse();
        assertThat(orderToStop()).isEqualTo("ENDED");
        assertThat(registry.counter("spur.jobs.limited", "action", "end").count())
                .isEqualTo(before + 1);
    }

    @Test
    void countsAllStartsUnlessEachCounts() {
        String whole = running("{\"seconds\": 100}");
        age(whole, 60);
        silence("n1");
        assertThat(world.state(whole)).as("its node was lost").isEqualTo("WAITING");
        assertThat(job(whole).has("limitAt")).isFalse();
        place(whole, piece("n2", "d0", "d1"));
        run(whole, two);
        age(whole, 30);
        steward.step();
        assertThat(world.state(whole)).isEqualTo("RUNNING");
        limit(whole, "{\"seconds\": 80, \"per\": \"START\", \"onLimit\": \"END\"}");
        steward.step();
        assertThat(world.state(whole)).as("30 s of its second start").isEqualTo("RUNNING");

        limit(whole, "{\"seconds\": 80}");
        steward.step();

        assertThat(world.state(whole)).as("90 s of both").isEqualTo("FAILED");
    }

    @Test
    void returnsAJobToTheQueue() {
        String job = running("{\"seconds\": 100, \"per\": \"START\", \"onLimit\": \"REQUEUE\"}");
        String before = assignment(job);

        age(job, 100);
        steward.step();

        assertThat(world.state(job)).isEqualTo("WAITING");
        assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("TIME_LIMIT");
        assertThat(orderToStop()).isEqualTo("SUPERSEDED");
        assertThat(job(job).has("failure")).isFalse();
        one.release(before).is(200);
        steward.step();
        place(job, piece("n1", "d0", "d1"));
        assertThat(world.state(job)).as("again").isEqualTo("RUNNING");
    }

    @Test
    void endsAJobThatWaitsOnceItWasUsedUp() {
        String job = running("{\"seconds\": 100}");
        age(job, 90);
        silence("n1");
        assertThat(world.state(job)).isEqualTo("WAITING");

        limit(job, "{\"seconds\": 50}");
        steward.step();

        assertThat(world.state(job)).isEqualTo("FAILED");
    }

    @Test
    void doesNotEndAJobThatIsDoneOrOfAPlatform() {
        String done = running("{\"seconds\": 100}");
        world.sql("update job set state = 'COMPLETING' where id = ?", done);
        String foreign = submit(1);
        limit(foreign, "{\"seconds\": 100}");
        place(foreign, piece("n1", "d2"));
        world.sql("insert into connector (name, kind, control_level) values ('k', 'SLURM', 'ADMIT')");
        world.sql("insert into connector_job (connector, platform_id, job_id) values ('k', '1', ?)", foreign);
        age(done, 1000);
        age(foreign, 1000);

        steward.step();

        assertThat(world.state(done)).isEqualTo("COMPLETING");
        assertThat(world.state(foreign)).isEqualTo("RUNNING");
    }
}
