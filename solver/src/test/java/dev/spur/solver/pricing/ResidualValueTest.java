package dev.spur.solver.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.program.NodeShareKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResidualValueTest {
    private static final double CLOSE = 1e-9;

    @Test
    void aRestIsWorthWhatTheBestOfAllPatternsEarns() {
        Random random = new Random(1);
        for (int trial = 0; trial < 300; trial++) {
            Map<NodeShareKind, Double> prices = prices(random);
            PackingPatterns.ResidualNode rest = rest(random);

            double value = new ResidualValue(prices).of(rest.slots(), rest.cpus(), rest.memory());

            assertThat(value).as("trial %d", trial).isCloseTo(best(prices, rest), offset(CLOSE));
        }
    }

    @Test
    void aPieceTakesItsPriceFromTheRestAndMoreWhereItIsInTheWay() {
        HostDemand little = new HostDemand(1, 1);
        HostDemand much = new HostDemand(3, 1);
        ResidualValue values =
                new ResidualValue(Map.of(new NodeShareKind(1, little), 1.0, new NodeShareKind(1, much), 1.5));

        assertThat(values.lost(2, 4, 2, 1, little)).isCloseTo(1, offset(CLOSE));
        assertThat(values.lost(2, 4, 2, 1, much)).isCloseTo(1.5, offset(CLOSE));
        assertThat(values.lost(1, 3, 2, 1, little)).isCloseTo(1.5, offset(CLOSE));
    }

    @Test
    void roundingNeverForbidsAPieceThatFits() {
        HostDemand third = new HostDemand(1.0 / 3, 4.0 / 3);
        HostDemand tiny = new HostDemand(1e-7, 1e-7);

        assertThat(new ResidualValue(Map.of(new NodeShareKind(3, third), 1.0)).of(9, 3, 12))
                .as("thirds fill a host")
                .isCloseTo(3, offset(CLOSE));
        assertThat(new ResidualValue(Map.of(new NodeShareKind(1, tiny), 1.0)).of(4, 2e-7, 1))
                .as("two of four tiny pieces fit")
                .isCloseTo(2, offset(CLOSE));
    }

    private static double best(Map<NodeShareKind, Double> prices, PackingPatterns.ResidualNode rest) {
        List<NodeShareKind> kinds = List.copyOf(prices.keySet());
        double[] earned = kinds.stream().mapToDouble(prices::get).toArray();
        int[] pattern = Objects.requireNonNull(PackingPatterns.of(rest, kinds), "patterns")
                .best(earned);
        double sum = 0;
        for (int k = 0; k < pattern.length; k++) {
            sum += pattern[k] * earned[k];
        }
        return sum;
    }

    private static Map<NodeShareKind, Double> prices(Random random) {
        Map<NodeShareKind, Double> prices = new LinkedHashMap<>();
        for (int i = 0; i < 5; i++) {
            HostDemand demand = new HostDemand(1 + random.nextInt(3) / 2.0, 1 + random.nextInt(4));
            prices.put(new NodeShareKind(1 + random.nextInt(4), demand), random.nextInt(4) * random.nextDouble());
        }
        return prices;
    }

    private static PackingPatterns.ResidualNode rest(Random random) {
        int slots = random.nextInt(9);
        return new PackingPatterns.ResidualNode(
                slots, slots * (0.5 + random.nextDouble()), slots * (1 + 2 * random.nextDouble()));
    }
}
