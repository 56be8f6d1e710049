package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.NodePreference;
import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.cluster.NodeRequirement.Operator;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two nodes of two slots in each of the racks r1 and r2; the first job prefers rack r2. */
class NodePreferenceTest {
    private static final NodePreference R2 =
            new NodePreference(List.of(new NodeRequirement("spur/rack", Operator.IN, List.of("r2"))), null);

    private static NodeFixture[] nodes() {
        return new NodeFixture[] {
            node("n1", 2).rack("r1"),
            node("n2", 2).rack("r1"),
            node("n3", 2).rack("r2"),
            node("n4", 2).rack("r2")
        };
    }

    private static RoundProblem round(ObjectiveKind kind, JobFixture... jobs) {
        ProblemFixture whole = problem().objective(kind).jobs(jobs);
        for (NodeFixture each : nodes()) {
            whole.node(each);
        }
        RoundProblem built = whole.build();
        return built.withJobs(built.jobs().stream()
                .map(each -> each.id().equals("a")
                        ? each.withSpec(each.spec()
                                .edit()
                                .elasticity(each.spec().elasticity().withPreferredNodes(R2))
                                .build())
                        : each)
                .toList());
    }

    private static PlannedJob a(RoundProblem round) {
        RoundPlan plan = Policies.spur().plan(round);
        assertThat(PlanCheck.violations(round, plan)).isEmpty();
        return plan.running().stream()
                .filter(planned -> planned.jobId().equals("a"))
                .findAny()
                .orElseThrow();
    }

    private static List<String> nodesOf(PlannedJob planned) {
        return planned.allocation().placement().stream()
                .map(NodeShare::node)
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @EnumSource(value = ObjectiveKind.class, mode = EnumSource.Mode.EXCLUDE, names = "PROFIT")
    void aJobStartsOnNodesThatItPrefers(ObjectiveKind kind) {
        PlannedJob planned = a(round(kind, job("a").slots(4)));

        assertThat(nodesOf(planned)).containsExactly("n3", "n4");
        assertThat(planned.message()).doesNotContain("prefer");
    }

    @Test
    void aJobStartsElsewhereAtALowerUtilityWhileOthersHoldThem() {
        JobFixture holder = job("b").slots(2).notPreemptible().holding(allocation(1000, piece("n3", 0, 2)));

        PlannedJob planned = a(round(ObjectiveKind.PROGRESS, job("a").slots(4), holder));
        PlannedJob preferred = a(round(ObjectiveKind.PROGRESS, job("a").slots(4)));

        assertThat(planned.utility()).isCloseTo(0.95 * preferred.utility(), within(1e-9));
        assertThat(planned.message())
                .endsWith(
                        " It does not prefer all of its nodes (spur/rack in (r2)), which lowers its utility by 5.0 %.");
    }

    @ParameterizedTest
    @EnumSource(value = ObjectiveKind.class, mode = EnumSource.Mode.EXCLUDE, names = "PROFIT")
    void aRunningJobIsNotMovedForAPreferenceWhateverItsStall(ObjectiveKind kind) {
        JobFixture running =
                job("a").slots(2).restartPenalty(0).minRun(0).holding(allocation(-100_000, piece("n1", 0, 2)));

        PlannedJob planned = a(round(kind, running));

        assertThat(nodesOf(planned)).containsExactly("n1");
        assertThat(planned.message())
                .endsWith(" It is not moved to the nodes that it prefers (spur/rack in (r2)), because it runs.");
    }

    @Test
    void anotherJobLeavesThePreferredNodes() {
        PlannedJob planned =
                a(round(ObjectiveKind.COMPLETION_TIME, job("b").slots(2), job("c").slots(2), job("a").slots(4)));

        assertThat(nodesOf(planned)).containsExactly("n3", "n4");
    }
}
