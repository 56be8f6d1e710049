package dev.spur.agent.reconcile;

import static dev.spur.agent.protocol.Assignment.Desired.RUN;
import static dev.spur.agent.protocol.Assignment.Desired.STOP;
import static dev.spur.agent.protocol.AssignmentPhase.ACCEPTED;
import static dev.spur.agent.protocol.AssignmentPhase.FAILED;
import static dev.spur.agent.protocol.AssignmentPhase.OFFERED;
import static dev.spur.agent.protocol.AssignmentPhase.RUNNING;
import static dev.spur.agent.protocol.AssignmentPhase.STARTING;
import static dev.spur.agent.protocol.AssignmentPhase.STOPPED;
import static dev.spur.agent.protocol.AssignmentPhase.STOPPING;
import static dev.spur.agent.reconcile.TestAssignments.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.AssignmentPhase;
import dev.spur.agent.reconcile.LocalRun.Phase;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ReconcilerTest {

    @Nested
    class WhatShouldRun {
        @Test
        void isAcceptedOnceItsDevicesAreFree() {
            assertThat(told(diff(List.of(order(5, RUN, false, OFFERED, "d/0")), List.of())))
                    .isEqualTo(ACCEPTED);
        }

        @Test
        void isNotAcceptedWhileAnOlderGenerationHoldsADevice() {
            LocalRun older = run(4, Phase.STOPPING, "d/0");

            assertThat(diff(
                            List.of(order(4, STOP, false, STOPPING, "d/0"), order(5, RUN, false, OFFERED, "d/0")),
                            List.of(older)))
                    .isEmpty();
        }

        @Test
        void isStartedOnlyWhenTheGangIsReady() {
            assertThat(diff(List.of(order(5, RUN, false, ACCEPTED, "d/0")), List.of()))
                    .isEmpty();
            assertThat(diff(List.of(order(5, RUN, true, ACCEPTED, "d/0")), List.of()))
                    .singleElement()
                    .isInstanceOf(ReconcileAction.Start.class);
        }

        @Test
        void isStartedAtOnceWithoutOtherMembers() {
            assertThat(diff(List.of(order(5, RUN, true, OFFERED, "d/0")), List.of()))
                    .singleElement()
                    .isInstanceOf(ReconcileAction.Start.class);
        }

        @Test
        void isOnlyAcceptedUnderALapsedLease() {
            assertThat(Reconciler.diff(List.of(order(5, RUN, true, OFFERED, "d/0")), List.of(), false))
                    .singleElement()
                    .isInstanceOf(ReconcileAction.ReportState.class);
        }

        @Test
        void isNotStartedUnderALapsedLease() {
            assertThat(Reconciler.diff(List.of(order(5, RUN, true, ACCEPTED, "d/0")), List.of(), false))
                    .isEmpty();
        }

        @Test
        void isReportedAsRunningOnceItRuns() {
            assertThat(told(diff(List.of(order(5, RUN, true, STARTING, "d/0")), List.of(run(5, Phase.RUNNING, "d/0")))))
                    .isEqualTo(RUNNING);
        }

        @Test
        void andDoesIsLeftAlone() {
            assertThat(diff(List.of(order(5, RUN, true, RUNNING, "d/0")), List.of(run(5, Phase.RUNNING, "d/0"))))
                    .isEmpty();
        }

        @Test
        void butOfWhichNothingIsHereHasFailed() {
            assertThat(told(diff(List.of(order(5, RUN, true, STARTING, "d/0")), List.of())))
                    .isEqualTo(FAILED);
        }

        @Test
        void twoThatWantTheSameDeviceAreNotBothStarted() {
            List<ReconcileAction> actions = diff(
                    List.of(order(5, RUN, true, ACCEPTED, "d/0"), order(6, RUN, true, ACCEPTED, "d/0")), List.of());

            assertThat(actions).hasSize(1);
        }

        @Test
        void sharesADeviceWithRunsThatLeaveRoom() {
            LocalRun half = new LocalRun(
                    id(4),
                    List.of("d/0"),
                    0.5,
                    Phase.RUNNING,
                    OptionalInt.empty(),
                    false,
                    7,
                    LocalRun.WarmUp.NONE,
                    0,
                    false);
            Assignment running = TestAssignments.withShare(order(4, RUN, true, RUNNING, "d/0"), 0.5);
            Assignment next = order(5, RUN, true, ACCEPTED, "d/0");

            assertThat(diff(List.of(running, TestAssignments.withShare(next, 0.5)), List.of(half)))
                    .hasOnlyElementsOfType(ReconcileAction.Start.class)
                    .hasSize(1);
            assertThat(diff(List.of(running, TestAssignments.withShare(next, 0.51)), List.of(half)))
                    .isEmpty();
            assertThat(diff(List.of(running, next), List.of(half))).isEmpty();
        }
    }

    @Nested
    class WhatShouldNotRun {
        @Test
        void isStoppedWithItsGracePeriod() {
            assertThat(diff(List.of(order(5, STOP, false, RUNNING, "d/0")), List.of(run(5, Phase.RUNNING, "d/0"))))
                    .containsExactly(new ReconcileAction.Stop(id(5), "SUPERSEDED", 30));
        }

        @Test
        void isStoppedIfItIsNotListed() {
            assertThat(diff(List.of(), List.of(run(5, Phase.RUNNING, "d/0"))))
                    .containsExactly(new ReconcileAction.Stop(id(5), "no longer required", 7));
        }

        @Test
        void isNotStoppedTwice() {
            assertThat(diff(List.of(order(5, STOP, false, STOPPING, "d/0")), List.of(run(5, Phase.STOPPING, "d/0"))))
                    .isEmpty();
        }

        @Test
        void isReportedAsStoppedIfNothingOfItRunsHere() {
            assertThat(diff(List.of(order(5, STOP, false, RUNNING, "d/0")), List.of()))
                    .singleElement()
                    .isEqualTo(new ReconcileAction.ReportState(
                            order(5, STOP, false, RUNNING, "d/0"), STOPPED, OptionalInt.empty(), true, ""));
        }

        @Test
        void endsBeforeItIsReported() {
            List<ReconcileAction> actions = diff(
                    List.of(order(5, RUN, false, OFFERED, "d/1"), order(4, STOP, false, RUNNING, "d/0")),
                    List.of(run(4, Phase.RUNNING, "d/0")));

            assertThat(actions).hasSize(2);
            assertThat(actions.get(0)).isInstanceOf(ReconcileAction.Stop.class);
        }
    }

    @Nested
    class WhatHasEnded {
        @Test
        void byItselfWithZeroHasStopped() {
            ReconcileAction.ReportState tell = (ReconcileAction.ReportState)
                    diff(List.of(order(5, RUN, true, RUNNING, "d/0")), List.of(ended(5, 0, false)))
                            .get(0);

            assertThat(tell.state()).isEqualTo(STOPPED);
            assertThat(tell.requested()).isFalse();
            assertThat(tell.exitCode()).hasValue(0);
        }

        @Test
        void byItselfWithAnotherCodeHasFailed() {
            assertThat(told(diff(List.of(order(5, RUN, true, RUNNING, "d/0")), List.of(ended(5, 3, false)))))
                    .isEqualTo(FAILED);
        }

        @Test
        void onRequestHasStoppedWithAnyExitCode() {
            assertThat(told(diff(List.of(order(5, STOP, true, STOPPING, "d/0")), List.of(ended(5, 143, true)))))
                    .isEqualTo(STOPPED);
        }

        @Test
        void isForgottenWhenItIsListedNoMore() {
            assertThat(diff(List.of(), List.of(ended(5, 0, false))))
                    .containsExactly(new ReconcileAction.Discard(id(5)));
        }

        @Test
        void isNotForgottenBeforeTheServiceKnows() {
            assertThat(diff(List.of(order(5, RUN, true, STOPPED, "d/0")), List.of(ended(5, 0, false))))
                    .isEmpty();
        }

        @Test
        void holdsNoDevice() {
            assertThat(told(diff(
                            List.of(order(4, RUN, true, STOPPED, "d/0"), order(5, RUN, false, OFFERED, "d/0")),
                            List.of(ended(4, 0, false)))))
                    .isEqualTo(ACCEPTED);
        }
    }

    @Nested
    class AnAssignmentThatWarmsUp {
        private static final Assignment OFFER =
                order(5, RUN, false, OFFERED, "d/0").withWarmUp(true);

        private static LocalRun waiting(Phase phase, LocalRun.WarmUp progress) {
            return new LocalRun(id(5), List.of("d/0"), null, phase, OptionalInt.empty(), false, 7, progress, 0, false);
        }

        @Test
        void startsItsProcessesOnFreeDevicesOnly() {
            assertThat(diff(List.of(OFFER), List.of())).containsExactly(new ReconcileAction.WarmUp(OFFER));
            assertThat(diff(List.of(OFFER, order(4, RUN, true, RUNNING, "d/0")), List.of(run(4, Phase.RUNNING, "d/0"))))
                    .isEmpty();
            assertThat(Reconciler.diff(List.of(OFFER), List.of(), false))
                    .doesNotHaveAnyElementsOfTypes(ReconcileAction.WarmUp.class);
        }

        @Test
        void reportsOnceThatItIsReady() {
            LocalRun ready = waiting(Phase.RUNNING, LocalRun.WarmUp.READY);

            assertThat(diff(List.of(OFFER), List.of(ready)))
                    .containsExactly(new ReconcileAction.ReportWarmUp(OFFER, true));
            assertThat(told(diff(List.of(OFFER.withWarmUp(false)), List.of(ready))))
                    .isEqualTo(ACCEPTED);
        }

        @Test
        void startsOnceItMay() {
            Assignment may = order(5, RUN, true, ACCEPTED, "d/0");

            assertThat(diff(List.of(may), List.of(waiting(Phase.RUNNING, LocalRun.WarmUp.READY))))
                    .containsExactly(new ReconcileAction.Start(may));
        }

        @Test
        void thatFailsStartsAgainWithoutAFailureOfTheJob() {
            LocalRun ended = waiting(Phase.ENDED, LocalRun.WarmUp.WARMING);

            assertThat(diff(List.of(OFFER), List.of(ended)))
                    .containsExactly(new ReconcileAction.ReportWarmUp(OFFER, false));
            assertThat(diff(List.of(OFFER.withWarmUp(false)), List.of(ended)))
                    .containsExactly(new ReconcileAction.Discard(id(5)));
        }

        @Test
        void isStoppedIfItIsNoLongerListed() {
            assertThat(diff(List.of(), List.of(waiting(Phase.RUNNING, LocalRun.WarmUp.READY))))
                    .singleElement()
                    .isInstanceOf(ReconcileAction.Stop.class);
        }
    }

    @Nested
    class AnAssignmentWhoseRanksJoin {
        private static LocalRun left(int change) {
            return ended(change, false);
        }

        private static LocalRun ended(int change, boolean adopted) {
            return new LocalRun(
                    id(5),
                    List.of("GPU-a"),
                    null,
                    Phase.ENDED,
                    OptionalInt.of(0),
                    false,
                    7,
                    LocalRun.WarmUp.NONE,
                    change,
                    adopted);
        }

        @Test
        void startsAfterTheRunWhoseRanksHaveLeftIsForgotten() {
            Assignment offer = TestAssignments.joining(OFFERED, 3);

            assertThat(diff(List.of(offer), List.of(left(2)))).containsExactly(new ReconcileAction.Discard(id(5)));
            assertThat(diff(List.of(offer), List.of())).containsExactly(new ReconcileAction.Start(offer));
        }

        @Test
        void reportsThatItHasAdoptedTheChangeBeforeItsEnd() {
            Assignment running = TestAssignments.joining(RUNNING, 3);

            assertThat(diff(List.of(running), List.of(ended(3, true))))
                    .containsExactly(new ReconcileAction.ReportRescaled(running, running.rescale()));
            assertThat(told(diff(List.of(running.withRescaleDone(running.rescale())), List.of(ended(3, true)))))
                    .isEqualTo(STOPPED);
        }

        @Test
        void reportsTheEndOfItsOwnRun() {
            assertThat(told(diff(List.of(TestAssignments.joining(OFFERED, 3)), List.of(left(3)))))
                    .isEqualTo(STOPPED);
        }
    }

    private static List<ReconcileAction> diff(List<Assignment> desired, List<LocalRun> observed) {
        return Reconciler.diff(desired, observed, true);
    }

    private static AssignmentPhase told(List<ReconcileAction> actions) {
        assertThat(actions).singleElement().isInstanceOf(ReconcileAction.ReportState.class);
        return ((ReconcileAction.ReportState) actions.get(0)).state();
    }

    private static LocalRun run(long generation, Phase phase, String... devices) {
        return new LocalRun(id(generation), List.of(devices), phase, OptionalInt.empty(), phase == Phase.STOPPING, 7);
    }

    private static LocalRun ended(long generation, int code, boolean requested) {
        return new LocalRun(id(generation), List.of("d/0"), Phase.ENDED, OptionalInt.of(code), requested, 7);
    }

    private static String id(long generation) {
        return TestAssignments.JOB + "." + generation;
    }
}
