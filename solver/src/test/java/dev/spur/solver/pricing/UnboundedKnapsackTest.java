package dev.spur.solver.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.program.NodeShareKind;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnboundedKnapsackTest {
    @Test
    void thePatternEarnsAsMuchAsTheBestOfAllPatterns() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int slots = 1 + random.nextInt(12);
            int[] sizes = random.ints(1 + random.nextInt(4), 1, 9).toArray();
            double[] earned = random.doubles(sizes.length, 0, 5).toArray();

            int[] pattern = new UnboundedKnapsack(slots, kinds(sizes)).best(earned);

            assertThat(sum(pattern, sizes)).as("seed %d", seed).isLessThanOrEqualTo(slots);
            assertThat(earnings(pattern, earned))
                    .as("seed %d", seed)
                    .isEqualTo(best(slots, 0, sizes, earned), within(1e-9));
        }
    }

    @Test
    void piecesThatEarnNothingAreNotCut() {
        assertThat(new UnboundedKnapsack(8, kinds(4, 2)).best(new double[] {0, 0}))
                .containsOnly(0);
    }

    @Test
    void aPieceLargerThanTheNodeIsNotCut() {
        assertThat(new UnboundedKnapsack(4, kinds(8, 4)).best(new double[] {100, 1}))
                .containsExactly(0, 1);
    }

    private static List<NodeShareKind> kinds(int... sizes) {
        return IntStream.of(sizes)
                .mapToObj(size -> new NodeShareKind(size, HostDemand.NONE))
                .toList();
    }

    /** The highest earnings of pieces from kind {@code k} on, by enumeration. */
    private static double best(int slots, int k, int[] sizes, double[] earned) {
        if (k == sizes.length) {
            return 0;
        }
        double best = 0;
        for (int count = 0; count * sizes[k] <= slots; count++) {
            best = Math.max(best, count * earned[k] + best(slots - count * sizes[k], k + 1, sizes, earned));
        }
        return best;
    }

    private static int sum(int[] pattern, int[] sizes) {
        return IntStream.range(0, sizes.length).map(k -> pattern[k] * sizes[k]).sum();
    }

    private static double earnings(int[] pattern, double[] earned) {
        return IntStream.range(0, earned.length)
                .mapToDouble(k -> pattern[k] * earned[k])
                .sum();
    }
}
