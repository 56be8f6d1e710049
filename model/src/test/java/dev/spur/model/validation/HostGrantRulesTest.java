package dev.spur.model.validation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.PlanFixture.plan;
import static dev.spur.model.PreparationFixture.preparation;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the judge asks of parts of the hosts that are granted beside what jobs state. */
class HostGrantRulesTest {
    private static final HostGrant LITTLE = new HostGrant(1, 8);
    private static final HostGrant MUCH = new HostGrant(6, 8);

    /** States 3 CPUs and 8 GiB a slot. */
    private static JobFixture sensitive(String id) {
        return job(id).slots(2)
                .host(3, 8)
                .levels(new HostLevel(1, 8, 0.5), new HostLevel(3, 8, 1), new HostLevel(6, 8, 1.5));
    }

    private static Allocation on(String node, int first, HostGrant granted) {
        return allocation(1000, piece(node, first, 2)).withHost(granted);
    }

    @Nested
    class HostsAreNotOversubscribed {
        @ParameterizedTest
        @CsvSource({"14, true", "13.999, false"})
        void whatIsGrantedCountsAndNotWhatIsStated(double cpus, boolean fits) {
            RoundProblem problem = problem()
                    .node(node("n1", 4).cpus(cpus))
                    .jobs(sensitive("a"), sensitive("b"))
                    .build();

            List<String> broken = plan(problem)
                    .run("a", on("n1", 0, MUCH))
                    .run("b", on("n1", 2, LITTLE))
                    .brokenRules();

            assertThat(broken.isEmpty()).isEqualTo(fits);
            assertThat(broken).isSubsetOf("hostsAreNotOversubscribed");
        }

        @Test
        void ofWhoMayNotBeTouchedThatCountsWhichItHeld() {
            RoundProblem shrunk = problem()
                    .node(node("n1", 4).cpus(8))
                    .jobs(sensitive("a").notPreemptible().holding(on("n1", 0, MUCH)))
                    .build();
            RoundProblem less = shrunk.withJobs(List.of(shrunk.jobs().get(0).withAllocation(on("n1", 0, LITTLE))));

            assertThat(plan(shrunk).run("a", on("n1", 0, MUCH)).brokenRules()).isEmpty();
            assertThat(plan(less).run("a", on("n1", 0, MUCH)).brokenRules())
                    .containsExactly("hostsAreNotOversubscribed");
        }

        @ParameterizedTest
        @CsvSource({"1, true", "6, false"})
        void aPreparationFindsOnlyWhatIsNotGranted(double cpusPerSlot, boolean fits) {
            RoundProblem problem = problem()
                    .node(node("n1", 4).cpus(12))
                    .jobs(sensitive("a"))
                    .preparations(preparation("p"))
                    .build();
            PreparationAllocation ofFour = new PreparationAllocation("n1", 4, 20, List.of(), 1000);
            PreparationPlan prepared = new PreparationPlan(
                    List.of(new PlannedPreparation("p", ofFour, 1, 0, "")),
                    List.of(),
                    SolutionQuality.of(SolveStatus.OPTIMAL, 0, 0, 0));
            Allocation granted = on("n1", 0, new HostGrant(cpusPerSlot, 8));

            List<String> broken =
                    PreparationsCheck.violations(new ProblemIndex(problem), Map.of("a", granted), prepared).stream()
                            .map(Violation::rule)
                            .toList();

            assertThat(!broken.contains("hostsAreNotOversubscribed")).isEqualTo(fits);
        }
    }

    @Nested
    class TheJobCanUseWhatItIsGranted {
        private final RoundProblem waiting = problem()
                .nodes(4)
                .jobs(sensitive("a"), job("b").slots(2).host(3, 8))
                .build();

        @Test
        void eachOfItsLevelsIsFine() {
            for (HostGrant granted : List.of(LITTLE, new HostGrant(3, 8), MUCH)) {
                assertThat(plan(waiting).run("a", on("n1", 0, granted)).brokenRules())
                        .isEmpty();
            }
        }

        @Test
        void whatIsNoLevelIsNot() {
            assertThat(plan(waiting).run("a", on("n1", 0, new HostGrant(2, 8))).brokenRules())
                    .contains("hostGrantIsASensitivityLevel");
        }

        @Test
        void aJobThatStatesNoSensitivityIsGrantedNothing() {
            assertThat(plan(waiting).run("b", on("n1", 0, new HostGrant(3, 8))).brokenRules())
                    .contains("hostGrantIsASensitivityLevel");
        }

        @Test
        void whoMayNotBeTouchedMayBeGrantedAnotherLevelAndNothingElse() {
            RoundProblem pinned = problem()
                    .nodes(4)
                    .jobs(sensitive("a").notPreemptible().holding(on("n1", 0, LITTLE)))
                    .build();

            assertThat(plan(pinned).run("a", on("n1", 0, MUCH)).brokenRules()).isEmpty();
            assertThat(plan(pinned).run("a", on("n1", 0, new HostGrant(2, 8))).brokenRules())
                    .containsExactly("hostGrantIsASensitivityLevel");
        }

        @Test
        void whoMayNotBeTouchedKeepsWhatIsNoLevelAnyMore() {
            RoundProblem pinned = problem()
                    .nodes(4)
                    .jobs(sensitive("a").notPreemptible().holding(on("n1", 0, new HostGrant(2, 8))))
                    .build();

            assertThat(plan(pinned).run("a", on("n1", 0, new HostGrant(2, 8))).brokenRules())
                    .isEmpty();
        }
    }
}
