package dev.spur.connectors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.Action;
import dev.spur.connectors.Action.Kind;
import dev.spur.connectors.Mark;
import dev.spur.connectors.Placement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import dev.spur.connectors.Words;
import dev.spur.connectors.engine.Desired.Want;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Room where the platform chooses the nodes: two of eight slots, unless said otherwise. */
class PoolRoomTest {
    private final List<PlatformNode> nodes = new ArrayList<>();
    private final List<PlatformJob> jobs = new ArrayList<>();
    private final Map<String, Want> wants = new LinkedHashMap<>();
    private boolean mayStop = true;

    private void node(String name, int used, Condition condition) {
        nodes.add(new PlatformNode(name, "gpu", "h200", 8, used, 0, 0, condition, List.of()));
    }

    private PlatformJob job(String id, State state, int slots, Map<String, Integer> held) {
        Placement asked = Placement.of(Map.of("gpu", slots));
        Mark mark = new Mark(1, state == State.HELD ? Placement.NONE : asked, Instant.EPOCH);
        PlatformJob job = new PlatformJob(
                id,
                id,
                "ann",
                "gpu",
                state,
                new Size(slots, 1),
                1,
                asked,
                Placement.of(held),
                0,
                Instant.EPOCH,
                Optional.empty(),
                Words.read("spur"),
                Optional.of(mark),
                Optional.empty());
        jobs.add(job);
        return job;
    }

    private void planned(String job, String node, int slots) {
        wants.put(job, new Want.Run(Placement.of(Map.of(node, slots))));
    }

    private PoolRoom room() {
        return new PoolRoom(Observation.of(nodes, jobs), new Desired(1, wants), stop -> mayStop);
    }

    private static Action start(String job, int slots) {
        return new Action(1, job, Kind.START, Placement.of(Map.of("gpu", slots)), 0);
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
            PoolRoom room = room();

            assertThat(room.has(start("a", 4), first)).isTrue();
            room.promise(start("a", 4), first);
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

        private PoolRoom scattered() {
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
            PoolRoom room = scattered();
            assertThat(room.has(start("large", 8), large)).isFalse();

            assertThat(room.makeWay(List.of(start("large", 8)), Observation.of(nodes, jobs)))
                    .contains(Action.stop(1, "b"));
        }

        @Test
        void areKeptForTheLargeOneMeanwhile() {
            PoolRoom room = scattered();
            assertThat(room.has(start("large", 8), large)).isFalse();

            assertThat(room.has(start("small", 1), small)).isFalse();
            assertThat(room.inOrder(List.of(start("small", 1), start("large", 8))))
                    .containsExactly(start("large", 8), start("small", 1));
        }

        @Test
        void stayScatteredWhenItHasStoppedOnceForThisPlan() {
            mayStop = false;
            PoolRoom room = scattered();

            assertThat(room.has(start("large", 8), large)).isFalse();
            assertThat(room.makeWay(List.of(start("large", 8)), Observation.of(nodes, jobs)))
                    .isEmpty();
            assertThat(room.has(start("small", 1), small)).isTrue();
        }
    }

    @Test
    void whatAJobGivesUpOnANodeThatTakesNoNewOnesIsNoRoom() {
        node("n1", 4, Condition.CLOSED);
        PlatformJob runs = job("a", State.RUNNING, 4, Map.of("n1", 4));

        assertThat(room().has(new Action(1, "a", Kind.SHRINK, Placement.of(Map.of("gpu", 2)), 0), runs))
                .isFalse();
    }

    @Test
    void whatAJobHoldsCountsForItself() {
        node("n1", 8, Condition.OPEN);
        node("n2", 4, Condition.OPEN);
        PlatformJob stays = job("a", State.RUNNING, 8, Map.of("n1", 8));
        PlatformJob grows = job("b", State.RUNNING, 4, Map.of("n2", 4));
        Action grow = new Action(1, "b", Kind.GROW, Placement.of(Map.of("gpu", 8)), 0);

        assertThat(room().has(grow, grows)).isTrue();
        assertThat(room().has(start("a", 8), stays)).isTrue();
    }
}
