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
        seconds = 19.96;
        assertThat(effort.isClockCut()).isTrue();
    }

    @Test
    void timeForWhatFollowsIsKeptBackInProportionToWhatCameBefore() {
        seconds = 2;
        effort.beginSolving();

        seconds = 16.9;
        assertThat(effort.isLeft()).isTrue();
        seconds = 17;
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
    void timeIsShortOfWhatAStepTakesBeforeItIsUp() {
        effort.beginSolving();

        seconds = 17.9;
        assertThat(effort.isShortOf(2)).isFalse();
        seconds = 18;
        assertThat(effort.isShortOf(2)).isTrue();
        assertThat(effort.isClockCut()).isFalse();
    }

    @Test
    void aShareOfTheTimeIsPastWhenItIsSpent() {
        seconds = 9.9;
        assertThat(effort.isClockPast(0.5)).isFalse();
        seconds = 10.1;
        assertThat(effort.isClockPast(0.5)).isTrue();
    }
}
