package dev.spur.model.validation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.JobFixture.served;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.PlanFixture.plan;
import static dev.spur.model.PlanFixture.standStill;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the judge asks of nodes over all jobs together. */
class CapacityRulesTest {
    @Nested
    class NoDeviceIsHeldTwice {
        private static final RoundProblem PROBLEM =
                problem().nodes(4).jobs(job("a").slots(2), job("b").slots(2)).build();

        @Test
        void jobsShareANodeOnDevicesOfTheirOwn() {
            assertThat(plan(PROBLEM)
                            .run("a", allocation(1000, piece("n1", 0, 2)))
                            .run("b", allocation(1000, piece("n1", 2, 2)))
                            .brokenRules())
                    .isEmpty();
        }

        @Test
        void oneCommonDeviceIsRefused() {
            assertThat(plan(PROBLEM)
                            .run("a", allocation(1000, piece("n1", 0, 2)))
                            .run("b", allocation(1000, piece("n1", 1, 2)))
                            .brokenRules())
                    .containsExactly("noDeviceIsHeldTwice");
        }

        @Test
        void aDeviceThatTheNodeDoesNotHaveIsRefused() {
            assertThat(plan(PROBLEM)
                            .run("a", allocation(1000, new NodeShare("n1", List.of("d3", "d4"))))
                            .brokenRules())
                    .containsExactly("noDeviceIsHeldTwice");
        }
    }

    @Nested
    class HostsAreNotOversubscribed {
        @ParameterizedTest
        @CsvSource({"8, 32, true", "7.999, 32, false", "8, 31.999, false"})
        void theSlotsOfAllJobsOnANodeShareItsCpuAndMemory(double cpus, double memory, boolean fits) {
            RoundProblem problem = problem()
                    .node(node("n1", 4).cpus(cpus).memory(memory))
                    .jobs(job("a").slots(2).host(3, 10), job("b").slots(2).host(1, 6))
                    .build();

            List<String> broken = plan(problem)
                    .run("a", allocation(1000, piece("n1", 0, 2)))
                    .run("b", allocation(1000, piece("n1", 2, 2)))
                    .brokenRules();

            assertThat(broken.isEmpty()).isEqualTo(fits);
            assertThat(broken).isSubsetOf("hostsAreNotOversubscribed");
        }

        /** The slots on each node reserve 3 CPUs for a replica, though it runs on one of the nodes. */
        @ParameterizedTest
        @CsvSource({"8, 8, true", "7.999, 8, false", "8, 7.999, false"})
        void theSlotsOfEachNodeReserveTheLargestShareOfRoles(double first, double second, boolean fits) {
            RoundProblem problem = problem()
                    .node(node("n1", 2).cpus(first))
                    .node(node("n2", 2).cpus(second))
                    .jobs(job("a").slots(4).host(2.5, 0).role("eval", 1, 3, 0))
                    .build();

            List<String> broken = plan(problem)
                    .run("a", allocation(1000, piece("n1", 0, 2), piece("n2", 0, 2)))
                    .brokenRules();

            assertThat(broken.isEmpty()).isEqualTo(fits);
            assertThat(broken).isSubsetOf("hostsAreNotOversubscribed");
        }

        @ParameterizedTest
        @CsvSource({"7.5, true", "7.499, false"})
        void slotsAndAggregatorsShareTheCpusOfANode(double cpus, boolean fits) {
            RoundProblem problem = problem()
                    .node(node("n1", 4).cpus(cpus).aggregation(2))
                    .jobs(job("a").slots(2).host(3, 0), job("b").slots(1).served(1.5))
                    .build();

            List<String> broken = plan(problem)
                    .run("a", allocation(1000, piece("n1", 0, 2)))
                    .run("b", served(1000, piece("n1", 2, 1), "n1", 1.5))
                    .brokenRules();

            assertThat(broken.isEmpty()).isEqualTo(fits);
            assertThat(broken).isSubsetOf("hostsAreNotOversubscribed");
        }

        @Test
        void eachNodeCountsForItself() {
            RoundProblem problem = problem()
                    .node(node("n1", 4).cpus(4))
                    .node(node("n2", 4).cpus(100))
                    .jobs(job("a").slots(4).host(2, 0))
                    .build();

            assertThat(plan(problem)
                            .run("a", allocation(1000, piece("n1", 0, 2), piece("n2", 0, 2)))
                            .brokenRules())
                    .isEmpty();
            assertThat(plan(problem)
                            .run("a", allocation(1000, piece("n1", 0, 3), piece("n2", 0, 1)))
                            .brokenRules())
                    .containsExactly("hostsAreNotOversubscribed");
        }

        @Test
        void whatMayNotBeTouchedIsAlwaysAllowedButNothingBesideIt() {
            RoundProblem problem = problem()
                    .node(node("n1", 4).cpus(1))
                    .jobs(
                            job("a").slots(2).host(1, 0).notPreemptible().on("n1", 2),
                            job("b").slots(1).host(1, 0))
                    .build();

            assertThat(standStill(problem).brokenRules()).isEmpty();
            assertThat(standStill(problem)
                            .run("b", allocation(1000, piece("n1", 2, 1)))
                            .brokenRules())
                    .containsExactly("hostsAreNotOversubscribed");
        }
    }

    @Nested
    class AggregationIsNotOversubscribed {
        @ParameterizedTest
        @CsvSource({"2.5, true", "2.499, false"})
        void theSharesOfAllJobsOnANodeFitIntoIt(double offered, boolean fits) {
            RoundProblem problem = problem()
                    .node(node("n1", 4).aggregation(offered))
                    .jobs(job("a").slots(1).served(1), job("b").slots(1).served(1.5))
                    .build();

            List<String> broken = plan(problem)
                    .run("a", served(1000, piece("n1", 0, 1), "n1", 1))
                    .run("b", served(1000, piece("n1", 1, 1), "n1", 1.5))
                    .brokenRules();

            assertThat(broken.isEmpty()).isEqualTo(fits);
            assertThat(broken).isSubsetOf("aggregationIsNotOversubscribed");
        }

        @Test
        void whatMayNotBeTouchedIsAlwaysAllowedButNothingBesideIt() {
            RoundProblem problem = problem()
                    .node(node("n1", 4).aggregation(1))
                    .jobs(
                            job("a").slots(1).served(2).notPreemptible().holding(served(0, piece("n1", 0, 1), "n1", 2)),
                            job("b").slots(1).served(1))
                    .build();

            assertThat(standStill(problem).brokenRules()).isEmpty();
            assertThat(standStill(problem)
                            .run("b", served(1000, piece("n1", 1, 1), "n1", 1))
                            .brokenRules())
                    .containsExactly("aggregationIsNotOversubscribed");
        }
    }

    @Nested
    class NewAggregationIsOnNodesThatTakeIt {
        private static final String RULE = "newAggregationIsOnAvailableNodes";

        @ParameterizedTest
        @CsvSource({"ACTIVE, true", "CORDONED, false", "DRAINING, false", "LOST, false"})
        void aNewShareComesOnlyToAnActiveNode(NodeState state, boolean allowed) {
            RoundProblem problem = problem()
                    .nodes(4)
                    .node(node("s", 0).state(state))
                    .job(job("a").slots(1).served(1))
                    .build();

            List<String> broken = plan(problem)
                    .run("a", served(1000, piece("n1", 0, 1), "s", 1))
                    .brokenRules();

            assertThat(broken).isEqualTo(allowed ? List.of() : List.of(RULE));
        }

        @Test
        void aReservationKeepsTheSharesOfOthersOff() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .node("s", 0)
                    .tenant("x", null, null)
                    .reservation(new Reservation("r", List.of("s"), "x", 0, 2000))
                    .jobs(
                            job("a").slots(1).served(1),
                            job("b").slots(1).served(1).tenant("x"))
                    .build();

            assertThat(plan(problem)
                            .run("a", served(1000, piece("n1", 0, 1), "s", 1))
                            .brokenRules())
                    .containsExactly(RULE);
            assertThat(plan(problem)
                            .run("b", served(1000, piece("n1", 0, 1), "s", 1))
                            .brokenRules())
                    .isEmpty();
        }

        @Test
        void aShareThatIsThereMayStayButNotGrow() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .node(node("s", 0).state(NodeState.DRAINING))
                    .job(job("a").slots(1).served(1).served(2).holding(served(0, piece("n1", 0, 1), "s", 1)))
                    .build();

            assertThat(plan(problem)
                            .run("a", served(0, piece("n1", 0, 1), "s", 2))
                            .brokenRules())
                    .containsExactly(RULE);
            RoundProblem same = problem.withJobs(List.of(job("a").slots(1)
                    .served(1)
                    .holding(served(0, piece("n1", 0, 1), "s", 1))
                    .build()));
            assertThat(standStill(same).brokenRules()).isEmpty();
        }
    }
}
