package dev.spur.policies.shockwave;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Number of rounds that each job gets in a window of limited capacity.
 *
 * <pre>
 * sum over j of slots(j) * n(j) &lt;= room
 * maximize  sum of gains of the first n(j) rounds - factor * longest remaining time
 * </pre>
 *
 * Gains of a job do not increase from round to round. For a given bound on the longest remaining time, a near-optimal
 * choice is therefore simple. Each job first gets the rounds that it needs to satisfy the bound. The others go to the
 * rounds with the highest gain per slot, as in a fractional knapsack (Dantzig, 1957). Since jobs are not split, the
 * loss is less than the gain of one round. The search starts without a bound. It then repeatedly guarantees one more
 * round to the job with the longest remaining time, until no shorter one can pay for its cost.
 */
final class RoundChoice {
    /**
     * A job of the window.
     *
     * @param slots slots in each of its rounds, at least 1
     * @param left remaining run time in seconds
     * @param gains objective gain of its first round, of its second, and so on, not increasing
     */
    record Entry(int slots, double left, List<Double> gains) {
        Entry {
            gains = List.copyOf(gains);
            Checks.atLeast("slots", slots, 1);
        }
    }

    private record Round(int job, int index, double density) {}

    private record Trial(List<Integer> rounds, double value, double atMost, int longest) {}

    private final List<Entry> entries;
    private final long remaining;
    private final double roundSeconds;
    private final double factor;
    private final List<Round> orderedRounds = new ArrayList<>();

    /**
     * Creates the choice.
     *
     * @param remaining capacity of the window: slots times rounds
     * @param roundSeconds reduction of the remaining time by one round
     * @param factor weight of a second of the longest remaining time, at least 0
     */
    RoundChoice(List<Entry> entries, long remaining, double roundSeconds, double factor) {
        this.entries = List.copyOf(entries);
        this.remaining = remaining;
        this.roundSeconds = roundSeconds;
        this.factor = factor;
        for (int j = 0; j < entries.size(); j++) {
            Entry entry = entries.get(j);
            for (int i = 0; i < entry.gains().size(); i++) {
                orderedRounds.add(new Round(j, i, entry.gains().get(i) / entry.slots()));
            }
        }
        // ties go to earlier rounds, so that equal jobs get equal numbers of rounds
        orderedRounds.sort(Comparator.comparingDouble((Round round) -> -round.density())
                .thenComparingInt(Round::index)
                .thenComparingInt(Round::job));
    }

    /** Returns the number of rounds of each entry, in their order. */
    List<Integer> best() {
        int[] guaranteed = new int[entries.size()];
        Trial best = new Trial(List.of(), Double.NEGATIVE_INFINITY, 0, -1);
        double shortest = minLongestRest();
        for (Trial trial = trial(guaranteed); trial != null; trial = trial(guaranteed)) {
            if (trial.value() > best.value()) {
                best = trial;
            }
            int late = trial.longest();
            boolean isDone = factor == 0
                    || late < 0
                    || trial.rounds().get(late) == entries.get(late).gains().size();
            if (isDone || trial.atMost() - factor * shortest <= best.value()) {
                break;
            }
            guaranteed[late] = trial.rounds().get(late) + 1;
        }
        return best.rounds();
    }

    /** Returns the longest remaining time if every job had all rounds: a lower bound. */
    private double minLongestRest() {
        double rest = 0;
        for (Entry entry : entries) {
            rest = Math.max(rest, entry.left() - roundSeconds * entry.gains().size());
        }
        return rest;
    }

    /**
     * Returns the rounds with the highest gain if every job has at least its guaranteed rounds; null if these exceed
     * the capacity.
     */
    private @Nullable Trial trial(int[] guaranteed) {
        int[] rounds = guaranteed.clone();
        long free = remaining;
        double gained = 0;
        for (int j = 0; j < rounds.length; j++) {
            free -= (long) rounds[j] * entries.get(j).slots();
            for (int i = 0; i < rounds[j]; i++) {
                gained += entries.get(j).gains().get(i);
            }
        }
        if (free < 0) {
            return null;
        }
        double atMost = Double.NaN;
        for (Round round : orderedRounds) {
            int slots = entries.get(round.job()).slots();
            if (round.index() < guaranteed[round.job()]) {
                continue;
            }
            if (slots <= free) {
                rounds[round.job()]++;
                free -= slots;
                gained += round.density() * slots;
            } else if (Double.isNaN(atMost)) {
                atMost = gained + round.density() * free;
            }
        }
        int longest = longest(rounds);
        double rest = longest < 0 ? 0 : rest(longest, rounds);
        return new Trial(
                Arrays.stream(rounds).boxed().toList(),
                gained - factor * rest,
                Double.isNaN(atMost) ? gained : atMost,
                longest);
    }

    private double rest(int j, int[] rounds) {
        return entries.get(j).left() - roundSeconds * rounds[j];
    }

    /** Returns the entry with the longest remaining time; -1 if all are complete. */
    private int longest(int[] rounds) {
        int longest = -1;
        for (int j = 0; j < rounds.length; j++) {
            if (rest(j, rounds) > (longest < 0 ? 0 : rest(longest, rounds))) {
                longest = j;
            }
        }
        return longest;
    }
}
