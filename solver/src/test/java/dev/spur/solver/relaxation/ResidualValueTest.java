package dev.spur.solver.relaxation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.placement.HostUnits;
import dev.spur.solver.resource.MaximalPatterns;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResidualValueTest {
    private static final double CLOSE = 1e-9;

    @Test
    void aRestIsWorthWhatTheBestOfAllPatternsEarns() {
        Random random = new Random(1);
        for (int trial = 0; trial < 300; trial++) {
            List<NodeShareKind> kinds = kinds(random);
            double[] prices = kinds.stream()
                    .mapToDouble(kind -> random.nextInt(4) * random.nextDouble())
                    .toArray();
            ResidualNode residualNode = rest(random);

            double value = new ResidualValue(kinds, k -> prices[k])
                    .of(residualNode.slots(), residualNode.cpus(), residualNode.memoryGiB());

            assertThat(value).as("trial %d", trial).isCloseTo(best(kinds, prices, residualNode), offset(CLOSE));
        }
    }

    @Test
    void aPieceTakesItsPriceFromTheRestAndMoreWhereItIsInTheWay() {
        HostDemand little = new HostDemand(1, 1);
        HostDemand much = new HostDemand(3, 1);
        ResidualValue values = new ResidualValue(
                List.of(new NodeShareKind(1, little), new NodeShareKind(1, much)), k -> k == 0 ? 1.0 : 1.5);

        assertThat(lost(values, 2, 4, 2, little)).isCloseTo(1, offset(CLOSE));
        assertThat(lost(values, 2, 4, 2, much)).isCloseTo(1.5, offset(CLOSE));
        assertThat(lost(values, 1, 3, 2, little)).isCloseTo(1.5, offset(CLOSE));
    }

    private static double lost(ResidualValue values, int slots, double cpus, double memory, HostDemand piece) {
        return values.loss(
                slots,
                HostUnits.supply(cpus),
                HostUnits.supply(memory),
                1,
                HostUnits.demand(piece.cpusPerSlot()),
                HostUnits.demand(piece.memoryGiBPerSlot()));
    }

    @Test
    void roundingNeverForbidsAPieceThatFits() {
        HostDemand third = new HostDemand(1.0 / 3, 4.0 / 3);
        HostDemand tiny = new HostDemand(1e-7, 1e-7);

        assertThat(ofOneKind(3, third).of(9, 3, 12)).as("thirds fill a host").isCloseTo(3, offset(CLOSE));
        assertThat(ofOneKind(1, tiny).of(4, 2e-7, 1))
                .as("two of four tiny pieces fit")
                .isCloseTo(2, offset(CLOSE));
    }

    private static ResidualValue ofOneKind(int size, HostDemand demand) {
        return new ResidualValue(List.of(new NodeShareKind(size, demand)), k -> 1);
    }

    private static double best(List<NodeShareKind> kinds, double[] prices, ResidualNode residualNode) {
        return MaximalPatterns.of(residualNode, kinds, 100_000).stream()
                .mapToDouble(pattern -> IntStream.range(0, prices.length)
                        .mapToDouble(k -> pattern[k] * prices[k])
                        .sum())
                .max()
                .orElseThrow();
    }

    private static List<NodeShareKind> kinds(Random random) {
        return IntStream.range(0, 5)
                .mapToObj(i -> new NodeShareKind(
                        1 + random.nextInt(4), new HostDemand(1 + random.nextInt(3) / 2.0, 1 + random.nextInt(4))))
                .distinct()
                .toList();
    }

    private static ResidualNode rest(Random random) {
        int slots = random.nextInt(9);
        return new ResidualNode(slots, slots * (0.5 + random.nextDouble()), slots * (1 + 2 * random.nextDouble()), 0);
    }
}
