package dev.spur.connectors.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine does when something goes wrong, on a platform in memory that can be made to. */
class PlatformReconcilerTest {
    private static final JobPlacement FULL = JobPlacement.of(Map.of("gpu1", 8));

    private final FakePlatform platform = new FakePlatform(4, 8);
    private final InMemoryActionLog log = new InMemoryActionLog(ControlLevel.RESIZE);

    private ReconcileReport step(DesiredState desired, Limits limits) {
        PlatformReconciler engine = new PlatformReconciler(platform, log, limits, platform.clock());
        try {
            return engine.reconcile(engine.look(), desired);
        } catch (IOException | InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void converge(DesiredState desired) {
        for (int look = 0; look < 400; look++) {
            if (step(desired, Limits.DEFAULT).inSync() && log.open().isEmpty()) {
                return;
            }
            platform.pass();
        }
        throw new AssertionError("it has not come about: %s".formatted(log.open()));
    }

    private String running(JobPlacement there) {
        String job = platform.submit(1, there.total(), true, "spur");
        converge(new DesiredState(1, Map.of(job, new DesiredJob.Run(there))));
        return job;
    }

    @Nested
    class AnAnswerThatLies {
        @Test
        void isFoundOutByLookingAndThriceInARowEndsAllWriting() {
            String job = platform.submit(1, 8, true, "spur");
            platform.lies = true;
            List<String> failures = new ArrayList<>();

            for (int look = 0; look < 100; look++) {
                failures.addAll(step(new DesiredState(1, Map.of(job, new DesiredJob.Run(FULL))), Limits.DEFAULT)
                        .failures());
                platform.pass();
            }

            assertThat(failures).hasSize(3).allMatch(failure -> failure.contains("has no visible effect"));
            assertThat(log.status().controlLevel()).isEqualTo(ControlLevel.OBSERVE);
            assertThat(log.status().circuitOpenReason()).isPresent();
            assertThat(log.find("1/1/start").orElseThrow().state()).isEqualTo(ActionRecord.State.FAILED);
        }

        @Test
        void isForgivenWhenTheNextLookIsFine() {
            String job = platform.submit(1, 8, true, "spur");
            DesiredState desired = new DesiredState(1, Map.of(job, new DesiredJob.Run(FULL)));
            platform.lies = true;
            for (int look = 0; look < 25; look++) {
                step(desired, Limits.DEFAULT);
                platform.pass();
            }
            assertThat(log.status().failures()).isEqualTo(1);

            platform.lies = false;
            converge(desired);

            assertThat(log.status()).isEqualTo(new ActionLog.ConnectorStatus(ControlLevel.RESIZE, 0, Optional.empty()));
        }
    }

    @Nested
    class AJobThatLacksSomething {
        @Test
        void isNotStartedBeforeItIsThereAndIsStoppedAllTheSame() {
            String job = platform.submit(1, 8, true, "spur");
            Map<String, DesiredJob> wants = Map.of(job, new DesiredJob.Run(FULL));

            ReconcileReport report = step(new DesiredState(1, wants, Set.of(job)), Limits.DEFAULT);
            assertThat(report.started()).isEmpty();
            assertThat(report.blocked()).hasSize(1);

            converge(new DesiredState(1, wants));
            converge(new DesiredState(2, Map.of(job, new DesiredJob.Wait()), Set.of(job)));
        }
    }

    @Nested
    class ARefusal {
        @Test
        void isNotAskedForAgainUnderTheSamePlan() {
            String job = platform.submit(1, 8, true, "spur");
            platform.refuses = true;

            step(new DesiredState(1, Map.of(job, new DesiredJob.Run(FULL))), Limits.DEFAULT);
            ReconcileReport again = step(new DesiredState(1, Map.of(job, new DesiredJob.Run(FULL))), Limits.DEFAULT);
            assertThat(again.started()).isEmpty();
            assertThat(log.find("1/1/start").orElseThrow().state()).isEqualTo(ActionRecord.State.REFUSED);

            platform.refuses = false;
            converge(new DesiredState(2, Map.of(job, new DesiredJob.Run(FULL))));
        }
    }

    @Nested
    class ACancellation {
        private final String job = platform.submit(1, 8, true, "spur");
        private final DesiredState end = new DesiredState(1, Map.of(job, new DesiredJob.End()));

        private void passMinutes(int minutes) {
            for (int second = 0; second < 60 * minutes; second++) {
                platform.pass();
            }
        }

        @Test
        void thatIsRefusedIsRepeatedUnderTheSamePlan() {
            platform.refuses = true;
            step(end, Limits.DEFAULT);
            assertThat(step(end, Limits.DEFAULT).started()).isEmpty();

            platform.refuses = false;
            passMinutes(1);
            converge(end);

            assertThat(platform.job(job).state).isEqualTo(State.CANCELLED);
            assertThat(log.all())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.state()).isEqualTo(ActionRecord.State.DONE));
        }

        @Test
        void thatHasNoEffectIsRepeatedUnderTheSamePlan() {
            platform.lies = true;
            Limits patient = new Limits(4, 100, 3);
            for (int look = 0; look < 70; look++) {
                step(end, patient);
                platform.pass();
            }
            assertThat(log.find("1/1/cancel").orElseThrow().state()).isEqualTo(ActionRecord.State.FAILED);

            platform.lies = false;
            passMinutes(1);
            converge(end);

            assertThat(platform.job(job).state).isEqualTo(State.CANCELLED);
        }
    }

    @Nested
    class ADenial {
        private final String job = platform.submit(1, 8, true, "spur");
        private final DesiredState run = new DesiredState(1, Map.of(job, new DesiredJob.Run(FULL)));

        @Test
        void ofAStartingPlatformIsRepeated() {
            platform.denies = true;
            for (int look = 0; look < 30; look++) {
                step(run, Limits.DEFAULT);
                platform.pass();
            }
            assertThat(log.find("1/1/start").orElseThrow())
                    .satisfies(entry -> assertThat(entry.state()).isEqualTo(ActionRecord.State.OPEN))
                    .satisfies(entry -> assertThat(entry.detail()).contains("not known yet"));

            platform.denies = false;
            converge(run);

            assertThat(log.status().failures()).isZero();
        }

        @Test
        void thatLastsIsARefusal() {
            platform.denies = true;
            for (int look = 0; look < 70; look++) {
                step(run, Limits.DEFAULT);
                platform.pass();
            }

            assertThat(log.find("1/1/start").orElseThrow().state()).isEqualTo(ActionRecord.State.REFUSED);
        }
    }

    @Nested
    class AStartThatThePlatformDelays {
        private void pass(DesiredState desired, int looks) {
            for (int look = 0; look < looks; look++) {
                step(desired, Limits.DEFAULT);
                platform.pass();
            }
        }

        @Test
        void waitsForAnyTimeInAQueue() {
            String job = platform.submit(1, 8, true, "spur");
            platform.full = true;

            pass(new DesiredState(1, Map.of(job, new DesiredJob.Run(FULL))), 100);

            assertThat(log.open()).hasSize(1);
        }

        @Test
        void isGivenUpWithItsCauseAndWithoutAFailureOfTheConnector() {
            platform.startTimeout = Optional.of(Duration.ofSeconds(20));
            platform.full = true;
            for (int n = 1; n <= 4; n++) {
                String job = platform.submit(1, 8, true, "spur");
                JobPlacement there = JobPlacement.of(Map.of("gpu" + n, 8));
                pass(new DesiredState(n, Map.of(job, new DesiredJob.Run(there))), 40);
            }

            assertThat(log.all()).hasSize(4).allSatisfy(entry -> {
                assertThat(entry.state()).isEqualTo(ActionRecord.State.FAILED);
                assertThat(entry.detail()).contains("does not start", "there is no room");
            });
            assertThat(log.status()).isEqualTo(new ActionLog.ConnectorStatus(ControlLevel.RESIZE, 0, Optional.empty()));
        }

        @Test
        void isGivenUpAlsoIfTheJobRanBefore() {
            platform.startTimeout = Optional.of(Duration.ofSeconds(20));
            String job = running(FULL);
            platform.full = true;
            platform.job(job).state = State.WAITING;
            platform.job(job).held = JobPlacement.NONE;
            DesiredState desired = new DesiredState(2, Map.of(job, new DesiredJob.Run(FULL)));

            pass(desired, 40);

            assertThat(log.find("2/1/start").orElseThrow().state()).isEqualTo(ActionRecord.State.FAILED);
            assertThat(log.open()).isEmpty();
            platform.full = false;
            converge(new DesiredState(3, Map.of(job, new DesiredJob.Wait())));
        }
    }

    @Nested
    class TheCap {
        @Test
        void letsOnlySoManyJobsBeInterruptedAtOnce() {
            Map<String, DesiredJob> stop = new LinkedHashMap<>();
            for (int n = 1; n <= 4; n++) {
                stop.put(running(JobPlacement.of(Map.of("gpu" + n, 8))), new DesiredJob.Wait());
            }

            ReconcileReport report = step(new DesiredState(2, stop), new Limits(3, 3, 3));

            assertThat(report.started()).hasSize(3);
            assertThat(report.blocked()).hasSize(1);
            converge(new DesiredState(2, stop));
        }
    }

    @Nested
    class Room {
        @Test
        void isWaitedForUntilThePlatformShowsIt() {
            String first = running(FULL);
            String next = platform.submit(1, 8, true, "spur");
            DesiredState swap = new DesiredState(
                    2, new LinkedHashMap<>(Map.of(first, new DesiredJob.Wait(), next, new DesiredJob.Run(FULL))));

            ReconcileReport report = step(swap, Limits.DEFAULT);

            assertThat(report.started()).extracting(JobAction::kind).containsExactly(Kind.STOP);
            assertThat(report.blocked()).extracting(JobAction::kind).containsExactly(Kind.START);
            assertThat(platform.job(next).state).isEqualTo(State.HELD);
            converge(swap);
        }

        @Test
        void ofOthersIsNotMadeByStoppingJobsInVain() {
            String mine = running(FULL);
            platform.submit(1, 8, false, "");
            platform.pass();
            JobPlacement others = platform.job("2").held;

            ReconcileReport report =
                    step(new DesiredState(2, Map.of(mine, new DesiredJob.Run(others))), Limits.DEFAULT);

            assertThat(report.started()).isEmpty();
            assertThat(platform.job(mine).state).isEqualTo(State.RUNNING);
        }
    }

    @Nested
    class ANewPlan {
        @Test
        void takesOverWhatAnOlderOneBegan() {
            String job = running(FULL);
            JobPlacement there = JobPlacement.of(Map.of("gpu2", 8));
            step(new DesiredState(2, Map.of(job, new DesiredJob.Run(there))), Limits.DEFAULT);

            converge(new DesiredState(3, Map.of(job, new DesiredJob.Run(FULL))));

            assertThat(log.find("2/1/move").orElseThrow().state()).isEqualTo(ActionRecord.State.SUPERSEDED);
            assertThat(platform.job(job).held).isEqualTo(FULL);
        }

        @Test
        void findsAJobThatItLeavesRunningUnharmedByTheOneBefore() {
            String job = running(FULL);
            int starts = platform.job(job).starts;
            platform.job(job).mark = Optional.of(
                    new LastAppliedState(2, JobPlacement.NONE, platform.clock().instant()));
            log.write(ActionRecord.open(new JobAction(2, job, Kind.STOP, JobPlacement.NONE, 0)));

            converge(new DesiredState(3, Map.of(job, new DesiredJob.Run(FULL))));

            assertThat(platform.job(job).starts).isEqualTo(starts);
        }
    }

    /** Stands for the power being cut. */
    static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @Nested
    class ACrash {
        /**
         * Every plan is carried out while the engine crashes before one change after the other, at random distances.
         */
        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
        void atAnyPointLosesAndDoublesNothing(long seed) {
            Random random = new Random(seed);
            List<String> jobs = new ArrayList<>();
            for (int n = 0; n < 6; n++) {
                jobs.add(platform.submit(1, 1 + random.nextInt(8), true, "spur"));
            }
            for (int revision = 1; revision <= 12; revision++) {
                DesiredState desired = new DesiredState(revision, randomPlan(random, jobs));
                Map<String, Integer> before = starts(jobs);
                Map<String, JobPlacement> held = held(jobs);
                convergeThroughCrashes(desired, random);
                for (String job : jobs) {
                    check(job, desired.wants().get(job), before.get(job), held.get(job));
                }
            }
        }

        private void check(String job, DesiredJob want, int startsBefore, JobPlacement heldBefore) {
            FakePlatform.FakeJob now = platform.job(job);
            int starts = now.starts - startsBefore;
            if (want instanceof DesiredJob.Run run) {
                assertThat(now.state).isEqualTo(State.RUNNING);
                assertThat(now.held).isEqualTo(run.placement());
                assertThat(starts)
                        .as("starts of a job that was %s", heldBefore)
                        .isEqualTo(heldBefore.equals(run.placement()) ? 0 : 1);
            } else {
                assertThat(now.state).isEqualTo(State.HELD);
                assertThat(now.held).isEqualTo(JobPlacement.NONE);
                assertThat(starts).isZero();
            }
        }

        private void convergeThroughCrashes(DesiredState desired, Random random) {
            int[] changes = {0};
            int[] crashAt = {1};
            platform.beforeChange = () -> {
                if (++changes[0] == crashAt[0]) {
                    throw new Crash();
                }
            };
            for (int look = 0; look < 2000; look++) {
                try {
                    if (step(desired, Limits.DEFAULT).inSync() && log.open().isEmpty()) {
                        platform.beforeChange = () -> {};
                        return;
                    }
                } catch (Crash cut) {
                    crashAt[0] = changes[0] + 1 + random.nextInt(6);
                }
                for (int n = 1; n <= 4; n++) {
                    assertThat(platform.used("gpu" + n)).isLessThanOrEqualTo(8);
                }
                platform.pass();
            }
            throw new AssertionError("it has not come about: %s".formatted(log.open()));
        }

        private Map<String, Integer> starts(List<String> jobs) {
            Map<String, Integer> starts = new LinkedHashMap<>();
            jobs.forEach(job -> starts.put(job, platform.job(job).starts));
            return starts;
        }

        private Map<String, JobPlacement> held(List<String> jobs) {
            Map<String, JobPlacement> held = new LinkedHashMap<>();
            jobs.forEach(job -> held.put(job, platform.job(job).held));
            return held;
        }
    }

    /** Some jobs run on one node each, or on equally many slots of two; the others wait. */
    static Map<String, DesiredJob> randomPlan(Random random, List<String> jobs) {
        int[] free = {8, 8, 8, 8};
        Map<String, DesiredJob> wants = new LinkedHashMap<>();
        for (String job : jobs) {
            int slots = 1 + random.nextInt(8);
            int first = random.nextInt(4);
            int second = random.nextBoolean() ? first : random.nextInt(4);
            Map<String, Integer> there = new LinkedHashMap<>();
            there.put("gpu" + (first + 1), slots);
            there.put("gpu" + (second + 1), slots);
            boolean fits = free[first] >= slots && free[second] >= slots;
            if (fits && random.nextInt(5) > 0) {
                free[first] -= slots;
                free[second] -= second == first ? 0 : slots;
                wants.put(job, new DesiredJob.Run(JobPlacement.of(there)));
            } else {
                wants.put(job, new DesiredJob.Wait());
            }
        }
        return wants;
    }
}
