package dev.spur.policies.pop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Job;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PopTest {
    @Test
    void partsMakeAPlanThatTheJudgePassesAndTheBoundHolds() {
        for (long seed = 0; seed < 15; seed++) {
            RoundProblem problem =
                    RandomProblems.inOneClass(RandomProblems.withoutObligations(RandomProblems.problem(seed, 24, 40)));
            double bound = Policies.spur().plan(problem).quality().bestBound();
            for (int parts : List.of(1, 2, 4)) {
                RoundPlan plan = new Pop(Policies.spur(), parts).plan(problem);

                String context = "seed %d, %d parts".formatted(seed, parts);
                assertThat(PlanCheck.violations(problem, plan)).as(context).isEmpty();
                assertThat(plan.quality().objectiveValue())
                        .as(context)
                        .isLessThanOrEqualTo(bound + 1e-6 * Math.abs(bound));
            }
        }
    }

    @ParameterizedTest(name = "{0} parts")
    @ValueSource(ints = {2, 4})
    void partsKeepToTheCapsOfGroupsTogether(int parts) {
        Policy pop = new Pop(Policies.spur(), parts);
        for (long seed = 0; seed < 15; seed++) {
            RoundProblem problem = GroupedProblems.problem(seed, 24, 40);

            assertThat(PlanCheck.violations(problem, pop.plan(problem)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void partsRespectMaintenance() {
        Policy pop = new Pop(Policies.spur(), 2);
        for (long seed = 0; seed < 80; seed++) {
            RoundProblem problem = RandomProblems.maintained(seed, 6, 10);

            assertThat(PlanCheck.violations(problem, pop.plan(problem)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void onePartIsTheWhole() {
        RoundProblem problem = RandomProblems.withoutObligations(RandomProblems.problem(3, 12, 20));

        RoundPlan plan = new Pop(Policies.spur(), 1).plan(problem);

        double whole = Policies.spur().plan(problem).quality().objectiveValue();
        assertThat(plan.quality().objectiveValue()).isCloseTo(whole, within(1e-6 * Math.max(1, whole)));
    }

    /** Whoever has to leave a node that drains is no restart that the limit forbids. */
    @Test
    void onePartIsTheWholeWhereNodesDrainAndNoRestartIsAllowed() {
        for (long seed = 0; seed < 10; seed++) {
            RoundProblem given = RandomProblems.withoutObligations(RandomProblems.problem(seed, 12, 20));
            RoundProblem problem = given.withNodes(given.nodes().stream()
                            .map(node -> node.slots() % 4 == 0 ? node.withState(NodeState.DRAINING) : node)
                            .toList())
                    .withSettings(given.settings().withMaxRestarts(0));

            double whole = Policies.spur().plan(problem).quality().objectiveValue();

            assertThat(new Pop(Policies.spur(), 1).plan(problem).quality().objectiveValue())
                    .as("seed %d", seed)
                    .isCloseTo(whole, within(1e-6 * Math.max(1, whole)));
        }
    }

    @Test
    void hasANameOfItsOwn() {
        assertThat(new Pop(Policies.greedy(), 4).name()).isEqualTo("pop4-greedy");
    }

    @Test
    void refusesNoParts() {
        assertThatThrownBy(() -> new Pop(Policies.greedy(), 0)).hasMessageContaining("parts (0)");
    }

    @Nested
    class ThePartsTogether {
        private static final int COUNT = 3;

        @ParameterizedTest(name = "seed {0}")
        @ValueSource(longs = {1, 2, 3, 4, 5})
        void areTheWhole(long seed) {
            RoundProblem whole = RandomProblems.problem(seed, 30, 60);

            List<RoundProblem> parts = PopParts.of(whole, COUNT);

            assertThat(parts)
                    .hasSize(COUNT)
                    .allMatch(part -> ProblemCheck.violations(part).isEmpty());
            assertThat(parts.stream().flatMap(part -> part.jobs().stream()).map(Job::id))
                    .containsExactlyInAnyOrderElementsOf(
                            whole.jobs().stream().map(Job::id).toList());
            assertThat(sum(parts, Node::slots)).isEqualTo(sum(List.of(whole), Node::slots));
            assertThat(sum(parts, Node::aggregationSlots))
                    .isCloseTo(sum(List.of(whole), Node::aggregationSlots), within(1e-9));
            for (Tenant tenant : whole.tenants()) {
                tenant.quotas()
                        .forEach((type, quota) ->
                                assertThat(nominal(parts, tenant, type)).isEqualTo(quota.nominal()));
            }
        }

        @ParameterizedTest(name = "seed {0}")
        @ValueSource(longs = {1, 2, 3, 4, 5})
        void leavePinnedJobsWhereTheyAre(long seed) {
            RoundProblem whole = RandomProblems.problem(seed, 30, 60);

            List<RoundProblem> parts = PopParts.of(whole, COUNT);

            List<Job> pinned =
                    whole.jobs().stream().filter(JobPins.of(whole)::isPinned).toList();
            assertThat(parts.stream().flatMap(part -> part.jobs().stream())).containsAll(pinned);
        }

        private static double sum(List<RoundProblem> problems, ToDoubleFunction<Node> amount) {
            return nodes(problems).mapToDouble(amount).sum();
        }

        private static Stream<Node> nodes(List<RoundProblem> problems) {
            return problems.stream().flatMap(problem -> problem.nodes().stream());
        }

        private static int nominal(List<RoundProblem> parts, Tenant tenant, String type) {
            return parts.stream()
                    .flatMap(part -> part.tenants().stream())
                    .filter(own -> own.name().equals(tenant.name()))
                    .map(own -> Objects.requireNonNull(own.quotas().get(type)))
                    .mapToInt(Quota::nominal)
                    .sum();
        }
    }
}
