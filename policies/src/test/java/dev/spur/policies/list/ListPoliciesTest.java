package dev.spur.policies.list;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.round.RoundProblem;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ListPoliciesTest {
    @Nested
    class FirstInFirstOut {
        private final RoundProblem gap = problem()
                .nodes(4)
                .jobs(
                        job("first").arrival(1).slots(3),
                        job("large").arrival(2).slots(2),
                        job("small").arrival(3))
                .build();

        @Test
        void stopsAtTheFirstThatDoesNotFit() {
            assertThat(new Fifo("f", false).decide(gap).allocations()).containsOnlyKeys("first");
        }

        @Test
        void goesOnIfItIsToldTo() {
            assertThat(new Fifo("f", true).decide(gap).allocations()).containsOnlyKeys("first", "small");
        }

        @Test
        void isNotStoppedByAJobThatFitsNowhere() {
            RoundProblem never = problem()
                    .nodes(4)
                    .jobs(job("never").arrival(1).slots(5), job("next").arrival(2))
                    .build();

            assertThat(new Fifo("f", false).decide(never).allocations()).containsOnlyKeys("next");
        }

        @Test
        void neverStopsWhoRuns() {
            RoundProblem late = problem()
                    .nodes(4)
                    .jobs(
                            job("early").arrival(1).slots(4),
                            job("late").arrival(2).slots(2).on("n1", 2))
                    .build();

            assertThat(new Fifo("f", true).decide(late).allocations()).containsOnlyKeys("late");
        }
    }

    @Nested
    class ShortestRemainingTimeFirst {
        private final ProblemFixture two = problem().nodes(4);

        @Test
        void stopsTheLongerJobForTheShorterOne() {
            RoundProblem problem = two.jobs(
                            job("long").slots(4).work(1e6).on("n1", 4),
                            job("short").slots(4).work(1e5))
                    .build();

            assertThat(new Srtf().decide(problem).allocations()).containsOnlyKeys("short");
        }

        @Test
        void measuresTimeAndNotWork() {
            RoundProblem problem = two.jobs(
                            job("fast").slots(4).speeds(400, 800, 1200, 1600).work(2e5),
                            job("slow").slots(4).work(1e5))
                    .build();

            assertThat(new Srtf().decide(problem).allocations()).containsOnlyKeys("fast");
        }
    }
}
