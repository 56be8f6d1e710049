package dev.spur.solver.relaxation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.resource.MaximalPatterns;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three nodes whose pieces have the rows from the third on. */
class NodePackingSubproblemTest {
    private static final int NODES = 3;
    private static final int FIRST_ROW = 2;

    @ParameterizedTest(name = "patterns enumerated: {0}")
    @ValueSource(booleans = {true, false})
    void eachNodeIsCutByThePatternOfHighestValue(boolean enumerated) {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int slots = 1 + random.nextInt(12);
            int[] sizes = random.ints(1 + random.nextInt(4), 1, 9).distinct().toArray();
            double[] prices = random.doubles(FIRST_ROW + sizes.length + 1, 0, 5).toArray();
            double best = best(slots, 0, sizes, prices);
            NodePackingSubproblem nodes = nodes(slots, sizes, enumerated);

            Column column = nodes.solve(prices, 1);

            assertThat(nodes.isEnumerated()).isEqualTo(enumerated);
            assertThat(nodes.mostPerNode(prices)).as("seed %d", seed).isEqualTo(best, within(1e-9));
            assertThat(column.bound()).as("seed %d", seed).isEqualTo(NODES * best, within(1e-9));
            assertThat(slotsOf(column, sizes)).as("seed %d", seed).isLessThanOrEqualTo(NODES * slots);
        }
    }

    @ParameterizedTest(name = "patterns enumerated: {0}")
    @ValueSource(booleans = {true, false})
    void aPieceLargerThanTheNodeIsNotCut(boolean enumerated) {
        Column column = nodes(4, new int[] {8, 4}, enumerated).solve(new double[] {0, 0, 100, 1}, 1);

        assertThat(column.use()[2]).isZero();
        assertThat(column.use()[3]).isEqualTo(-NODES);
    }

    /** A piece of two slots counts in two rows, and one of a single slot in the second of them. */
    @ParameterizedTest(name = "patterns enumerated: {0}")
    @ValueSource(booleans = {true, false})
    void aPieceHasTheSumOfThePricesOfItsRows(boolean enumerated) {
        List<NodeShareKind> kinds =
                List.of(new NodeShareKind(2, HostDemand.NONE), new NodeShareKind(1, HostDemand.NONE));
        ResidualNode node = new ResidualNode(3, 0, 0, 0);
        List<int[]> patterns = MaximalPatterns.of(node, kinds, enumerated ? 1_000 : 0);
        NodePackingSubproblem nodes =
                new NodePackingSubproblem(NODES, node, kinds, new int[][] {{0, 1}, {1}}, (row, size) -> 1, patterns);

        Column column = nodes.solve(new double[] {3, 4}, 1);

        assertThat(nodes.mostPerNode(new double[] {3, 4})).isEqualTo(12);
        assertThat(column.bound()).isEqualTo(3 * 12.0);
        assertThat(column.use()).containsExactly(0, -9);
        assertThat(nodes.solve(new double[] {6, 4}, 1).use()).containsExactly(-3, -6);
    }

    private static NodePackingSubproblem nodes(int slots, int[] sizes, boolean enumerated) {
        List<NodeShareKind> kinds = IntStream.of(sizes)
                .mapToObj(size -> new NodeShareKind(size, HostDemand.NONE))
                .toList();
        ResidualNode node = new ResidualNode(slots, 0, 0, 0);
        List<int[]> patterns = MaximalPatterns.of(node, kinds, enumerated ? 1_000 : 0);
        int[][] rows = IntStream.range(0, sizes.length)
                .mapToObj(k -> new int[] {FIRST_ROW + k})
                .toArray(int[][]::new);
        return new NodePackingSubproblem(NODES, node, kinds, rows, (row, size) -> 1, patterns);
    }

    /** The highest value of pieces of kind {@code k} and later ones, by enumeration. */
    private static double best(int slots, int k, int[] sizes, double[] prices) {
        if (k == sizes.length) {
            return 0;
        }
        double best = 0;
        for (int count = 0; count * sizes[k] <= slots; count++) {
            best = Math.max(best, count * prices[FIRST_ROW + k] + best(slots - count * sizes[k], k + 1, sizes, prices));
        }
        return best;
    }

    private static double slotsOf(Column column, int[] sizes) {
        return IntStream.range(0, sizes.length)
                .mapToDouble(k -> -column.use()[FIRST_ROW + k] * sizes[k])
                .sum();
    }
}
