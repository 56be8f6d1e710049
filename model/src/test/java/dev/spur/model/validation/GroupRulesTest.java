package dev.spur.model.validation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.PlanFixture.plan;
import static dev.spur.model.PlanFixture.standStill;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.PlanFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.performance.SyncStrategy;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the judge asks of groups. A job {@code a4} of group {@code g} asks for 4 slots. */
class GroupRulesTest {
    private static final String CAP = "groupsStayWithinTheirCaps";

    private static int slots(String name) {
        return Integer.parseInt(name.replaceAll("\\D", ""));
    }

    private static JobFixture trial(String name) {
        return job(name).group("g").slots(1, slots(name));
    }

    /** The rules broken if these jobs start on {@code n1} and the other jobs of the problem wait. */
    private static List<String> broken(ProblemFixture fixture, String... running) {
        PlanFixture plan = plan(fixture.build());
        int first = 0;
        for (String name : running) {
            plan.run(name, allocation(1000, piece("n1", first, slots(name))));
            first += slots(name);
        }
        return plan.brokenRules();
    }

    @Nested
    class GroupsStayWithinTheirCaps {
        @Test
        void theJobsOfAGroupHoldAtMostItsSlotsTogether() {
            ProblemFixture searches = problem()
                    .nodes(16)
                    .jobs(trial("a4"), trial("b2"), trial("c3"), job("d4").slots(4));

            assertThat(broken(searches.group("g", 6, null), "a4", "b2", "d4")).isEmpty();
            assertThat(broken(searches, "a4", "c3")).containsExactly(CAP);
        }

        @Test
        void slotsOfAllTypesCount() {
            Allocation onV100 = new Allocation(
                    new Configuration("main", "V100", List.of(2), SyncStrategy.ALL_REDUCE, 0, 64, 0),
                    List.of(piece("v", 0, 2)),
                    List.of(),
                    1000);

            assertThat(onTwoTypes(6, onV100)).isEmpty();
            assertThat(onTwoTypes(5, onV100)).containsExactly(CAP);
        }

        private static List<String> onTwoTypes(int maxSlots, Allocation onV100) {
            ProblemFixture types = problem()
                    .nodes(4)
                    .node(NodeFixture.node("v", 4).type("V100"))
                    .group("g", maxSlots, null)
                    .jobs(trial("a4"), trial("b2").speedsOn("V100", 50, 90));
            return plan(types.build())
                    .run("a4", allocation(1000, piece("n1", 0, 4)))
                    .run("b2", onV100)
                    .brokenRules();
        }

        @Test
        void atMostSoManyJobsOfAGroupRun() {
            ProblemFixture searches = problem().nodes(16).jobs(trial("a1"), trial("b1"), trial("c1"));

            assertThat(broken(searches.group("g", null, 2), "a1", "b1")).isEmpty();
            assertThat(broken(searches, "a1", "b1", "c1")).containsExactly(CAP);
        }

        @Test
        void aCapOfNothingLetsNothingRun() {
            assertThat(broken(problem().nodes(4).job(trial("a1")).group("g", 0, null), "a1"))
                    .containsExactly(CAP);
            assertThat(broken(problem().nodes(4).job(trial("a1")).group("g", null, 0), "a1"))
                    .containsExactly(CAP);
        }

        @Test
        void whatMayNotBeTouchedIsAllowedAndCounts() {
            ProblemFixture lowered = problem()
                    .nodes(16)
                    .group("g", 4, 1)
                    .jobs(
                            trial("a4").notPreemptible().on("n1", 0, 4),
                            trial("b4").notPreemptible().on("n1", 4, 4),
                            trial("c1"));
            PlanFixture both = standStill(lowered.build());

            assertThat(both.brokenRules()).isEmpty();
            assertThat(both.run("c1", allocation(1000, piece("n1", 8, 1))).brokenRules())
                    .contains(CAP);
        }
    }

    @Nested
    class RestartsStayWithinTheLimit {
        @Test
        void theLimitFallsWhereACapHasShrunkBelowWhatRuns() {
            assertThat(standStill(running().group("g", 4, null).build())
                            .stop("b4")
                            .brokenRules())
                    .isEmpty();
            assertThat(standStill(running().group("g", 8, null).build())
                            .stop("b4")
                            .brokenRules())
                    .containsExactly("restartsStayWithinTheLimit");
        }

        private static ProblemFixture running() {
            return problem()
                    .nodes(16)
                    .maxRestarts(0)
                    .jobs(trial("a4").on("n1", 0, 4), trial("b4").on("n1", 4, 4));
        }
    }
}
