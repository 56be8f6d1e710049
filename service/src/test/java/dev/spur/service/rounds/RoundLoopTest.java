package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundSettings;
import dev.spur.service.database.Notifier;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.plans.PlanStore;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import dev.spur.service.testing.FaultPoints;
import dev.spur.service.testing.GreedyPolicy;
import dev.spur.service.testing.ServiceTest;
import io.micrometer.observation.ObservationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class RoundLoopTest extends ServiceTest {
    /** A lease that outlives any stall of a busy machine: where one is to run out, the test says so in the database. */
    private static final RoundProperties FAST = new RoundProperties(
            true,
            Duration.ofMinutes(1),
            Duration.ofMillis(300),
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            0.01,
            10,
            10,
            10);

    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    @Autowired
    private PlanStore plans;

    @Autowired
    private Notifier announcements;

    @Autowired
    private PlatformTransactionManager transactions;

    /** Of the service itself, which hears the database but does not plan. */
    @Autowired
    private RoundSchedule scheduleOfTheService;

    @Autowired
    private TaskScheduler scheduler;

    private final List<Replica> replicas = new ArrayList<>();

    /** A replica of the planner, within this process. */
    private final class Replica {
        private final List<RoundReport> reports = new CopyOnWriteArrayList<>();
        private final LeaseKeeper keeper = new LeaseKeeper(leases, FAST);
        private final RoundSchedule schedule = new RoundSchedule();
        private final PlannerNotifier signal = new PlannerNotifier(schedule, keeper, announcements, scheduler);
        private final RoundLoop loop =
                new RoundLoop(runner, keeper, FAST, List.of(reports::add), schedule, ObservationRegistry.NOOP);

        Replica() {
            replicas.add(this);
            loop.start();
        }

        boolean plans() {
            return keeper.current().isPresent();
        }

        RoundReport awaitRound(int number) throws InterruptedException {
            await(() -> reports.size() >= number);
            return reports.get(number - 1);
        }

        /** The first round of this status among those after the first {@code seen}. */
        RoundReport awaitStatus(RoundStatus status, int seen) throws InterruptedException {
            await(() -> reports.stream()
                    .skip(seen)
                    .anyMatch(report -> report.outcome().status() == status));
            return reports.stream()
                    .skip(seen)
                    .filter(report -> report.outcome().status() == status)
                    .findFirst()
                    .orElseThrow();
        }
    }

    @BeforeEach
    void setThePace() {
        pace(3600, 0.2);
        world.node("n1", 4);
    }

    @AfterEach
    void stopAll() {
        replicas.forEach(replica -> replica.loop.stop());
    }

    private void pace(double roundSeconds, double earlyRoundSeconds) {
        String planning = RoundJson.mapper().writeValueAsString(RoundSettings.DEFAULT);
        world.sql("delete from settings");
        world.sql(
                "insert into settings (body) values (cast(? as jsonb))",
                "{\"planning\": %s, \"roundSeconds\": %s, \"earlyRoundSeconds\": %s}"
                        .formatted(planning, roundSeconds, earlyRoundSeconds));
    }

    @Nested
    class RoundsRun {
        @Test
        void everyPeriod() throws Exception {
            pace(0.3, 0.1);
            Replica replica = new Replica();

            assertThat(replica.awaitRound(3).trigger()).isEqualTo("period");
        }

        @Test
        void earlyWhenSomethingChanged() throws Exception {
            Replica replica = new Replica();
            replica.awaitRound(1);
            String job = world.job(1);
            replica.signal.requestRound("a job was submitted");
            replica.signal.requestRound("another one");
            RoundReport early = replica.awaitRound(2);

            assertThat(early.trigger()).isEqualTo("change: a job was submitted");
            assertThat(world.state(job)).isEqualTo("RUNNING");
            TimeUnit.MILLISECONDS.sleep(600);
            assertThat(replica.reports).as("many changes, one round").hasSize(2);
        }

        @Test
        void notForAChangeThatIsRolledBack() throws Exception {
            Replica replica = new Replica();
            replica.awaitRound(1);
            new TransactionTemplate(transactions).executeWithoutResult(status -> {
                replica.signal.requestRound("nothing after all");
                status.setRollbackOnly();
            });
            TimeUnit.MILLISECONDS.sleep(600);

            assertThat(replica.reports).hasSize(1);
        }

        @Test
        void forAChangeThatAnotherReplicaSaw() throws Exception {
            Replica standby = new Replica();
            standby.awaitRound(1);
            standby.loop.stop();
            standby.signal.requestRound("a change elsewhere");
            String why = scheduleOfTheService.awaitDue();
            while (!"change: a change elsewhere".equals(why)) {
                why = scheduleOfTheService.awaitDue();
            }

            assertThat(why).endsWith("elsewhere");
        }

        @Test
        void onDemandAtOnce() throws Exception {
            pace(3600, 3600);
            Replica replica = new Replica();
            replica.awaitRound(1);
            replica.loop.onNotification(RoundLoop.REQUEST);

            assertThat(replica.awaitRound(2).trigger()).isEqualTo("request");
        }
    }

    @Nested
    class TheLoopGoesOn {
        @Test
        void whenThePolicyThrows() throws Exception {
            Replica replica = new Replica();
            replica.awaitRound(1);
            int seen = replica.reports.size();
            policy.use(problem -> {
                throw new IllegalStateException("no idea");
            });
            world.job(1);
            replica.loop.onNotification(RoundLoop.REQUEST);
            RoundReport failed = replica.awaitStatus(RoundStatus.FAILED, seen);
            policy.reset();
            replica.loop.onNotification(RoundLoop.REQUEST);

            assertThat(failed.outcome().error()).contains("no idea");
            assertThat(failed.outcome().planRevision()).isNull();
            replica.awaitStatus(RoundStatus.PUBLISHED, seen);
        }

        @Test
        void whenThePolicyIsLateAndWithoutPilingUpSolves() throws Exception {
            Replica replica = new Replica();
            replica.awaitRound(1);
            CountDownLatch release = new CountDownLatch(1);
            world.sql("update settings set body = jsonb_set(body, '{planning,budget,wallSeconds}', '0.1')");
            policy.use(problem -> {
                awaitStubbornly(release);
                return new GreedyPolicy().plan(problem);
            });
            replica.loop.onNotification(RoundLoop.REQUEST);
            RoundReport late = replica.awaitRound(2);
            replica.loop.onNotification(RoundLoop.REQUEST);
            RoundReport next = replica.awaitRound(3);
            policy.reset();
            release.countDown();

            assertThat(late.outcome().error()).contains("returned no plan");
            assertThat(next.outcome().error()).contains("still running");
            await(() -> {
                replica.loop.onNotification(RoundLoop.REQUEST);
                return replica.reports.get(replica.reports.size() - 1).outcome().status() != RoundStatus.FAILED;
            });
        }

        @Test
        void whenTheValidatorRejectsThePlan() throws Exception {
            Replica replica = new Replica();
            replica.awaitRound(1);
            world.job(1);
            policy.use(problem -> new GreedyPolicy().plan(problem.withJobs(List.of())));
            replica.loop.onNotification(RoundLoop.REQUEST);

            assertThat(replica.awaitRound(2).outcome().error()).contains("the plan validator rejected the plan");
            assertThat(plans.currentRevision()).hasValue(1);
        }

        @Test
        void whenTheDatabaseGoesAwayForAWhile() throws Exception {
            pace(0.2, 0.1);
            Replica replica = new Replica();
            replica.awaitRound(1);
            for (int i = 0; i < 5; i++) {
                cutConnections();
                TimeUnit.MILLISECONDS.sleep(100);
            }
            TimeUnit.SECONDS.sleep(1); // until the pool tries its connections before it gives them out
            int before = replica.reports.size();
            String job = world.job(1);
            replica.awaitRound(before + 2);

            await(() -> world.state(job).equals("RUNNING"));
        }

        private void awaitStubbornly(CountDownLatch latch) {
            while (latch.getCount() > 0) {
                try {
                    latch.await();
                } catch (InterruptedException ignored) {
                    Thread.interrupted();
                }
            }
        }
    }

    @Nested
    class ExactlyOneReplicaPlans {
        @Test
        void andAnotherTakesOverAtOnceWhenItStops() throws Exception {
            Replica first = new Replica();
            first.awaitRound(1);
            Replica second = new Replica();
            TimeUnit.MILLISECONDS.sleep(500);
            assertThat(second.plans()).isFalse();
            long stopped = System.nanoTime();
            first.loop.stop();
            RoundReport report = second.awaitRound(1);

            assertThat(report.trigger()).isEqualTo("takeover");
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - stopped))
                    .as("sooner than the lease runs out, on a machine that is not too busy")
                    .isLessThan(10_000);
            assertThat(world.value(Long.class, "select lease_term from planner_lease"))
                    .isGreaterThan(1);
        }

        @Test
        void andAnotherTakesOverWhenItsLeaseRunsOut() throws Exception {
            Replica first = new Replica();
            first.awaitRound(1);
            Replica second = new Replica();
            world.sql("update planner_lease set expires_at = clock_timestamp(), holder = 'paused'");
            await(() -> first.plans() != second.plans());

            assertThat(first.plans() || second.plans()).isTrue();
        }
    }

    @Nested
    class AStop {
        @Autowired
        private FaultPoints faults;

        @Autowired
        private HikariDataSource pool;

        @ParameterizedTest
        @ValueSource(strings = {"predict", "snapshot", "publish"})
        void isNoFailureOfARoundThatWaitsForTheDatabase(String step) throws Exception {
            world.job(1);
            CountDownLatch reached = new CountDownLatch(1);
            faults.at(step, () -> {
                List<Connection> all = takeAllConnections();
                reached.countDown();
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
                        .execute(() -> all.forEach(pool::evictConnection));
            });
            Replica replica = new Replica();
            reached.await();
            replica.loop.stop();

            assertThat(replica.awaitRound(1).outcome().status()).isEqualTo(RoundStatus.ABANDONED);
            assertThat(plans.currentRevision()).isEmpty();
        }

        private List<Connection> takeAllConnections() {
            List<Connection> all = new ArrayList<>();
            try {
                while (all.size() < pool.getMaximumPoolSize()) {
                    all.add(pool.getConnection());
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            return all;
        }

        @Test
        void abandonsTheRoundThatRuns() throws Exception {
            CountDownLatch never = new CountDownLatch(1);
            CountDownLatch solving = new CountDownLatch(1);
            policy.use(problem -> {
                solving.countDown();
                try {
                    never.await();
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
                return new GreedyPolicy().plan(problem);
            });
            Replica replica = new Replica();
            solving.await();
            long start = System.nanoTime();
            replica.loop.stop();

            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start))
                    .isLessThan(10);
            assertThat(world.value(String.class, "select status from round where number = 1"))
                    .isEqualTo("ABANDONED");
            assertThat(world.value(Boolean.class, "select expires_at <= clock_timestamp() from planner_lease"))
                    .isTrue();
        }
    }
}
