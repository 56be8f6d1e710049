package dev.spur.policies.themis;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.RoundSimulation;
import dev.spur.policies.SlotFixture;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ThemisTest {
    private static final Policy THEMIS = new Themis("themis", 0.8);

    @Nested
    class FinishTimeFairness {
        @Test
        void isOneForAJobAloneWithWhatItAskedFor() {
            assertThat(Themis.rho(0, 1e6, 100, 0, 100)).isEqualTo(1);
            assertThat(Themis.rho(500, 9.5e5, 100, 500, 100)).isEqualTo(1);
        }

        @Test
        void isWorseTheLongerTheWait() {
            assertThat(Themis.rho(5000, 1e6, 100, 0, 100)).isCloseTo(1.5, within(1e-12));
            assertThat(Themis.rho(0, 1e6, 0, 0, 100)).isInfinite();
        }
    }

    @Nested
    class TheAuction {
        @Test
        void goesToTheJobThatIsFurthestBehind() {
            RoundProblem problem = problem()
                    .now(20_000)
                    .nodes(1)
                    .jobs(job("new").arrival(19_000), job("old").arrival(0).work(1e5))
                    .build();

            assertThat(SlotFixture.of(THEMIS, problem)).containsOnlyKeys("old");
        }

        @Test
        void leavesNoUsableSlotIdle() {
            RoundProblem problem = problem()
                    .nodes(8)
                    .jobs(job("a").slots(2), job("b").slots(2), job("c").slots(2), job("d").slots(2))
                    .build();

            assertThat(SlotFixture.of(THEMIS, problem)).hasSize(4);
        }

        @Test
        void letsAlmostAllAppsBidIfFairnessCountsLittle() {
            RoundProblem problem = problem()
                    .nodes(8)
                    .jobs(SlotFixture.scaling("a", 1), SlotFixture.scaling("b", 1))
                    .build();

            assertThat(SlotFixture.of(new Themis("all", 0), problem)).isEqualTo(Map.of("a", 4, "b", 4));
        }
    }

    @Nested
    class Leases {
        private RoundProblem held(double since, double now) {
            JobFixture holder =
                    job("holder").arrival(0).holding(JobFixture.allocation(since, JobFixture.piece("n1", 0, 1)));
            return problem()
                    .now(now)
                    .nodes(1)
                    .jobs(holder, job("behind").arrival(0).work(1e4))
                    .build();
        }

        @Test
        void protectTheirHoldersForTwentyMinutes() {
            assertThat(SlotFixture.of(THEMIS, held(0, 1199))).containsOnlyKeys("holder");
            assertThat(SlotFixture.of(THEMIS, held(0, 1200))).containsOnlyKeys("behind");
        }

        @Test
        void restartWhenTheyAreWonAgain() {
            RoundProblem first = problem().nodes(1).job(job("a").work(1e9)).build();
            Decision won = THEMIS.decide(first);
            RoundProblem later = RoundSimulation.next(first, won, 1300);

            Decision again = THEMIS.decide(later);

            assertThat(won.memory().counters()).containsEntry("themis/lease/a", 1000.0);
            assertThat(again.memory().counters()).containsEntry("themis/lease/a", 2300.0);
        }
    }
}
