package dev.spur.solver.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MaximalPatternsTest {
    @Test
    void theyAreTheWaysToCutThatLeaveNoRoomForAnotherPiece() {
        assertThat(MaximalPatterns.maximal(9, new int[] {3, 5}, 100))
                .containsExactlyInAnyOrder(new int[] {3, 0}, new int[] {1, 1});
    }

    @Test
    void everyWayToCutIsWithinOneOfThem() {
        for (int[] sizes : new int[][] {{1}, {2, 3}, {3, 5}, {2, 5, 7}, {3, 4, 6, 9}}) {
            for (int free = 1; free <= 20; free++) {
                List<int[]> maximal = MaximalPatterns.maximal(free, sizes, 1000);
                for (int[] way : allWays(free, sizes)) {
                    assertThat(maximal.stream().anyMatch(pattern -> isWithin(way, pattern)))
                            .as("%s of %s in %d", Arrays.toString(way), Arrays.toString(sizes), free)
                            .isTrue();
                }
                assertThat(maximal).allMatch(pattern -> used(pattern, sizes) <= 20);
            }
        }
    }

    @Test
    void theSearchGivesUpBeyondTheLimit() {
        assertThat(MaximalPatterns.maximal(9, new int[] {3, 5}, 2)).hasSize(2);
        assertThat(MaximalPatterns.maximal(9, new int[] {3, 5}, 1)).isEmpty();
    }

    private static boolean isWithin(int[] way, int[] pattern) {
        for (int i = 0; i < way.length; i++) {
            if (way[i] > pattern[i]) {
                return false;
            }
        }
        return true;
    }

    private static int used(int[] counts, int[] sizes) {
        int sum = 0;
        for (int i = 0; i < sizes.length; i++) {
            sum += counts[i] * sizes[i];
        }
        return sum;
    }

    private static List<int[]> allWays(int free, int[] sizes) {
        List<int[]> ways = new ArrayList<>();
        ways.add(new int[sizes.length]);
        for (int i = 0; i < sizes.length; i++) {
            for (int[] way : List.copyOf(ways)) {
                int[] more = way.clone();
                for (more[i]++; used(more, sizes) <= free; more[i]++) {
                    ways.add(more.clone());
                }
            }
        }
        return ways;
    }
}
