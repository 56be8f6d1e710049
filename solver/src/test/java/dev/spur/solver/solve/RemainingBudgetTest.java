package dev.spur.solver.solve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.SolveBudget;
import org.junit.jupiter.api.Test;

class RemainingBudgetTest {
    private double seconds;
    private final RemainingBudget budget = new RemainingBudget(new SolveBudget(10, 20, 1, 1), () -> seconds);

    @Test
    void theSolverMayUseAlmostAllOfTheTimeOfASmallRound() {
        budget.beginSolving();

        seconds = 19.9;
        assertThat(budget.isLeft()).isTrue();
        seconds = 19.98;
        assertThat(budget.isClockCut()).isTrue();
    }

    @Test
    void timeForWhatFollowsIsKeptBackInProportionToWhatCameBefore() {
        seconds = 2;
        budget.beginSolving();

        seconds = 18.7;
        assertThat(budget.isLeft()).isTrue();
        seconds = 18.8;
        assertThat(budget.isClockCut()).isTrue();
    }

    @Test
    void noMoreThanAQuarterIsKeptBack() {
        seconds = 12;
        budget.beginSolving();

        seconds = 14.9;
        assertThat(budget.isLeft()).isTrue();
        seconds = 15;
        assertThat(budget.isClockCut()).isTrue();
    }

    @Test
    void aShareOfTheTimeLeavesTheRestToTheNextSolve() {
        budget.spend(2);
        seconds = 20 - RemainingBudget.MIN_RESERVE - 8;

        assertThat(budget.share(0.5)).isEqualTo(new SolveBudget(4, 8, 1, 1));
        assertThat(budget.shareOfTime(0.5)).isEqualTo(new SolveBudget(4, 4, 1, 1));
    }

    @Test
    void timeIsShortOfAShareBeforeItIsUp() {
        budget.beginSolving();

        seconds = 17.9;
        assertThat(budget.isShortOfShare(0.1)).isFalse();
        seconds = 18;
        assertThat(budget.isShortOfShare(0.1)).isTrue();
        assertThat(budget.isClockCut()).isFalse();
    }

    @Test
    void aSolveThatTheClockEndedLeavesTheRestOfTheBudget() {
        budget.recordCutSolve();

        assertThat(budget.isLeft()).isTrue();
        assertThat(budget.isClockCut()).isTrue();
    }
}
