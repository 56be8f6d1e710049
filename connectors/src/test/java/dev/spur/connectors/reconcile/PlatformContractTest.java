package dev.spur.connectors.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.HostResources;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlacementGranularity;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every platform must do with the engine. Each look is taken by an engine of its own, as if the connector were
 * restarted between any two.
 */
abstract class PlatformContractTest {
    static final JobPlacement ONE_FULL = on("gpu1", 8);
    private static final long PATIENCE_SECONDS = 120;

    PlatformFixture stage;
    InMemoryActionLog log;
    private long revision;

    abstract PlatformFixture open() throws Exception;

    @BeforeEach
    void begin() throws Exception {
        stage = open();
        log = new InMemoryActionLog(ControlLevel.RESIZE);
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void itsNodesAreSeenWithWhatTheyHave() throws Exception {
        PlatformObservation seen = engine().look();

        assertThat(seen.nodes())
                .extracting(
                        PlatformNode::name,
                        PlatformNode::pool,
                        PlatformNode::acceleratorType,
                        PlatformNode::slots,
                        PlatformNode::cpus,
                        PlatformNode::memoryGiB,
                        PlatformNode::condition)
                .containsExactlyInAnyOrder(
                        tuple("gpu1", "gpu", "h200", 8, stage.cpus(), stage.memoryGiB(), Condition.OPEN),
                        tuple("gpu2", "gpu", "h200", 8, stage.cpus(), stage.memoryGiB(), Condition.OPEN),
                        tuple("cpu1", "cpu", null, 0, stage.cpus(), stage.memoryGiB(), Condition.OPEN));
    }

    @Test
    void aHeldJobIsSeenWithWhatItAsksForAndSays() throws Exception {
        String job = stage.submit(2, 4, true, "spur family=resnet gpus=2-16");

        PlatformJob seen = look(job);

        assertThat(seen.state()).isEqualTo(State.HELD);
        assertThat(seen.requested()).isEqualTo(stage.requested(2, 4));
        assertThat(seen.annotation().values()).containsEntry("family", "resnet").containsEntry("gpus", "2-16");
        assertThat(seen.isOffered()).isTrue();
        assertThat(seen.mark()).isEmpty();
    }

    @Test
    void aJobIsHeldStartedResizedMovedAndStopped() throws Exception {
        String job = stage.submit(2, 4, true, "spur");

        converge(Map.of(job, new DesiredJob.Wait()));
        converge(Map.of(job, run(on("gpu1", 4, "gpu2", 4))));
        assertThat(look(job).mark().orElseThrow().revision()).isEqualTo(revision);
        converge(Map.of(job, run(on("gpu1", 2, "gpu2", 2))));
        converge(Map.of(job, run(on("gpu2", 8))));
        converge(Map.of(job, run(ONE_FULL)));
        converge(Map.of(job, run(on("gpu1", 8, "gpu2", 8))));
        converge(Map.of(job, new DesiredJob.Wait()));

        assertThat(log.all())
                .extracting(entry -> entry.action().kind())
                .filteredOn(kind -> kind != Kind.MOVE)
                .containsExactly(Kind.HOLD, Kind.START, Kind.SHRINK, Kind.GROW, Kind.GROW, Kind.STOP);
        // where the platform chooses the nodes nobody can move a job from one to the other
        assertThat(log.all())
                .filteredOn(entry -> entry.action().kind() == Kind.MOVE)
                .hasSize(stage.platform().placementGranularity() == PlacementGranularity.NODES ? 1 : 0);
        assertThat(log.all()).allMatch(entry -> entry.state() == ActionRecord.State.DONE && entry.failures() == 0);
    }

    @Test
    void aJobThatReadsItsBatchStartsWithThePlannedOne() throws Exception {
        String job = stage.submit(1, 8, true, "spur elastic-batch");
        assertThat(look(job).unsupportedReason()).isEmpty();

        converge(Map.of(job, run(ONE_FULL.withBatch(512))));
        eventually(() -> stage.batch(job).equals("512"));
        converge(Map.of(job, run(ONE_FULL.withBatch(1024))));
        eventually(() -> stage.batch(job).equals("1024"));
        converge(Map.of(job, new DesiredJob.Wait()));
        converge(Map.of(job, run(ONE_FULL.withBatch(1024))));
        eventually(() -> stage.batch(job).equals("1024"));

        assertThat(log.all())
                .extracting(entry -> entry.action().kind())
                .containsExactly(Kind.START, Kind.SHRINK, Kind.STOP, Kind.START);
        assertThat(log.all()).allMatch(entry -> entry.state() == ActionRecord.State.DONE && entry.failures() == 0);
    }

    @Test
    void aJobWithHostLevelsStartsWithThePlannedOne() throws Exception {
        String job = stage.submit(1, 8, true, "spur host-levels=2:4:1+1:2:0.8");
        Assumptions.assumeTrue(look(job).isOffered(), "the platform grants no host: " + look(job));
        HostResources full = HostResources.of(2, 4);
        HostResources half = HostResources.of(1, 2);

        converge(Map.of(job, run(ONE_FULL.withHost(full))));
        eventually(() -> full.equals(stage.host(job, 8)));
        converge(Map.of(job, run(ONE_FULL.withHost(half))));
        eventually(() -> half.equals(stage.host(job, 8)));
        converge(Map.of(job, run(on("gpu2", 4).withHost(full))));
        eventually(() -> full.equals(stage.host(job, 4)));
        converge(Map.of(job, new DesiredJob.Wait()));
        converge(Map.of(job, run(ONE_FULL.withHost(half))));
        eventually(() -> half.equals(stage.host(job, 8)));

        assertThat(log.all())
                .extracting(entry -> entry.action().kind())
                .containsExactly(Kind.START, Kind.SHRINK, Kind.MOVE, Kind.STOP, Kind.START);
        assertThat(log.all()).allMatch(entry -> entry.state() == ActionRecord.State.DONE && entry.failures() == 0);
    }

    @Test
    void aJobWithoutHostLevelsIsNotRestartedForAnotherGrant() throws Exception {
        String job = stage.submit(1, 8, true, "spur");

        converge(Map.of(job, run(ONE_FULL.withHost(HostResources.of(2, 4)))));
        converge(Map.of(job, run(ONE_FULL.withHost(HostResources.of(1, 2)))));

        assertThat(log.all()).extracting(entry -> entry.action().kind()).containsExactly(Kind.START);
        assertThat(look(job).held().host()).isNull();
    }

    @Test
    void aJobThatChoosesItsBatchIsNotRestartedForAnother() throws Exception {
        String job = stage.submit(1, 8, true, "spur");

        converge(Map.of(job, run(ONE_FULL.withBatch(512))));
        converge(Map.of(job, run(ONE_FULL.withBatch(1024))));

        assertThat(log.all()).extracting(entry -> entry.action().kind()).containsExactly(Kind.START);
        assertThat(look(job).held().batch()).isNull();
    }

    @Test
    void whatWaitsForNoHoldIsHeldBeforeItStartsElsewhere() throws Exception {
        String full = stage.submit(2, 8, true, "spur");
        converge(Map.of(full, run(on("gpu1", 8, "gpu2", 8))));
        String next = stage.submit(1, 8, false, "spur");

        converge(Map.of(full, run(on("gpu1", 8, "gpu2", 8)), next, new DesiredJob.Wait()));
        converge(Map.of(full, new DesiredJob.Wait(), next, run(on("gpu2", 8))));

        assertRuns(look(next), on("gpu2", 8));
    }

    @Test
    void jobsThatWaitForEachOthersSlotsChangePlaces() throws Exception {
        String a = stage.submit(1, 8, true, "spur");
        String b = stage.submit(1, 8, true, "spur");
        converge(Map.of(a, run(ONE_FULL), b, run(on("gpu2", 8))));

        converge(Map.of(a, run(on("gpu2", 8)), b, run(ONE_FULL)));
    }

    @Test
    void aForeignJobIsNotChangedAndJobsThatNeedItsSlotsWait() throws Exception {
        String foreign = stage.submit(2, 8, false, "");
        await(foreign, State.RUNNING);
        String job = stage.submit(1, 8, true, "spur");

        ReconcileReport report = step(desired(Map.of(foreign, new DesiredJob.Wait(), job, run(ONE_FULL))));

        assertThat(report.blocked()).extracting(action -> action.job()).containsExactly(job);
        assertThat(look(foreign).state()).isEqualTo(State.RUNNING);
        assertThat(look(job).state()).isEqualTo(State.HELD);
        assertThat(log.all()).isEmpty();
    }

    @Test
    void aJobThatRunsWithoutSpurIsLeftAlone() throws Exception {
        String job = stage.submit(1, 8, false, "spur");
        await(job, State.RUNNING);

        ReconcileReport report = step(desired(Map.of(job, new DesiredJob.Wait())));

        assertThat(report.inSync()).isTrue();
        assertThat(look(job).state()).isEqualTo(State.RUNNING);
    }

    @Test
    void aPersonWhoReleasesAJobKeepsItUntilItIsHeldAgain() throws Exception {
        String job = stage.submit(1, 8, true, "spur");
        converge(Map.of(job, new DesiredJob.Wait()));

        stage.release(job);
        await(job, State.RUNNING);
        ReconcileReport report = step(desired(Map.of(job, new DesiredJob.Wait())));

        assertThat(report.manuallyOverridden()).containsKey(job);
        assertThat(report.pendingChanges()).isEmpty();
        assertThat(look(job).state()).isEqualTo(State.RUNNING);
    }

    @Test
    void aPersonWhoHoldsAJobBackGivesItBackByReleasingIt() throws Exception {
        String first = stage.submit(2, 8, false, "");
        await(first, State.RUNNING);
        String job = stage.submit(1, 8, true, "spur");
        converge(Map.of(job, new DesiredJob.Wait()));

        stage.release(job);
        ReconcileReport taken = step(desired(Map.of(job, new DesiredJob.Wait())));
        stage.hold(job);
        ReconcileReport back = step(desired(Map.of(job, new DesiredJob.Wait())));

        assertThat(taken.manuallyOverridden()).containsKey(job);
        assertThat(back.manuallyOverridden()).isEmpty();
    }

    @Test
    void aJobThatWasCalledOffEnds() throws Exception {
        String waits = stage.submit(1, 8, true, "spur");
        String runs = stage.submit(1, 8, true, "spur");
        converge(Map.of(runs, run(ONE_FULL)));

        DesiredState end = desired(Map.of(waits, new DesiredJob.End(), runs, new DesiredJob.End()));
        eventually(() -> {
            step(end);
            PlatformObservation seen = engine().look();
            return seen.job(waits).map(job -> job.state() == State.CANCELLED).orElse(true)
                    && seen.job(runs).map(job -> job.state() == State.CANCELLED).orElse(true);
        });
    }

    @Test
    void observingWritesNothing() throws Exception {
        String job = stage.submit(1, 8, true, "spur");
        log.controlLevel(ControlLevel.OBSERVE);

        ReconcileReport report = step(desired(Map.of(job, run(ONE_FULL))));

        assertThat(report.pendingChanges()).extracting(action -> action.kind()).containsExactly(Kind.START);
        assertThat(look(job).mark()).isEmpty();
        assertThat(log.all()).isEmpty();
    }

    @Test
    void gatingStartsAtTheSizeThatWasAskedForAndResizesNothing() throws Exception {
        String job = stage.submit(1, 4, true, "spur");
        log.controlLevel(ControlLevel.ADMIT);

        step(desired(Map.of(job, run(ONE_FULL))));
        assertThat(look(job).state()).isEqualTo(State.HELD);
        converge(Map.of(job, run(on("gpu2", 4))));
        step(desired(Map.of(job, run(ONE_FULL))));

        assertRuns(look(job), on("gpu2", 4));
    }

    @Test
    void orderingHandsThePrioritiesOutByThePlan() throws Exception {
        String full = stage.submit(2, 8, false, "");
        await(full, State.RUNNING);
        String first = stage.submit(1, 8, false, "spur");
        String second = stage.submit(1, 8, false, "spur");
        assertThat(look(first).priority()).isGreaterThan(look(second).priority());
        log.controlLevel(ControlLevel.PRIORITIZE);

        Map<String, DesiredJob> wants = new LinkedHashMap<>();
        wants.put(second, new DesiredJob.Wait());
        wants.put(first, new DesiredJob.Wait());
        step(desired(wants));

        assertThat(look(second).priority()).isGreaterThan(look(first).priority());
        assertThat(look(first).state()).isEqualTo(State.WAITING);
    }

    PlatformReconciler engine() {
        return new PlatformReconciler(stage.platform(), log, Limits.DEFAULT, stage.clock());
    }

    DesiredState desired(Map<String, DesiredJob> wants) {
        return new DesiredState(++revision, wants);
    }

    ReconcileReport step(DesiredState desired) throws IOException, InterruptedException {
        PlatformReconciler engine = engine();
        return engine.reconcile(engine.look(), desired);
    }

    PlatformJob look(String job) throws IOException, InterruptedException {
        return engine().look().job(job).orElseThrow();
    }

    /** Steps until the platform shows the plan, then looks for oneself. */
    void converge(Map<String, DesiredJob> wants) throws Exception {
        DesiredState desired = desired(wants);
        eventually(() -> step(desired).inSync() && log.open().isEmpty());
        for (Map.Entry<String, DesiredJob> want : wants.entrySet()) {
            PlatformJob job = look(want.getKey());
            if (want.getValue() instanceof DesiredJob.Run run) {
                assertRuns(job, run.placement());
            } else {
                assertThat(job.state()).isEqualTo(State.HELD);
                assertThat(job.held()).isEqualTo(JobPlacement.NONE);
            }
        }
    }

    /** It runs there, as exactly as the platform can be held to it. */
    void assertRuns(PlatformJob job, JobPlacement there) {
        assertThat(job.state()).isEqualTo(State.RUNNING);
        if (stage.platform().placementGranularity() == PlacementGranularity.NODES) {
            assertThat(job.held().slots()).isEqualTo(there.slots());
        } else {
            assertThat(job.held().total()).isEqualTo(there.total());
        }
    }

    void await(String job, State state) throws Exception {
        eventually(() -> look(job).state() == state);
    }

    interface Question {
        boolean holds() throws Exception;
    }

    void eventually(Question question) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!question.holds()) {
            assertThat(System.nanoTime())
                    .as("it has not come about; the log says %s", log.all())
                    .isLessThan(end);
            stage.pass();
        }
    }

    static DesiredJob.Run run(JobPlacement placement) {
        return new DesiredJob.Run(placement);
    }

    static JobPlacement on(Object... pieces) {
        Map<String, Integer> slots = new LinkedHashMap<>();
        for (int p = 0; p < pieces.length; p += 2) {
            slots.put((String) pieces[p], (Integer) pieces[p + 1]);
        }
        return JobPlacement.of(slots);
    }
}
