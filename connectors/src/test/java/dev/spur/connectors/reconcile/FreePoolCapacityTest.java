package dev.spur.connectors.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Room where the platform chooses the nodes: two of eight slots, unless said otherwise. */
class FreePoolCapacityTest {
    private final List<PlatformNode> nodes = new ArrayList<>();
    private final List<PlatformJob> jobs = new ArrayList<>();
    private final Map<String, DesiredJob> wants = new LinkedHashMap<>();
    private boolean mayStop = true;

    private void node(String name, int used, Condition condition) {
        nodes.add(new PlatformNode(name, "gpu", "h200", 8, used, 0, 0, condition, List.of()));
    }

    private PlatformJob job(String id, State state, int slots, Map<String, Integer> held) {
        JobPlacement requested = JobPlacement.of(Map.of("gpu", slots));
        LastAppliedState mark =
                new LastAppliedState(1, state == State.HELD ? JobPlacement.NONE : requested, Instant.EPOCH);
        PlatformJob job = new PlatformJob(
                id,
                id,
                "ann",
                "gpu",
                state,
                new Size(slots, 1),
                1,
                requested,
                JobPlacement.of(held),
                0,
                Instant.EPOCH,
                Optional.empty(),
                JobAnnotation.read("spur"),
                Optional.of(mark),
                Optional.empty());
        jobs.add(job);
        return job;
    }

    private void planned(String job, String node, int slots) {
        wants.put(job, new DesiredJob.Run(JobPlacement.of(Map.of(node, slots))));
    }

    private FreePoolCapacity room() {
        return new FreePoolCapacity(PlatformObservation.of(nodes, jobs), new DesiredState(1, wants), stop -> mayStop);
    }

    private static JobAction start(String job, int slots) {
        return new JobAction(1, job, Kind.START, JobPlacement.of(Map.of("gpu", slots)), 0);
    }

    @Nested
    class OneNode {
        @Test
        void hasRoomForWhatItHasFree() {
            node("n1", 4, Condition.OPEN);
            PlatformJob waits = job("a", State.HELD, 4, Map.of());

            assertThat(room().has(start("a", 4), waits)).isTrue();
        }

        @Test
        void hasNoneForOneSlotMore() {
            node("n1", 4, Condition.OPEN);
            node("n2", 4, Condition.OPEN);
            PlatformJob waits = job("a", State.HELD, 5, Map.of());

            assertThat(room().has(start("a", 5), waits)).isFalse();
        }

        @Test
        void hasNoneIfItTakesNoNewOnes() {
            node("n1", 0, Condition.CLOSED);
            PlatformJob waits = job("a", State.HELD, 4, Map.of());

            assertThat(room().has(start("a", 4), waits)).isFalse();
        }

        @Test
        void hasNoneForWhatIsPromisedOrExpectedThere() {
            node("n1", 0, Condition.OPEN);
            PlatformJob first = job("a", State.HELD, 4, Map.of());
            job("b", State.WAITING, 4, Map.of());
            PlatformJob third = job("c", State.HELD, 1, Map.of());
            FreePoolCapacity room = room();

            assertThat(room.has(start("a", 4), first)).isTrue();
            room.reserve(start("a", 4), first);
            assertThat(room.has(start("c", 1), third)).isFalse();
        }
    }

    @Nested
    class SeveralNodes {
        @Test
        void haveRoomWhenTheyAreIdle() {
            node("n1", 0, Condition.OPEN);
            node("n2", 0, Condition.OPEN);
            PlatformJob waits = job("a", State.HELD, 16, Map.of());

            assertThat(room().has(start("a", 16), waits)).isTrue();
        }

        @Test
        void haveNoneWhenOneSlotIsTaken() {
            node("n1", 0, Condition.OPEN);
            node("n2", 1, Condition.OPEN);
            node("n3", 1, Condition.OPEN);
            PlatformJob waits = job("a", State.HELD, 16, Map.of());

            assertThat(room().has(start("a", 16), waits)).isFalse();
        }

        @Test
        void haveNoneForAPartOfANode() {
            node("n1", 0, Condition.OPEN);
            node("n2", 0, Condition.OPEN);
            PlatformJob waits = job("a", State.HELD, 12, Map.of());

            assertThat(room().has(start("a", 12), waits)).isFalse();
        }
    }

    /** Four slots are free on each node, and eight are wanted on one: the plan had b beside a. */
    @Nested
    class ScatteredSlots {
        private PlatformJob large;
        private PlatformJob small;

        private FreePoolCapacity scattered() {
            node("n1", 4, Condition.OPEN);
            node("n2", 4, Condition.OPEN);
            job("a", State.RUNNING, 4, Map.of("n1", 4));
            job("b", State.RUNNING, 4, Map.of("n2", 4));
            large = job("large", State.HELD, 8, Map.of());
            small = job("small", State.HELD, 1, Map.of());
            planned("a", "n1", 4);
            planned("b", "n1", 4);
            planned("large", "n2", 8);
            return room();
        }

        @Test
        void areGatheredByOneThatRunsElsewhereThanPlanned() {
            FreePoolCapacity room = scattered();
            assertThat(room.has(start("large", 8), large)).isFalse();

            assertThat(room.stopForDefragmentation(List.of(start("large", 8)), PlatformObservation.of(nodes, jobs)))
                    .contains(JobAction.stop(1, "b"));
        }

        @Test
        void areKeptForTheLargeOneMeanwhile() {
            FreePoolCapacity room = scattered();
            assertThat(room.has(start("large", 8), large)).isFalse();

            assertThat(room.has(start("small", 1), small)).isFalse();
            assertThat(room.inOrder(List.of(start("small", 1), start("large", 8))))
                    .containsExactly(start("large", 8), start("small", 1));
        }

        @Test
        void stayScatteredWhenItHasStoppedOnceForThisPlan() {
            mayStop = false;
            FreePoolCapacity room = scattered();

            assertThat(room.has(start("large", 8), large)).isFalse();
            assertThat(room.stopForDefragmentation(List.of(start("large", 8)), PlatformObservation.of(nodes, jobs)))
                    .isEmpty();
            assertThat(room.has(start("small", 1), small)).isTrue();
        }
    }

    @Test
    void whatAJobGivesUpOnANodeThatTakesNoNewOnesIsNoRoom() {
        node("n1", 4, Condition.CLOSED);
        PlatformJob runs = job("a", State.RUNNING, 4, Map.of("n1", 4));

        assertThat(room().has(new JobAction(1, "a", Kind.SHRINK, JobPlacement.of(Map.of("gpu", 2)), 0), runs))
                .isFalse();
    }

    @Test
    void whatAJobHoldsCountsForItself() {
        node("n1", 8, Condition.OPEN);
        node("n2", 4, Condition.OPEN);
        PlatformJob stays = job("a", State.RUNNING, 8, Map.of("n1", 8));
        PlatformJob grows = job("b", State.RUNNING, 4, Map.of("n2", 4));
        JobAction grow = new JobAction(1, "b", Kind.GROW, JobPlacement.of(Map.of("gpu", 8)), 0);

        assertThat(room().has(grow, grows)).isTrue();
        assertThat(room().has(start("a", 8), stays)).isTrue();
    }
}
