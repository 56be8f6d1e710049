package dev.spur.model.round.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.Problems;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.Piece;
import dev.spur.model.check.Violation;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.json.RoundJson;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.tenant.Quota;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChangesTest {
    private static final Job RUNNING = Problems.job("runs", 1, 4)
            .withAllocation(new Allocation(
                    new Configuration("main", "A100", List.of(2), SyncStrategy.ALL_REDUCE, 0, 64, 0),
                    List.of(new Piece("n1", List.of("d0", "d1"))),
                    List.of(),
                    100));
    private static final RoundProblem PROBLEM = Problems.problem(
                    List.of(Problems.node("n1", 4), Problems.node("n2", 4)),
                    List.of(RUNNING, Problems.job("waits", 1, 4)))
            .withGroups(List.of(new JobGroup("search", "root", 4, null)));

    static List<Change> oneOfEachKind() {
        return List.of(
                new AddNodes(List.of(Problems.node("n3", 8))),
                new RemoveNodes(List.of("n1")),
                new SetNodeState("n1", NodeState.DRAINING),
                new AddJob("new", "root", Problems.spec(1, 2), null),
                new RemoveJob("waits"),
                new ReleaseHold("held"),
                new SetWeight("waits", 4),
                new SetPriority("waits", 2),
                new SetElasticity("waits", 2, 8),
                new SetQuota("root", "A100", new Quota(3, null, null)),
                new SetGroup("search", 8, 2),
                new SetObjective(Objective.of(ObjectiveKind.PROGRESS)),
                new SetBudget(0, SolveBudget.DEFAULT));
    }

    @ParameterizedTest
    @MethodSource("oneOfEachKind")
    void everyChangeIsReadAsItIsWritten(Change change) {
        String json = RoundJson.mapper().writerFor(Change.class).writeValueAsString(change);

        assertThat(RoundJson.mapper().readValue(json, Change.class)).isEqualTo(change);
        assertThat(json).startsWith("{\"change\":\"");
    }

    @ParameterizedTest
    @MethodSource("oneOfEachKind")
    void everyChangeChangesTheProblemAndLeavesTheOldOneAlone(Change change) {
        String before = RoundJson.write(PROBLEM);

        RoundProblem after = change.applyTo(PROBLEM, List.of(Problems.job("held", 1, 1)));

        assertThat(after).isNotEqualTo(PROBLEM);
        assertThat(RoundJson.write(PROBLEM)).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("oneOfEachKind")
    void everyChangeCanBeSaid(Change change) {
        assertThat(change.words()).isNotBlank();
    }

    @Nested
    class JobsStop {
        @Test
        void whenTheirNodeIsRemoved() {
            assertRunningStopped(new RemoveNodes(List.of("n1")));
        }

        @Test
        void whenTheirNodeIsLost() {
            assertRunningStopped(new SetNodeState("n1", NodeState.LOST));
        }

        @Test
        void butNotWhenTheirNodeDrains() {
            assertThat(job(new SetNodeState("n1", NodeState.DRAINING).applyTo(PROBLEM, List.of()), "runs"))
                    .isEqualTo(RUNNING);
        }

        private void assertRunningStopped(Change change) {
            Job job = job(change.applyTo(PROBLEM, List.of()), "runs");

            assertThat(job.allocation()).isNull();
            assertThat(job.history().waitingSince()).isEqualTo(PROBLEM.now());
        }
    }

    @Test
    void everyMisfitIsToldWithItsPlace() {
        Changes.Applied applied = Changes.apply(
                PROBLEM,
                List.of(),
                List.of(
                        new SetWeight("nobody", 2),
                        new SetWeight("waits", 2),
                        new RemoveNodes(List.of("n9")),
                        new AddNodes(List.of(Problems.node("n1", 1))),
                        new ReleaseHold("waits"),
                        new SetQuota("nobody", "A100", null),
                        new AddJob("waits", "root", Problems.spec(1, 1), null)));

        assertThat(applied.misfits())
                .extracting(Violation::subject)
                .containsExactly("/changes/0", "/changes/2", "/changes/3", "/changes/4", "/changes/5", "/changes/6");
        assertThat(job(applied.problem(), "waits").spec().weight()).isEqualTo(2);
    }

    private static Job job(RoundProblem problem, String id) {
        return problem.jobs().stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
