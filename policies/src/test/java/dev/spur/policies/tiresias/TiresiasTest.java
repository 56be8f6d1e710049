package dev.spur.policies.tiresias;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.Job;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.RoundSimulation;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TiresiasTest {
    private static final Queues TWO = new Queues(List.of(3600.0), 0, false);
    private static final Queues PROMOTING = new Queues(List.of(3600.0), 8, false);

    private static Policy las(Queues queues) {
        return new LeastAttainedService("las", queues);
    }

    @Nested
    class TheGittinsIndex {
        @Test
        void isTheChanceToEndPerExpectedService() {
            GittinsIndex index = GittinsIndex.of(List.of(10.0, 20.0, 40.0));

            assertThat(index.at(0, 20)).isCloseTo((2.0 / 3) / ((10 + 20 + 20) / 3.0), within(1e-12));
            assertThat(index.at(10, 15)).isCloseTo((1.0 / 2) / ((10 + 15) / 2.0), within(1e-12));
        }

        @Test
        void risesTowardsTheEndIfAllJobsAreEqual() {
            GittinsIndex index = GittinsIndex.of(List.of(100.0, 100.0, 100.0));

            assertThat(index.at(0, 1000)).isLessThan(index.at(50, 1000));
            assertThat(index.at(50, 1000)).isLessThan(index.at(99, 1000));
        }

        @Test
        void isAboutFlatIfLengthsAreExponential() {
            List<Double> services = IntStream.range(0, 10_000)
                    .mapToObj(i -> -1000 * Math.log(1 - (i + 0.5) / 10_000))
                    .toList();
            GittinsIndex index = GittinsIndex.of(services);

            assertThat(index.at(0, 500)).isCloseTo(0.001, within(0.00005));
            assertThat(index.at(1000, 500)).isCloseTo(0.001, within(0.00005));
        }

        @Test
        void isOneOverTheMeanRestWithoutEndOfTheQuantum() {
            assertThat(GittinsIndex.of(List.of(10.0, 30.0)).at(5, Double.POSITIVE_INFINITY))
                    .isCloseTo(1.0 / 15, within(1e-12));
        }

        @Test
        void isZeroBeyondAllPastJobs() {
            assertThat(GittinsIndex.of(List.of(10.0)).at(10, 5)).isZero();
            assertThat(GittinsIndex.of(List.of()).at(0, 5)).isZero();
        }
    }

    @Nested
    class TheQueues {
        private List<String> running(double servedOfOld, Queues queues) {
            RoundProblem problem = problem()
                    .nodes(1)
                    .jobs(
                            job("old").arrival(1).attainedService(servedOfOld).on("n1", 1),
                            job("young").arrival(2))
                    .build();
            return List.copyOf(las(queues).decide(problem).allocations().keySet());
        }

        @Test
        void aJobIsDemotedExactlyAtTheLimit() {
            assertThat(running(3599, TWO)).containsExactly("old");
            assertThat(running(3600, TWO)).containsExactly("young");
        }

        @Test
        void oneQueueNeverPreempts() {
            assertThat(running(1e9, new Queues(List.of(), 0, false))).containsExactly("old");
        }

        @Test
        void smallJobsFillWhatLargeOnesLeave() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(job("a").arrival(1).slots(3), job("b").arrival(2).slots(4), job("c").arrival(3))
                    .build();

            assertThat(las(TWO).decide(problem).allocations()).containsOnlyKeys("a", "c");
        }
    }

    @Nested
    class Promotion {
        /**
         * One job that had 4,000 slot-seconds and waits since 0, and one that has had as much and runs, on one slot.
         */
        private RoundProblem after(double seconds) {
            return problem()
                    .now(seconds)
                    .nodes(1)
                    .jobs(
                            job("old").arrival(0).attainedService(4000),
                            job("young").arrival(1).attainedService(4000).on("n1", 1))
                    .build();
        }

        @Test
        void bringsBackWhoHasWaitedEightTimesAsLongAsItRan() {
            assertThat(las(PROMOTING).decide(after(31_999)).allocations()).containsOnlyKeys("young");
            assertThat(las(PROMOTING).decide(after(32_000)).allocations()).containsOnlyKeys("old");
            assertThat(las(TWO).decide(after(32_000)).allocations()).containsOnlyKeys("young");
        }

        @Test
        void isNotUndoneAtOnce() {
            RoundProblem first = after(32_000);
            Decision decision = las(PROMOTING).decide(first);

            RoundProblem next = RoundSimulation.next(first, decision, 600);

            assertThat(las(PROMOTING).decide(next).allocations()).containsOnlyKeys("old");
        }

        @Test
        void preventsStarvation() {
            ProblemFixture problem = problem().nodes(1);
            for (int i = 0; i < 4; i++) {
                problem.job(job("j" + i).arrival(i).work(1e7));
            }
            RoundProblem round = problem.build();
            Policy policy = las(new Queues(List.of(600.0), 2, false));
            for (int i = 0; i < 100; i++) {
                round = RoundSimulation.next(round, policy.decide(round), 300);
            }

            assertThat(round.jobs())
                    .extracting(Job::history)
                    .extracting(ServiceHistory::attainedService)
                    .allMatch(service -> service > 3000);
        }
    }

    @Nested
    class Placing {
        private List<String> nodesOf(boolean skewed) {
            var gang = skewed ? job("gang").slots(4).consolidate() : job("gang").slots(4);
            RoundProblem problem = problem()
                    .nodes(4, 4, 4)
                    .jobs(job("a").slots(2).on("n1", 2), job("b").slots(2).on("n2", 2), gang)
                    .build();
            return las(TWO).decide(problem).allocations().get("gang").placement().stream()
                    .map(NodeShare::node)
                    .sorted()
                    .toList();
        }

        @Test
        void aSkewedJobIsConsolidated() {
            assertThat(nodesOf(true)).containsExactly("n3");
        }

        @Test
        void othersTakeFragments() {
            assertThat(nodesOf(false)).containsExactly("n1", "n2");
        }
    }

    @Nested
    class ByGittinsIndex {
        @Test
        void whoIsLikelyToEndGoesFirst() {
            RoundProblem problem = problem()
                    .nodes(1)
                    .jobs(
                            job("far").arrival(1).attainedService(10),
                            job("near").arrival(2).attainedService(90))
                    .build();
            Policy policy = new Gittins("g", TWO, GittinsIndex.of(List.of(100.0, 100.0)));

            assertThat(policy.decide(problem).allocations()).containsOnlyKeys("near");
        }

        @Test
        void learnsTheServicesOfJobsThatEnd() {
            Policy policy = new Gittins("g", TWO, null);
            RoundProblem both = problem()
                    .nodes(2)
                    .jobs(job("a").attainedService(64).on("n1", 0, 1), job("b"))
                    .build();
            Decision decision = policy.decide(both);
            RoundProblem next = RoundSimulation.next(both, decision, 10);

            Decision later = policy.decide(next.withJobs(next.jobs().subList(1, 2)));

            assertThat(later.memory().counters()).containsEntry("tiresias-past/6", 1.0);
        }
    }
}
