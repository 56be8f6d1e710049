package dev.spur.connectors.determined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.reconcile.ActionRecord;
import dev.spur.connectors.reconcile.DesiredState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What comes of answers that are not so, of refusals, and of none. */
class DeterminedMisbehaviorTest {
    private static final JobPlacement FOUR = JobPlacement.of(Map.of("gpu", 4));

    private final DeterminedFixture rig = new DeterminedFixture(2);

    @AfterEach
    void close() {
        rig.close();
    }

    private StepOutcome apply(String job, Kind kind, JobPlacement there) throws InterruptedException {
        DeterminedPlatform platform = rig.platform();
        return platform.apply(new JobAction(7, job, kind, there, 0), rig.look(job));
    }

    @Nested
    class AMasterThatSaysYesAndDoesNothing {
        @Test
        void isFoundOutThriceAndThenLeftAlone() {
            String job = rig.submit(8);
            rig.master.lie(true);
            DesiredState desired = rig.plan(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 8)));
            List<String> failures = new ArrayList<>();

            for (int look = 0; look < 10; look++) {
                failures.addAll(rig.step(desired).failures());
                rig.master.tick();
            }

            assertThat(failures).hasSize(3).allMatch(failure -> failure.contains("the notes do not contain it"));
            assertThat(rig.log.status().controlLevel()).isEqualTo(ControlLevel.OBSERVE);
        }

        @ParameterizedTest
        @CsvSource({
            "PATCH, START, Spur wrote the state",
            "/activate, START, activated but is STATE_PAUSED",
            "/cancel, GROW, canceled but is STATE_PAUSED",
            "/continue, GROW, continued but is STATE_CANCELED"
        })
        void isFoundOutAtEachOfItsChanges(String change, Kind kind, String words) throws InterruptedException {
            String job = rig.submit(kind == Kind.GROW ? 2 : 4);
            rig.cuts = (request, answered) -> rig.master.lie(
                    !answered && (request.method() + request.uri().getPath()).contains(change));

            StepOutcome outcome = apply(job, kind, FOUR);
            if (outcome instanceof StepOutcome.Accepted) {
                // cancelling takes a moment
                rig.master.tick();
                outcome = apply(job, kind, FOUR);
            }

            assertThat(outcome).isInstanceOf(StepOutcome.Unchanged.class);
            assertThat(outcome.detail()).contains(words);
        }

        @Test
        void aboutThePauseIsFoundOut() throws InterruptedException {
            String job = rig.submit(4);
            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4)));
            rig.cuts = (request, answered) ->
                    rig.master.lie(!answered && request.uri().getPath().endsWith("/pause"));

            assertThat(apply(job, Kind.STOP, JobPlacement.NONE)).isInstanceOf(StepOutcome.Unchanged.class);
        }
    }

    @Nested
    class ARefusal {
        @Test
        void isTakenAsSuchAndLeavesTheJobAsItWas() throws InterruptedException {
            String job = rig.submit(4);
            rig.master.refuse(true);

            assertThat(apply(job, Kind.START, FOUR)).isInstanceOf(StepOutcome.Rejected.class);
            assertThat(rig.look(job).mark()).isEmpty();
            assertThat(rig.look(job).state()).isEqualTo(State.HELD);
        }

        @Test
        void ofAPriorityComesAsAnInternalErrorAndIsOne() throws InterruptedException {
            rig.master.priorityLimit(40);
            String job = rig.submit(4);
            rig.master.tell(job, "activate");

            StepOutcome outcome =
                    rig.platform().apply(new JobAction(7, job, Kind.ORDER, JobPlacement.NONE, 90), rig.look(job));

            assertThat(outcome).isInstanceOf(StepOutcome.Rejected.class);
        }

        @Test
        void answersASearchThatIsToBeResized() {
            String job = rig.submit(4);
            rig.master.searcher(job, "adaptive_asha");

            assertThat(rig.look(job).unsupportedReason())
                    .contains("experiments with more than one trial are not supported");
        }
    }

    @Test
    void whatDoesNotEndWhenItIsCalledOffIsKilled() throws InterruptedException {
        String job = rig.submit(4);
        rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4)));

        apply(job, Kind.CANCEL, JobPlacement.NONE);
        assertThat(rig.master.state(job)).isEqualTo("STATE_STOPPING_CANCELED");
        apply(job, Kind.CANCEL, JobPlacement.NONE);

        assertThat(rig.master.state(job)).isEqualTo("STATE_STOPPING_KILLED");
    }

    @Nested
    class NoAnswer {
        @Test
        void isNone() throws InterruptedException {
            String job = rig.submit(4);
            var seen = rig.look(job);
            rig.master.down(true);

            StepOutcome outcome = rig.platform().apply(new JobAction(7, job, Kind.START, FOUR, 0), seen);

            assertThat(outcome).isInstanceOf(StepOutcome.NoResponse.class);
        }

        @Test
        void ofAnEndedSessionLeadsToANewOne() throws Exception {
            DeterminedPlatform platform = rig.platform();
            platform.inventory();

            rig.master.endSessions();

            assertThat(platform.inventory()).hasSize(2);
        }
    }

    @Nested
    class WhatIsShown {
        @Test
        void isReadToTheLastPage() {
            for (int n = 0; n < 250; n++) {
                rig.master.submit("gpu", 1, 42, false, List.of());
            }
            String last = rig.submit(4);

            assertThat(rig.look(last).isOffered()).isTrue();
            assertThat(rig.paths)
                    .filteredOn(path -> path.matches("/api/v1/experiments/\\d+"))
                    .as("calls for single experiments")
                    .containsExactly("/api/v1/experiments/" + last);
        }

        @Test
        void ofAClusterWhereKubernetesChoosesIsNoneOfSpurs() {
            rig.master.kubernetes();

            assertThatThrownBy(() -> rig.platform().inventory())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("scheduled by Kubernetes");
        }
    }

    @Nested
    class TheOwner {
        @Test
        void whoMovesAJobToAnotherPoolIsNotUndone() throws InterruptedException {
            rig.master.agent("spot1", "spot", 8, false);
            String job = rig.submit(4);

            StepOutcome outcome = apply(job, Kind.START, JobPlacement.of(Map.of("spot", 4)));

            assertThat(outcome).isInstanceOf(StepOutcome.Rejected.class);
            assertThat(outcome.detail()).contains("does not permit spot");
        }

        @Test
        void whoLetsAJobRunInSeveralPoolsGetsItMoved() {
            rig.master.agent("spot1", "spot", 8, false);
            String job = rig.master.submit("gpu", 4, 42, false, List.of("spur", "spur/pools=gpu+spot"));
            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4)));
            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("spot1", 4)));
            assertThat(rig.look(job).held()).isEqualTo(JobPlacement.of(Map.of("spot1", 4)));

            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 8)));
            assertThat(rig.look(job).pool()).isEqualTo("gpu");
            assertThat(rig.look(job).held().total()).isEqualTo(8);
        }

        @Test
        void keepsHisNotesAndHisData() {
            String job = rig.submit(8);
            rig.master.notes(job, "# Third try\n\nlearning rate halved");

            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 8)));
            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 2)));

            assertThat(rig.master.notes(job)).startsWith("# Third try\n\nlearning rate halved\n\nspur rev=2 ");
            assertThat(rig.master.config(job).path("data").path("path").asString())
                    .isEqualTo("/data/imagenet");
        }

        @Test
        void whoWithdrawsAJobByItsLabelKeepsIt() {
            String job = rig.submit(8);
            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 8)));

            rig.master.labels(job, List.of("mine"));
            rig.step(rig.plan(DeterminedFixture.wants(job, new DesiredState.DesiredJob.Wait())));

            assertThat(rig.look(job).isOffered()).isFalse();
            assertThat(rig.look(job).state()).isEqualTo(State.RUNNING);
        }

        @Test
        void whoActivatesWhatSpurHoldsHasTakenItOver() {
            String job = rig.submit(8);
            rig.converge(DeterminedFixture.wants(job, new DesiredState.DesiredJob.Wait()));

            rig.master.tell(job, "activate");
            rig.master.tick();
            var report = rig.step(rig.plan(DeterminedFixture.wants(job, new DesiredState.DesiredJob.Wait())));

            assertThat(report.manuallyOverridden()).containsKey(job);
            assertThat(rig.look(job).state()).isEqualTo(State.RUNNING);
            assertThat(rig.log.all()).allMatch(entry -> entry.state() == ActionRecord.State.DONE);
        }
    }
}
