package dev.spur.solver.solve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.SolveBudget;
import org.junit.jupiter.api.Test;

class RemainingBudgetTest {
    private double seconds;
    private final RemainingBudget effort = new RemainingBudget(new SolveBudget(10, 20, 1, 1), () -> seconds);

    @Test
    void theSolverMayUseAlmostAllOfTheTimeOfASmallRound() {
        effort.beginSolving();

        seconds = 19.9;
        assertThat(effort.isLeft()).isTrue();
        seconds = 19.98;
        assertThat(effort.isClockCut()).isTrue();
    }

    @Test
    void timeForWhatFollowsIsKeptBackInProportionToWhatCameBefore() {
        seconds = 2;
        effort.beginSolving();

        seconds = 18.7;
        assertThat(effort.isLeft()).isTrue();
        seconds = 18.8;
        assertThat(effort.isClockCut()).isTrue();
    }

    @Test
    void noMoreThanAQuarterIsKeptBack() {
        seconds = 12;
        effort.beginSolving();

        seconds = 14.9;
        assertThat(effort.isLeft()).isTrue();
        seconds = 15;
        assertThat(effort.isClockCut()).isTrue();
    }

    @Test
    void timeIsShortOfAShareBeforeItIsUp() {
        effort.beginSolving();

        seconds = 17.9;
        assertThat(effort.isShortOfShare(0.1)).isFalse();
        seconds = 18;
        assertThat(effort.isShortOfShare(0.1)).isTrue();
        assertThat(effort.isClockCut()).isFalse();
    }
}
