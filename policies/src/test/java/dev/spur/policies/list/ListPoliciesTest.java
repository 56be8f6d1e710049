package dev.spur.policies.list;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.SlotFixture;
import java.util.Map;
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
        void passesJobsThatDoNotFitIfConfigured() {
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
    class WithReservation {
        /** Of four slots one is free; "large" waits for the two of "ends". */
        private final ProblemFixture waiting = problem().nodes(4);

        private Map<String, Integer> started(JobFixture later) {
            return SlotFixture.of(
                    new EasyBackfill(),
                    waiting.jobs(
                                    job("ends").arrival(1).slots(2).work(1e4).on("n1", 2),
                                    job("stays").arrival(2).slots(1).work(1e6).on("n1", 1),
                                    job("large").arrival(3).slots(3),
                                    later.arrival(4))
                            .build());
        }

        @Test
        void aLaterJobStartsThatEndsBeforeTheReservation() {
            assertThat(started(job("short").slots(1).work(10))).containsKey("short");
        }

        @Test
        void aLaterJobWaitsThatWouldDelayTheReservation() {
            assertThat(started(job("long").slots(1).work(1e6))).containsOnlyKeys("ends", "stays");
        }

        @Test
        void aLaterJobStartsOnSlotsThatTheReservationLeaves() {
            RoundProblem spare = problem()
                    .nodes(5)
                    .jobs(
                            job("ends").arrival(1).slots(3).work(1e4).on("n1", 3),
                            job("large").arrival(2).slots(4),
                            job("long").arrival(3).slots(1).work(1e6),
                            job("next").arrival(4).slots(1).work(1e6))
                    .build();

            assertThat(new EasyBackfill().decide(spare).allocations()).containsOnlyKeys("ends", "long");
        }

        @Test
        void aJobThatFitsNowhereReservesNothing() {
            RoundProblem never = waiting.jobs(
                            job("never").arrival(1).slots(5), job("next").arrival(2))
                    .build();

            assertThat(new EasyBackfill().decide(never).allocations()).containsOnlyKeys("next");
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
