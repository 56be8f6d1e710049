package dev.spur.solver.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.HostDemand;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MaximalPatternsTest {
    private static final int MAX = 10_000;

    @Test
    void theyAreTheWaysToCutThatLeaveNoRoomForAnotherPiece() {
        assertThat(MaximalPatterns.of(bare(9), kinds(3, 5), MAX))
                .containsExactlyInAnyOrder(new int[] {3, 0}, new int[] {1, 1});
    }

    @Test
    void theyAreTheLargestOfAllWaysToCut() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            ResidualNode node = new ResidualNode(random.nextInt(13), random.nextInt(40), random.nextInt(40), 0);
            List<NodeShareKind> kinds = IntStream.rangeClosed(0, random.nextInt(4))
                    .mapToObj(k -> new NodeShareKind(
                            1 + random.nextInt(6), new HostDemand(random.nextInt(5), random.nextInt(9) / 2.0)))
                    .distinct()
                    .toList();
            List<int[]> ways = allWays(node, kinds);

            assertThat(MaximalPatterns.of(node, kinds, MAX))
                    .as("seed %d", seed)
                    .containsExactlyInAnyOrder(ways.stream()
                            .filter(way -> ways.stream().noneMatch(other -> isLess(way, other)))
                            .toArray(int[][]::new));
        }
    }

    @Test
    void aHostHoldsPiecesThatNeedExactlyItsCpus() {
        NodeShareKind third = new NodeShareKind(1, new HostDemand(1.0 / 3, 0));

        assertThat(MaximalPatterns.of(new ResidualNode(9, 3, 0, 0), List.of(third), MAX))
                .containsExactly(new int[] {9});
        assertThat(MaximalPatterns.of(new ResidualNode(9, 2.999, 0, 0), List.of(third), MAX))
                .containsExactly(new int[] {8});
    }

    @Test
    void theSearchGivesUpBeyondTheLimit() {
        assertThat(MaximalPatterns.of(bare(9), kinds(3, 5), 2)).hasSize(2);
        assertThat(MaximalPatterns.of(bare(9), kinds(3, 5), 1)).isEmpty();
    }

    /** As many kinds as jobs with requirements of their own bring. */
    @Test
    void manyKindsNeedNoDeepRecursion() {
        List<NodeShareKind> kinds = IntStream.range(0, 20_000)
                .mapToObj(k -> new NodeShareKind(1, new HostDemand(k, 0)))
                .toList();

        assertThat(MaximalPatterns.of(new ResidualNode(2, 1e9, 0, 0), kinds, 50))
                .isEmpty();
    }

    private static ResidualNode bare(int slots) {
        return new ResidualNode(slots, 0, 0, 0);
    }

    private static List<NodeShareKind> kinds(int... sizes) {
        return IntStream.of(sizes)
                .mapToObj(size -> new NodeShareKind(size, HostDemand.NONE))
                .toList();
    }

    /** Returns whether {@code other} has all pieces of {@code way} and more. */
    private static boolean isLess(int[] way, int[] other) {
        return way != other && IntStream.range(0, way.length).allMatch(k -> way[k] <= other[k]);
    }

    private static List<int[]> allWays(ResidualNode node, List<NodeShareKind> kinds) {
        List<int[]> ways = new ArrayList<>(List.of(new int[kinds.size()]));
        for (int k = 0; k < kinds.size(); k++) {
            for (int[] way : List.copyOf(ways)) {
                int[] more = way.clone();
                for (more[k]++; fits(more, node, kinds); more[k]++) {
                    ways.add(more.clone());
                }
            }
        }
        return ways;
    }

    private static boolean fits(int[] way, ResidualNode node, List<NodeShareKind> kinds) {
        int slots = 0;
        double cpus = 0;
        double memory = 0;
        for (int k = 0; k < way.length; k++) {
            int taken = way[k] * kinds.get(k).size();
            slots += taken;
            cpus += taken * kinds.get(k).demand().cpusPerSlot();
            memory += taken * kinds.get(k).demand().memoryGiBPerSlot();
        }
        return slots <= node.slots() && cpus <= node.cpus() && memory <= node.memoryGiB();
    }
}
