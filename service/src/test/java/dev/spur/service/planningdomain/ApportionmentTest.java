package dev.spur.service.planningdomain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApportionmentTest {
    @Test
    void earlierNeedsAreMetBeforeLaterOnes() {
        assertThat(Apportionment.of(10, List.of(new long[] {1, 2}, new long[] {20, 1}), new long[] {5, 5}))
                .containsExactly(8, 2);
    }

    @Test
    void whatIsLeftGoesByWeight() {
        assertThat(Apportionment.of(10, List.of(new long[] {2, 0}), new long[] {1, 3}))
                .containsExactly(4, 6);
    }

    @Test
    void withoutWeightsItGoesEvenly() {
        assertThat(Apportionment.of(3, List.of(), new long[] {0, 0})).containsExactly(2, 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theyAlwaysAddUp(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            int parties = 1 + random.nextInt(6);
            long total = random.nextInt(1 << random.nextInt(31));
            List<long[]> needs = List.of(some(random, parties), some(random, parties));

            long[] given = Apportionment.of(total, needs, some(random, parties));

            assertThat(Arrays.stream(given).allMatch(portion -> portion >= 0))
                    .as("seed %s, case %s", seed, i)
                    .isTrue();
            assertThat(Arrays.stream(given).sum())
                    .as("seed %s, case %s", seed, i)
                    .isEqualTo(total);
        }
    }

    private static long[] some(Random random, int count) {
        return random.longs(count, 0, 1 << random.nextInt(1, 31)).toArray();
    }
}
