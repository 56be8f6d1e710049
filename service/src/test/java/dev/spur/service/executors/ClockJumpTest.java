package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.Seconds;
import dev.spur.service.connectors.ConnectorJobStore;
import dev.spur.service.database.DatabaseClockStore;
import dev.spur.service.database.LeaseGrants;
import dev.spur.service.database.RestorationStore;
import dev.spur.service.jobs.TimeLimitStore;
import dev.spur.service.web.contract.ProblemType;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;

/** Jumps of the database clock. All times in the database are moved instead: for its clock that is the same. */
class ClockJumpTest extends ExecutorsTest {
    @Autowired
    private DatabaseClockStore clock;

    @Autowired
    private LeaseGrants grants;

    @Autowired
    private RestorationStore restoration;

    @Autowired
    private TimeLimitStore limits;

    @Autowired
    private ConnectorJobStore platformJobs;

    @Autowired
    private ExecutorProperties properties;

    @Autowired
    private TransactionTemplate transaction;

    private final AtomicLong nanoTime = new AtomicLong();
    private ClockJumpDetector watch;

    @BeforeEach
    void readTheClock() {
        watch = new ClockJumpDetector(clock, grants, restoration, limits, properties, transaction, nanoTime::get);
        watch.read();
    }

    /** The clock of the database advances by {@code seconds}, seen from everything that is stored. */
    private void jump(int seconds) {
        world.sql("update database_clock set read_at = read_at - make_interval(secs => ?)", seconds);
        world.sql("update job set allocated_since = allocated_since - make_interval(secs => ?)", seconds);
        world.sql("""
                update executor set seen_at = seen_at - make_interval(secs => %1$d),
                    lease_expires_at = lease_expires_at - make_interval(secs => %1$d), reclaim_at = reclaim_at - make_interval(secs => %1$d)
                """.formatted(seconds));
        world.sql(
                "update assignment set changed_at = changed_at - make_interval(secs => %1$d), ready_at = ready_at - make_interval(secs => %1$d)"
                        .formatted(seconds));
    }

    private void pass(int seconds) {
        nanoTime.addAndGet(seconds * 1_000_000_000L);
    }

    private double secondsToReclaim(String node) {
        return world.value(
                Double.class,
                "select extract(epoch from reclaim_at - clock_timestamp()) from executor where id = ?",
                node);
    }

    @Nested
    class AnHourAhead {
        @Test
        void losesNoExecutorBeforeTheJumpIsDetected() {
            String job = placed(piece("n1", "d0"));
            run(job, one);

            jump(3600);

            one.status(assignment(job) + " RUNNING").is(200);
            two.register().is(200);
            assertThat(world.state(job)).isEqualTo("RUNNING");
            assertThat(world.value(String.class, "select state from executor where id = 'n2'"))
                    .isEqualTo("ALIVE");
        }

        @Test
        void givesExecutorsLeaseAndGraceAgain() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            jump(3600);
            pass(1);

            watch.read();
            steward.step();

            assertThat(world.state(job)).isEqualTo("RUNNING");
            assertThat(secondsToReclaim("n1")).isBetween(120.0, 180.0);
            one.status(assignment(job) + " RUNNING").is(200);
        }

        @Test
        void givesGangsNewTimeForTheirMembers() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            steward.step();
            one.step(assignment(job), "ACCEPTED").is(200);
            jump(3600);

            steward.step();

            assertThat(world.state(job)).isEqualTo("RUNNING");
            two.step(assignment(job), "ACCEPTED").is(200);
        }

        @Test
        void leavesJobsOfPlatformsTheirTimeToAppearAgain() {
            world.sql("insert into connector (name, kind, control_level) values ('slurm', 'SLURM', 'OBSERVE')");
            world.sql(
                    "insert into connector_job (connector, platform_id, seen_at) values ('slurm', '1', now() - interval '30 s')");
            jump(3600);
            world.sql("update connector_job set seen_at = seen_at - interval '1 hour'");
            pass(1);
            assertThat(platformJobs.jobs("slurm").get("1").gone()).isFalse();

            watch.read();

            assertThat(platformJobs.jobs("slurm").get("1").gone()).isFalse();
        }

        @Test
        void isNoRunTime() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            world.sql("update job set spec = jsonb_set(spec, '{timeLimit}', '{\"seconds\": 100}') where id = ?", job);
            jump(3600);
            assertThat(limits.over()).as("before the jump is detected").isEmpty();

            watch.read();

            assertThat(limits.over()).isEmpty();
            world.sql("update job set allocated_since = allocated_since - interval '110 s' where id = ?", job);
            assertThat(limits.over()).containsExactly(job);
        }

        @Test
        void extendsAQuietTimeAfterARestoration() {
            world.sql("""
                    insert into restoration (exported_at, recovered_at, recovery_ends_at)
                        values (now(), now(), now() - interval '1 hour' + interval '100 s'), (now(), now(), now() - interval '2 hours')
                    """);
            jump(3600);
            pass(1);

            watch.read();

            assertThat(world.value(Integer.class, "select count(*) from restoration where recovery_ends_at > now()"))
                    .isEqualTo(1);
        }
    }

    @Nested
    class AnHourBack {
        @Test
        void losesNoExecutorThatReportsBeforeTheJumpIsDetected() {
            String job = placed(piece("n1", "d0"));
            run(job, one);

            jump(-3600);

            one.status(assignment(job) + " RUNNING").is(200);
            one.status(assignment(job) + " RUNNING").is(200);
            one.register(assignment(job) + " RUNNING").is(200);
            assertThat(world.state(job)).isEqualTo("RUNNING");
        }

        @Test
        void doesNotKeepASilentExecutorForAnHour() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            jump(-3600);
            pass(1);

            watch.read();

            assertThat(secondsToReclaim("n1")).isBetween(120.0, 180.0);
            assertThat(world.value(Boolean.class, "select bool_and(seen_at <= clock_timestamp()) from executor"))
                    .isTrue();
        }

        @Test
        void doesNotKeepAPauseForAnHour() {
            String job = submit(1);
            world.sql("update job set retry_at = now() + interval '1 hour' where id = ?", job);
            jump(-3600);

            watch.read();

            assertThat(world.value(Double.class, "select extract(epoch from retry_at - now()) from job"))
                    .isLessThanOrEqualTo(Seconds.of(properties.maxRetryBackoff()));
        }
    }

    @Nested
    class WithoutAJump {
        @Test
        void aSlowReplicaExtendsNoLease() {
            world.sql("update executor set reclaim_at = clock_timestamp() where id = 'n1'");
            world.sql("update database_clock set read_at = read_at - interval '100 s'");
            pass(100);

            watch.read();
            steward.step();

            one.status().is(ProblemType.STALE_REGISTRATION);
            assertThat(world.value(String.class, "select state from executor where id = 'n1'"))
                    .isEqualTo("LOST");
        }

        @Test
        void aReplicaThatStartsWhileOthersRunExtendsNoLease() {
            world.sql("update executor set reclaim_at = clock_timestamp() where id = 'n1'");

            new ClockJumpDetector(clock, grants, restoration, limits, properties, transaction, nanoTime::get).read();

            assertThat(secondsToReclaim("n1")).isNegative();
        }
    }

    @Test
    void theFirstReplicaAfterALongAbsenceExtendsLeases() {
        jump(3600);

        new ClockJumpDetector(clock, grants, restoration, limits, properties, transaction, nanoTime::get).read();

        assertThat(secondsToReclaim("n1")).isPositive();
    }
}
