package dev.spur.policies.shockwave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.policies.shockwave.RoundChoice.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoundChoiceTest {
    private static final double ROUND = 100;

    private static double worth(List<Entry> entries, List<Integer> rounds, double factor) {
        double gained = 0;
        double longest = 0;
        for (int j = 0; j < rounds.size(); j++) {
            gained += entries.get(j).gains().stream()
                    .limit(rounds.get(j))
                    .mapToDouble(gain -> gain)
                    .sum();
            longest = Math.max(longest, entries.get(j).left() - ROUND * rounds.get(j));
        }
        return gained - factor * longest;
    }

    private static double best(List<Entry> entries, List<Integer> rounds, long room, double factor) {
        if (rounds.size() == entries.size()) {
            return worth(entries, rounds, factor);
        }
        double best = Double.NEGATIVE_INFINITY;
        Entry entry = entries.get(rounds.size());
        for (int n = 0; n <= entry.gains().size() && (long) n * entry.slots() <= room; n++) {
            List<Integer> longer = new ArrayList<>(rounds);
            longer.add(n);
            best = Math.max(best, best(entries, longer, room - (long) n * entry.slots(), factor));
        }
        return best;
    }

    private static List<Entry> entries(Random random, int mostSlots) {
        List<Entry> entries = new ArrayList<>();
        for (int j = 0; j < 4; j++) {
            List<Double> gains = new ArrayList<>();
            double gain = 1 + random.nextDouble();
            for (int i = 0; i < 4; i++) {
                gains.add(gain);
                gain *= random.nextDouble();
            }
            entries.add(new Entry(1 + random.nextInt(mostSlots), 100 + 900 * random.nextDouble(), gains));
        }
        return entries;
    }

    @Test
    void jobsOfOneSlotGetWhatIsBest() {
        Random random = new Random(1);
        for (int run = 0; run < 200; run++) {
            List<Entry> entries = entries(random, 1);
            double factor = run % 4 * 0.004;

            List<Integer> rounds = new RoundChoice(entries, 7, ROUND, factor).best();

            assertThat(rounds.stream().mapToInt(n -> n).sum()).isLessThanOrEqualTo(7);
            double best = best(entries, List.of(), 7, factor);
            assertThat(worth(entries, rounds, factor)).isGreaterThanOrEqualTo(best - 1e-9);
        }
    }

    @Test
    void jobsOfSeveralSlotsLoseLessThanARound() {
        Random random = new Random(2);
        for (int run = 0; run < 200; run++) {
            List<Entry> entries = entries(random, 4);
            double max =
                    entries.stream().mapToDouble(e -> e.gains().get(0)).max().orElseThrow();

            List<Integer> rounds = new RoundChoice(entries, 15, ROUND, 0).best();

            double best = best(entries, List.of(), 15, 0);
            assertThat(worth(entries, rounds, 0)).isGreaterThan(best - max);
        }
    }

    @Test
    void aGreatWeightGivesAllToTheLongestRest() {
        List<Double> gains = List.of(1.0, 1.0, 1.0, 1.0);
        List<Entry> entries = List.of(new Entry(1, 900, List.of(0.1, 0.1, 0.1, 0.1)), new Entry(1, 100, gains));

        assertThat(new RoundChoice(entries, 4, ROUND, 0).best()).containsExactly(0, 4);
        assertThat(new RoundChoice(entries, 4, ROUND, 1).best()).containsExactly(4, 0);
    }

    @Test
    void likeJobsGetAlike() {
        List<Double> gains = List.of(1.0, 1.0, 1.0, 1.0);
        List<Entry> entries = List.of(new Entry(2, 400, gains), new Entry(2, 400, gains));

        assertThat(new RoundChoice(entries, 9, ROUND, 0).best()).containsExactly(2, 2);
    }
}
