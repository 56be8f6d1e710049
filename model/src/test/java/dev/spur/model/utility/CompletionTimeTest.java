package dev.spur.model.utility;

import static dev.spur.model.JobFixture.configuration;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * {@code COMPLETION_TIME}, counted by hand: power -0.5, bonus for staying 0.05, change penalty 0.01. Unless it says
 * otherwise a job has just come, at 1,000, and would take 600 s at its fastest, 800 effective samples/s on eight slots.
 */
class CompletionTimeTest {
    private static final Offset<Double> EXACT = within(1e-12);
    /** With 600 s left. */
    private static final double URGENCY = Math.pow(0.5, 0.2);

    private static final double RIGID_URGENCY = Math.pow(0.5, 0.5);

    private static ProblemFixture soonest(JobFixture job) {
        return problem().nodes(8).objective(ObjectiveKind.COMPLETION_TIME).job(job);
    }

    private static JobFixture quick() {
        return job("a").arrival(1000)
                .slots(1, 8)
                .speeds(100, 200, 300, 400, 500, 600, 700, 800)
                .work(800 * 600)
                .remaining(800 * 600)
                .restartPenalty(0);
    }

    private static JobFixture running() {
        return quick().on("n1", 1);
    }

    private static double utility(JobFixture job, double goodput, boolean unchanged) {
        return utility(soonest(job), goodput, unchanged);
    }

    private static double utility(ProblemFixture fixture, double goodput, boolean unchanged) {
        RoundProblem problem = fixture.build();
        return new Utility(problem)
                .of(problem.jobs().get(0))
                .of(
                        configuration(List.of(2)),
                        goodput,
                        unchanged ? ChangeMechanism.UNCHANGED : ChangeMechanism.RESTART,
                        NodeTerms.ofPrice(0));
    }

    @Test
    void isTheShareOfTheFastestSpeedWithDiminishingReturns() {
        assertThat(utility(quick(), 200, false)).isCloseTo(URGENCY * 0.5, EXACT);
        assertThat(utility(quick(), 800, false)).isCloseTo(URGENCY, EXACT);
    }

    @Test
    void paysForStaying() {
        assertThat(utility(running(), 200, true)).isCloseTo(URGENCY * (0.5 + 0.05 + 0.01), EXACT);
    }

    @Test
    void weighsAJobTheMoreTheLessItHasLeft() {
        assertThat(utility(quick().work(1e9).remaining(0), 800, false))
                .as("next to nothing left")
                .isCloseTo(1, EXACT);
        assertThat(utility(quick().work(1e9).remaining(800 * 1800), 800, false))
                .as("a quarter, for 600 of 2,400 s")
                .isCloseTo(Math.pow(0.25, 0.2), EXACT);
    }

    @Test
    void putsTheShorterOfTwoJobsFirstThatHaveYetToStart() {
        JobFixture shorter = quick().restartPenalty(30).work(800 * 300).remaining(800 * 300);
        JobFixture longer = quick().restartPenalty(30);

        assertThat(utility(shorter, 800, false)).isGreaterThan(utility(longer, 800, false));
    }

    @Test
    void weighsAJobTheMoreTheLongerItTakesBeyondTwiceItsTimeAlone() {
        ProblemFixture late = soonest(quick()).now(1000 + 1800);
        ProblemFixture inTime = soonest(quick()).now(1000 + 600);

        assertThat(utility(late, 800, false))
                .as("2,400 s instead of 600")
                .isCloseTo(URGENCY * Math.sqrt(2), within(1e-6));
        assertThat(utility(inTime, 800, false)).as("twice 600 s").isCloseTo(URGENCY, within(1e-6));
    }

    @Test
    void isPatientWithJobsThatWouldTakeSecondsAlone() {
        ProblemFixture tiny = soonest(quick().work(800).remaining(0)).now(1000 + 240);

        assertThat(utility(tiny, 800, false)).as("240 s instead of 60").isCloseTo(Math.sqrt(2), within(1e-6));
    }

    @Test
    void losesTheShareOfTheTimeLeftThatARestartTakes() {
        assertThat(utility(running().arrival(1000).restartPenalty(150), 800, false))
                .as("600 s are left at the fastest speed, a quarter of it for the restart")
                .isCloseTo(URGENCY * Math.sqrt(0.75) * (1 + 2 * 150 / 600.0), EXACT);
    }

    @Test
    void takesNothingOffForAStartOfAJobThatWaits() {
        assertThat(utility(quick().restartPenalty(150), 800, false)).isCloseTo(URGENCY, EXACT);
    }

    @Test
    void countsOnNoConfigurationForMoreThanHalfAnHour() {
        JobFixture endless = running().restartPenalty(180).work(1e9).remaining(800 * 5400);

        assertThat(utility(endless, 800, false))
                .as("a tenth of 1,800 s for the restart, and weight for 600 of 6,000 s")
                .isCloseTo(Math.pow(0.1, 0.2) * Math.sqrt(0.9) * (1 + 2 * 180 / 1800.0), EXACT);
    }

    @Test
    void movesAlsoAJobThatEndsWithinItsRestart() {
        assertThat(utility(running().restartPenalty(100).work(1e9).remaining(0), 800, false))
                .isCloseTo(Math.sqrt(0.5) * 2, EXACT);
    }

    @Test
    void discountsTheRestartOfARunningJobByItsAge() {
        JobFixture old = running().arrival(100).restartPenalty(100).restarts(2).work(1e9);

        assertThat(utility(old.remaining(800 * 1000), 800, false))
                .as("f = 0.7, a tenth of 1,000 s for the restart, and weight for 600 of 1,600 s")
                .isCloseTo(Math.pow(600 / 1600.0, 0.2) * Math.sqrt(0.7 * 0.9) * (1 + 2 * 100 / 1000.0), EXACT);
    }

    @Test
    void rulesOutAChangeThatRestartsHaveUsedUp() {
        JobFixture worn = running().arrival(100).restartPenalty(100).restarts(9);

        assertThat(utility(worn, 800, false)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(utility(worn, 800, true))
                .isCloseTo(URGENCY * Math.sqrt(1500 / 1200.0) * 1.06 * (1 + 2 * 100 / 600.0), EXACT);
    }

    @Test
    void addsTheCostOfAStopToARunningJob() {
        JobFixture elastic = running().restartPenalty(30);
        JobFixture rigid = quick().slots(8).restartPenalty(30).on("n1", 8);
        JobFixture brief = quick().slots(8).restartPenalty(5).on("n1", 8);

        assertThat(utility(elastic, 800, true))
                .as("two stalls of 30 s in the 600 s that are left")
                .isCloseTo(URGENCY * 1.06 * 1.1, EXACT);
        assertThat(utility(rigid, 800, true))
                .as("a rigid job cannot shrink")
                .isCloseTo(RIGID_URGENCY * 1.06 * 3, EXACT);
        assertThat(utility(brief, 800, true)).as("half a full stall").isCloseTo(RIGID_URGENCY * 1.06 * 2, EXACT);
    }

    @Test
    void ordersJobsOfEstimatedLengthByTheTimeDone() {
        JobFixture fresh = quick().slots(8).estimated(800 * 600);
        JobFixture half =
                quick().slots(8).estimated(800 * 600).remaining(800 * 300).runSeconds(300);

        assertThat(utility(fresh, 800, false)).isCloseTo(RIGID_URGENCY, EXACT);
        assertThat(utility(half, 800, false))
                .as("600 s of the estimate and 300 s done")
                .isCloseTo(Math.pow(600 / 1500.0, 0.5), EXACT);
    }

    @Test
    void isNothingForWhoStandsStill() {
        assertThat(utility(running(), 0, true)).isZero();
    }

    @Test
    void takesTheFastestTypeOfTheClusterForReference() {
        JobFixture both = job("a").arrival(1000)
                .slots(1, 8)
                .restartPenalty(0)
                .work(1e9)
                .remaining(0)
                .speedsOn("A100", 100, 200)
                .speedsOn("V100", 400, 800);

        assertThat(utility(both, 200, false)).as("no V100 there").isCloseTo(1, EXACT);
        assertThat(utility(soonest(both).node(node("v", 4).type("V100")), 200, false))
                .isCloseTo(0.5, EXACT);
    }

    @Test
    void takesTheFastestNumberOfSlotsForReferenceEvenIfItIsNotTheLargest() {
        JobFixture small = job("a").arrival(1000)
                .slots(1, 8)
                .restartPenalty(0)
                .remaining(0)
                .speeds(100, 400, 300, 200, 200, 200, 200, 200);

        assertThat(utility(small, 100, false)).isCloseTo(0.5, EXACT);
    }
}
