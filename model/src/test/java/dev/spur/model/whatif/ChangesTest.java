package dev.spur.model.whatif;

import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.PreparationFixture.preparation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.Problems;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.json.RoundJson;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.model.validation.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChangesTest {
    private static final Job RUNNING = Problems.job("runs", 1, 4)
            .withAllocation(new Allocation(
                    new Configuration("main", "A100", List.of(2), SyncStrategy.ALL_REDUCE, 0, 64, 0),
                    List.of(new NodeShare("n1", List.of("d0", "d1"))),
                    List.of(),
                    100));
    private static final RoundProblem PROBLEM = Problems.problem(
                    List.of(Problems.node("n1", 4), Problems.node("n2", 4)),
                    List.of(RUNNING, Problems.job("waits", 1, 4)))
            .withTenants(List.of(new Tenant("root", null, 1, Map.of()), new Tenant("team", "root", 1, Map.of())))
            .withGroups(List.of(new JobGroup("search", "root", 4, null), new JobGroup("below", "team", 4, null)))
            .withPreparations(List.of(preparation("data").build()))
            .withReservations(List.of(new Reservation("kept", List.of("n1"), "root", 0, 9e9)))
            .withMaintenance(List.of(new MaintenanceWindow("works", List.of("n1"), 5000, 6000, 300)));
    private static final WithheldJobs HELD = new WithheldJobs(
            List.of(Problems.job("held", 1, 1)),
            List.of(preparation("held-data").build()));

    static List<Change> oneOfEachKind() {
        return List.of(
                new AddNodes(List.of(Problems.node("n3", 8))),
                new RemoveNodes(List.of("n1")),
                new SetNodeState("n1", NodeState.DRAINING),
                new AddJob("new", "root", Problems.spec(1, 2), null),
                new RemoveJob("waits"),
                new ReleaseHold("held"),
                new AddPreparation("more", "root", preparation("like").build().spec()),
                new RemoveJob("data"),
                new ReleaseHold("held-data"),
                new SetReservation("kept", List.of("n2"), "root", 10.0, null, "waits", 60.0, null),
                new SetReservation(
                        "more", List.of(), null, null, 9e9, null, null, new Reservation.Slots("main", "A100", 4)),
                new RemoveReservation("kept"),
                new SetMaintenance("works", List.of("n2"), null, 5000, 6000, 300),
                new SetMaintenance("more", List.of(), "main", 7000, 8000, 300),
                new RemoveMaintenance("works"),
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

        RoundProblem after = change.applyTo(PROBLEM, HELD);

        assertThat(after).isNotEqualTo(PROBLEM);
        assertThat(RoundJson.write(PROBLEM)).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("oneOfEachKind")
    void everyChangeCanBeSaid(Change change) {
        assertThat(change.describe()).isNotBlank();
    }

    @Test
    void addedNodesAreDescribedByWhatTheyHave() {
        assertThat(new AddNodes(List.of(
                                node("n3", 2).aggregation(0).build(),
                                node("n4", 1).build(),
                                node("n5", 0).aggregation(0).build()))
                        .describe())
                .isEqualTo("add node n3 with 2 slots of type A100 in pool main,"
                        + " node n4 with 1 slot of type A100 and 8.0 aggregation slots in pool main,"
                        + " node n5 without slots in pool main");
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
            assertThat(job(new SetNodeState("n1", NodeState.DRAINING).applyTo(PROBLEM, WithheldJobs.NOTHING), "runs"))
                    .isEqualTo(RUNNING);
        }

        private void assertRunningStopped(Change change) {
            Job job = job(change.applyTo(PROBLEM, WithheldJobs.NOTHING), "runs");

            assertThat(job.allocation()).isNull();
            assertThat(job.history().waitingSince()).isEqualTo(PROBLEM.now());
        }
    }

    @Nested
    class WhatGoes {
        @Test
        void takesWhatIsSaidOfItAlong() {
            RoundProblem without = new RemoveNodes(List.of("n1")).applyTo(PROBLEM, WithheldJobs.NOTHING);

            assertThat(without.reservations()).isEmpty();
            assertThat(without.maintenance()).isEmpty();
            assertThat(ProblemCheck.violations(without)).isEmpty();
        }

        @Test
        void isNoReasonToKeepNodesForIt() {
            RoundProblem retained = PROBLEM.withReservations(
                    List.of(new Reservation("r", List.of("n1", "n2"), "root", null, null, "waits", null)));

            assertThat(new RemoveJob("waits")
                            .applyTo(retained, WithheldJobs.NOTHING)
                            .reservations())
                    .isEmpty();
            assertThat(new RemoveJob("runs")
                            .applyTo(retained, WithheldJobs.NOTHING)
                            .reservations())
                    .hasSize(1);
            assertThat(new RemoveNodes(List.of("n1"))
                            .applyTo(retained, WithheldJobs.NOTHING)
                            .reservations())
                    .singleElement()
                    .satisfies(rest -> assertThat(rest.nodes()).containsExactly("n2"));
        }
    }

    @Test
    void everyErrorIsReportedWithItsPointer() {
        Changes.Applied applied = Changes.apply(
                PROBLEM,
                HELD,
                List.of(
                        new SetWeight("nobody", 2),
                        new SetWeight("waits", 2),
                        new RemoveNodes(List.of("n1", "n8", "n9")),
                        new AddNodes(List.of(Problems.node("n1", 1))),
                        new ReleaseHold("waits"),
                        new SetQuota("nobody", "A100", null),
                        new AddJob("waits", "nobody", Problems.spec(1, 1), null),
                        new SetWeight("held", 2),
                        new SetGroup("nobody", 1, 1),
                        new SetNodeState("n9", NodeState.LOST),
                        new AddJob("data", "root", Problems.spec(1, 1), null),
                        new RemoveJob("nobody"),
                        new AddNodes(List.of(
                                new Node("n4", "nowhere", null, "X1", List.of("d"), 1, 1, 0, 0, NodeState.ACTIVE))),
                        new SetQuota("root", "X1", null),
                        inGroup("root", "none"),
                        inGroup("root", "below"),
                        inGroup("team", "below"),
                        inGroup("team", "search")));

        assertThat(applied.violations())
                .extracting(Violation::subject)
                .containsExactly(
                        "/changes/0/job",
                        "/changes/2/nodes/1",
                        "/changes/2/nodes/2",
                        "/changes/3/nodes/0/id",
                        "/changes/4/job",
                        "/changes/5/tenant",
                        "/changes/6/job",
                        "/changes/6/tenant",
                        "/changes/7/job",
                        "/changes/8/group",
                        "/changes/9/node",
                        "/changes/10/job",
                        "/changes/11/job",
                        "/changes/12/nodes/0/pool",
                        "/changes/12/nodes/0/acceleratorType",
                        "/changes/13/acceleratorType",
                        "/changes/14/spec/group",
                        "/changes/15/spec/group");
        assertThat(applied.violations())
                .extracting(Violation::message)
                .contains(
                        "job nobody does not exist or has ended",
                        "node n8 does not exist",
                        "job held is withheld from scheduling; release it first",
                        "preparation data already exists");
        assertThat(job(applied.problem(), "waits").spec().weight()).isEqualTo(2);
    }

    private static AddJob inGroup(String tenant, String group) {
        return new AddJob(
                tenant + " in " + group,
                tenant,
                Problems.spec(1, 1).edit().group(group).build(),
                null);
    }

    private static Job job(RoundProblem problem, String id) {
        return problem.jobs().stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
