package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.validation.PlanCheck;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gangs on nodes that differ in slots, prices, reservations and maintenance. */
class UnevenGangsTest {
    private static RoundPlan plan(ProblemFixture fixture) {
        RoundProblem problem = fixture.build();
        RoundPlan plan = Policies.spur().plan(problem);
        assertThat(PlanCheck.violations(problem, plan)).isEmpty();
        return plan;
    }

    /** The allocation of job {@code a}, which runs. */
    private static Allocation allocation(ProblemFixture fixture) {
        RoundPlan plan = plan(fixture);
        return plan.running().stream()
                .filter(runningJob -> runningJob.jobId().equals("a"))
                .map(runningJob -> Objects.requireNonNull(runningJob.allocation()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(plan.waiting()));
    }

    private static List<Integer> shape(ProblemFixture fixture) {
        return allocation(fixture).configuration().shape();
    }

    private static JobFixture gang(int slots) {
        return job("a").slots(slots);
    }

    @Nested
    class Slots {
        @Test
        void aGangSpansNodesOfTwoSizes() {
            assertThat(shape(problem().nodes(8, 4).job(gang(12)))).containsExactly(8, 4);
        }

        @ParameterizedTest
        @ValueSource(ints = {9, 10, 12, 13, 17, 18, 20, 22, 23, 24, 26, 29, 30, 31, 32})
        void anyNumberOfSlotsThatTheClusterHasRuns(int slots) {
            assertThat(allocation(problem().nodes(3, 6, 7, 16).job(gang(slots)))
                            .configuration()
                            .slots())
                    .isEqualTo(slots);
        }

        @Test
        void oneBrokenDeviceTakesOneSlot() {
            assertThat(shape(problem().nodes(8, 7, 8).job(gang(23)))).containsExactly(8, 8, 7);
            assertThat(plan(problem().nodes(8, 7, 8).job(gang(24)))
                            .waiting()
                            .get(0)
                            .message())
                    .contains("Needs 24 slots", "23 slots of main/A100 (2 × 8 + 7)");
        }

        @Test
        void aGangStartsNextToJobsThatStay() {
            ProblemFixture fragmented = problem()
                    .nodes(8, 8)
                    .jobs(
                            job("k").on("n1", 1).notPreemptible(),
                            job("l").slots(2).on("n2", 2).notPreemptible());

            assertThat(shape(fragmented.job(gang(12)))).containsExactly(7, 5);
        }

        /** Two nodes would do if they were idle, and four have the slots that are free. */
        @Test
        void aGangTakesTheFreeSlotsOfAllNodes() {
            ProblemFixture held = problem()
                    .nodes(3, 6, 7, 16)
                    .job(job("b").slots(12).on("n4", 12).notPreemptible());

            assertThat(shape(held.job(gang(20)))).containsExactly(7, 6, 4, 3);
        }

        @Test
        void aGangDoesNotStopAJobWhereItFitsOtherwise() {
            ProblemFixture fragmented = problem()
                    .nodes(8, 8)
                    .jobs(job("k").on("n1", 1), job("l").slots(2).on("n2", 2));

            RoundPlan plan = plan(fragmented.job(gang(12)));

            assertThat(plan.running())
                    .extracting(runningJob -> runningJob.jobId())
                    .contains("a", "k", "l");
        }

        @Test
        void twoGangsShareTheNodesThatFitBoth() {
            ProblemFixture both = problem().nodes(8, 8, 7, 6, 3).jobs(gang(20), job("b").slots(8));

            assertThat(plan(both).running()).hasSize(2);
        }

        @Test
        void severalSmallNodesReplaceALargeOne() {
            ProblemFixture held = problem()
                    .nodes(16, 4, 4, 4, 4)
                    .jobs(job("k").slots(16).on("n1", 16).notPreemptible(), gang(16));

            assertThat(shape(held)).containsExactly(4, 4, 4, 4);
        }

        @Test
        void wholeNodesAreOfOneSize() {
            assertThat(plan(problem().wholeNodes().nodes(8, 4).job(gang(12)))
                            .waiting()
                            .get(0)
                            .message())
                    .contains("The largest possible gang is 8 slots of main/A100.");
            assertThat(shape(problem().wholeNodes().nodes(8, 4, 4).job(gang(8).maxNodes(2))))
                    .isIn(List.of(8), List.of(4, 4));
        }
    }

    @Nested
    class Hosts {
        @Test
        void aGangTakesTheSlotsThatHostsFeed() {
            ProblemFixture hosts = problem()
                    .node(node("n1", 8).cpus(8))
                    .node(node("n2", 8).cpus(4))
                    .job(gang(12).host(1, 0));

            assertThat(shape(hosts)).containsExactly(8, 4);
        }
    }

    @Nested
    class Prices {
        private static ProblemFixture priced(double pricePenalty) {
            return problem()
                    .objective(new Objective(ObjectiveKind.COMPLETION_TIME, 0.5, 1.1, 0.01, List.of(), 1, pricePenalty))
                    .node(node("n1", 8).price(2))
                    .node(node("n2", 8).price(2.5));
        }

        @ParameterizedTest
        @ValueSource(doubles = {0, 1e-6})
        void aGangSpansNodesOfTwoPrices(double pricePenalty) {
            assertThat(shape(priced(pricePenalty).job(gang(16)))).containsExactly(8, 8);
        }

        @Test
        void aJobTakesTheCheaperNode() {
            assertThat(allocation(priced(1e-6).job(gang(8))).placement().get(0).node())
                    .isEqualTo("n1");
        }
    }

    @Nested
    class Reservations {
        private static ProblemFixture reserved(String... nodes) {
            return problem()
                    .nodes(8, 8)
                    .tenant("x", "root", (Quota) null)
                    .reservation(new Reservation("r", List.of(nodes), "x", 0, 5000));
        }

        @Test
        void aTenantCombinesItsNodeWithAnOpenOne() {
            assertThat(shape(reserved("n1").job(gang(16).tenant("x")))).containsExactly(8, 8);
        }

        @Test
        void othersStayOffTheReservedNode() {
            RoundPlan plan = plan(reserved("n1")
                    .jobs(gang(16).tenant("root"), job("b").slots(8).tenant("root")));

            assertThat(plan.running()).hasSize(1);
            assertThat(plan.running().get(0).allocation().placement())
                    .extracting(share -> share.node())
                    .containsExactly("n2");
            assertThat(plan.waiting().get(0).reason()).isEqualTo(PendingReason.RESERVED);
            assertThat(plan.waiting().get(0).message())
                    .contains(
                            "Needs 16 slots, but the largest gang on the nodes that it may use now is 8 slots of main/A100",
                            "the others are reserved for others: node n1");
        }

        @Test
        void theTenantLeavesTheOpenNodeToOthers() {
            ProblemFixture both =
                    reserved("n1").jobs(gang(8).tenant("x"), job("b").slots(8).tenant("root"));

            assertThat(plan(both).running()).hasSize(2);
        }
    }

    @Nested
    class Maintenance {
        /** Maintenance of the second node, before which only short jobs leave. */
        private static ProblemFixture maintained() {
            return problem().now(1000).nodes(8, 8).maintenance(2000, 3000, "n2");
        }

        @Test
        void aShortGangUsesTheNodeBefore() {
            assertThat(shape(maintained().job(gang(16).work(1000)))).containsExactly(8, 8);
        }

        @Test
        void aLongGangStaysOffTheNode() {
            JobFixture longer = gang(16).notPreemptible().work(1e9);

            assertThat(plan(maintained().job(longer)).waiting().get(0).reason())
                    .isEqualTo(PendingReason.NODES_UNAVAILABLE);
            assertThat(shape(maintained().job(gang(8).notPreemptible().work(1e9))))
                    .containsExactly(8);
        }
    }
}
