package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.Problems;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.PlannedJob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What operators do to a running cluster, and what its jobs do then. Rounds come every 60 s. */
class ScenariosTest {
    private static List<String> nodesOf(ClusterSimulation world, String job) {
        return world.job(job).allocation().placement().stream()
                .map(NodeShare::node)
                .toList();
    }

    private static ChangeKind change(ClusterSimulation world, String job) {
        return world.plan().running().stream()
                .filter(runningJob -> runningJob.jobId().equals(job))
                .map(PlannedJob::change)
                .findFirst()
                .orElse(ChangeKind.PREEMPT);
    }

    private static void set(ClusterSimulation world, String node, NodeState state) {
        world.changeNodes(other -> other.id().equals(node) ? other.withState(state) : other);
    }

    @Test
    void jobsLeaveADrainingNodeAndStayOnACordonedOne() {
        ClusterSimulation world = new ClusterSimulation(
                problem()
                        .nodes(4, 4, 4)
                        .jobs(job("a").slots(2).on("n1", 2), job("b").slots(2).on("n2", 2))
                        .build(),
                60);

        set(world, "n1", NodeState.DRAINING);
        set(world, "n2", NodeState.CORDONED);
        world.round();

        assertThat(change(world, "a")).isEqualTo(ChangeKind.MOVE);
        assertThat(nodesOf(world, "a")).containsExactly("n3");
        assertThat(change(world, "b")).isEqualTo(ChangeKind.KEEP);
    }

    @Test
    void aDrainingNodeEmptiesWhenItsLastJobMayBeTouched() {
        ClusterSimulation world = new ClusterSimulation(
                problem()
                        .nodes(4, 4)
                        .jobs(
                                job("stays").notPreemptible().work(100 * 150).on("n1", 0, 1),
                                job("protected").minRun(1100).on("n1", 1, 1))
                        .build(),
                60);
        set(world, "n1", NodeState.DRAINING);

        world.round();
        assertThat(nodesOf(world, "stays")).containsExactly("n1");
        assertThat(nodesOf(world, "protected")).containsExactly("n1");
        world.rounds(2);

        assertThat(world.hasEnded("stays")).isTrue();
        assertThat(nodesOf(world, "protected")).containsExactly("n2");
    }

    @Test
    void jobsOfALostNodeStartAgainElsewhere() {
        ClusterSimulation world = new ClusterSimulation(
                problem()
                        .nodes(4, 4)
                        .jobs(
                                job("a").slots(4).on("n1", 4),
                                job("b").slots(2).weight(9).on("n2", 2))
                        .build(),
                60);
        world.round();

        set(world, "n1", NodeState.LOST);
        world.change(NodeLossHandling::stopJobs);
        world.round();

        assertThat(world.runs("a")).as("4 slots beside 2 of b do not fit on n2").isFalse();
        assertThat(change(world, "b")).isEqualTo(ChangeKind.KEEP);
        set(world, "n1", NodeState.ACTIVE);
        world.round();
        assertThat(change(world, "a")).isEqualTo(ChangeKind.START);
        assertThat(world.job("a").history().restarts()).isEqualTo(1);
    }

    @Test
    void aNewNodeLetsAWaitingJobStartAtOnce() {
        ClusterSimulation world = new ClusterSimulation(
                problem()
                        .nodes(2)
                        .jobs(job("a").slots(2).weight(9), job("b").slots(2))
                        .build(),
                60);
        world.round();
        assertThat(world.runs("b")).isFalse();

        world.change(before -> {
            List<Node> more = new ArrayList<>(before.nodes());
            more.add(Problems.node("n2", 2));
            return before.withNodes(more);
        });
        world.round();

        assertThat(nodesOf(world, "b")).containsExactly("n2");
        assertThat(change(world, "a")).isEqualTo(ChangeKind.KEEP);
    }

    @Test
    void aReservationMakesRoomForItsTenantAndEnds() {
        ClusterSimulation world = new ClusterSimulation(
                problem()
                        .nodes(4)
                        .tenant("x", "root", null)
                        .reservation(new Reservation("r", List.of("n1"), "x", 1060, 1180))
                        .jobs(
                                job("a").slots(4).on("n1", 4),
                                job("b").tenant("x").slots(2).weight(0.01))
                        .build(),
                60);

        world.round();
        assertThat(world.runs("a")).as("before it begins").isTrue();
        world.round();
        assertThat(world.runs("a")).isFalse();
        assertThat(world.runs("b")).isTrue();
        world.rounds(2);

        assertThat(world.runs("a")).as("after its end").isTrue();
    }

    @Test
    void aJobThatEndsMakesRoomForTheNext() {
        ClusterSimulation world = new ClusterSimulation(
                problem()
                        .nodes(2)
                        .jobs(
                                job("a").slots(2).work(200 * 90),
                                job("b").slots(2).work(1e7))
                        .build(),
                60);

        world.round();
        assertThat(world.runs("b")).isFalse();
        world.rounds(2);

        assertThat(world.end("a")).isEqualTo(1000 + 30 + 90);
        assertThat(world.runs("b")).isTrue();
    }

    @Test
    void jobsGrowIntoWhatIsLeftAndShrinkForOthers() {
        ClusterSimulation world = new ClusterSimulation(
                problem()
                        .nodes(4)
                        .job(job("a").slots(1, 4).speeds(100, 190, 260, 300).work(1e8))
                        .build(),
                60);
        world.round();
        assertThat(world.job("a").allocation().configuration().slots()).isEqualTo(4);

        world.submit(job("b").slots(2).weight(5));
        world.round();

        assertThat(change(world, "a")).isEqualTo(ChangeKind.SHRINK);
        assertThat(change(world, "b")).isEqualTo(ChangeKind.START);
    }

    @Test
    void noJobRestartsWithoutGain() {
        ClusterSimulation world = new ClusterSimulation(
                problem()
                        .nodes(4, 4)
                        .jobs(
                                job("a").slots(1, 4).speeds(100, 110, 112, 113).restartPenalty(300),
                                job("b").slots(2, 4).speeds(100, 200, 202, 203).restartPenalty(300))
                        .build(),
                60);
        world.rounds(8);

        assertThat(world.jobs()).allMatch(job -> job.history().restarts() == 0);
    }
}
