package dev.spur.solver.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NodeSizesTest {
    private static NodeSizes sizes(int... slots) {
        return NodeSizes.of(slots);
    }

    @Nested
    class Fill {
        @Test
        void takesTheLargestNodesFirst() {
            assertThat(sizes(8, 8, 7, 6, 3).fill(20, 8)).containsExactly(8, 8, 4);
            assertThat(sizes(8, 7, 8).fill(23, 8)).containsExactly(8, 8, 7);
            assertThat(sizes(8, 7, 8).fill(24, 8)).isEmpty();
        }

        @Test
        void skipsTheNodesAboveTheLimit() {
            assertThat(sizes(16, 4, 4, 4).fill(12, 8)).containsExactly(4, 4, 4);
            assertThat(sizes(16, 4, 4, 4).fill(13, 8)).isEmpty();
        }
    }

    @Nested
    class Even {
        @Test
        void differsByAtMostOneOnEqualNodes() {
            assertThat(sizes(4, 4, 4).even(7, 3)).containsExactly(3, 2, 2);
            assertThat(sizes(4, 4).even(7, 3)).isEmpty();
        }

        @Test
        void fillsTheNodesThatAreTooSmall() {
            assertThat(sizes(8, 4, 3).even(12, 3)).containsExactly(5, 4, 3);
            assertThat(sizes(8, 4, 3).even(16, 3)).isEmpty();
        }
    }

    @Nested
    class Tightest {
        @Test
        void leavesTheFewestSlotsOfItsNodesFree() {
            assertThat(sizes(8, 8, 7, 6, 3).tightest(20, 3)).containsExactly(8, 7, 5);
            assertThat(sizes(8, 8, 7, 6, 3).tightest(20, 2)).isEmpty();
        }

        @Test
        void needsAllOfItsNodes() {
            assertThat(sizes(8, 4, 4).tightest(8, 2)).containsExactly(4, 4);
            assertThat(sizes(8, 4, 4).tightest(8, 3)).isEmpty();
        }
    }

    @Test
    void changesOfNodesCountOnce() {
        NodeSizes changed = sizes(8, 3).with(new int[] {3}, new int[] {5});

        assertThat(changed.slots()).isEqualTo(13);
        assertThat(changed.descending()).containsExactly(8, 5);
    }

    /** A shape fits exactly if its pieces, in descending order, are at most the nodes in descending order. */
    @Test
    void holdsWhatFitsPieceByPiece() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            int[] slots = IntStream.range(0, 1 + random.nextInt(5))
                    .map(i -> random.nextInt(9))
                    .toArray();
            List<Integer> shape = new ArrayList<>(IntStream.range(0, 1 + random.nextInt(4))
                    .mapToObj(i -> 1 + random.nextInt(8))
                    .toList());
            shape.sort(Comparator.reverseOrder());
            List<Integer> sorted = Arrays.stream(slots)
                    .boxed()
                    .sorted(Comparator.reverseOrder())
                    .toList();
            boolean fits = shape.size() <= sorted.size()
                    && IntStream.range(0, shape.size()).allMatch(i -> shape.get(i) <= sorted.get(i));

            assertThat(sizes(slots).hold(shape)).as("seed %d", seed).isEqualTo(fits);
        }
    }
}
