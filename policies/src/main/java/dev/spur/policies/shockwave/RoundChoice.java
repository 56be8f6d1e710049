package dev.spur.policies.shockwave;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many rounds each job gets of those that a window has room for.
 *
 * <pre>
 * sum over j of slots(j) * n(j) &lt;= room,   maximize  sum of gains of the first n(j) rounds - factor * longest rest
 * </pre>
 *
 * No round of a job gains more than the one before. So for a given longest rest the best is near: each job first what
 * it needs to stay within that rest, then the rounds that gain most for each slot, as in a knapsack that may be cut at
 * the end (Dantzig, 1957). What is lost because nobody is cut is less than the gain of one round. Beginning with the
 * rest that comes of gains alone, the job with the longest rest is promised one round more, again and again, until no
 * shorter rest can be worth what it costs.
 */
final class RoundChoice {
    /**
     * A job that takes part.
     *
     * @param slots slots in each of its rounds, at least 1
     * @param left seconds it has still to run
     * @param gains worth of its first round, of its second, and so on; none above the one before
     */
    record Entry(int slots, double left, List<Double> gains) {
        Entry {
            gains = List.copyOf(gains);
            Checks.atLeast("slots", slots, 1);
        }
    }

    private record Round(int job, int index, double density) {}

    private record Trial(List<Integer> rounds, double worth, double atMost, int longest) {}

    private final List<Entry> entries;
    private final long room;
    private final double roundSeconds;
    private final double factor;
    private final List<Round> order = new ArrayList<>();

    /**
     * @param room slots times rounds of the window
     * @param roundSeconds by how much a round shortens a rest
     * @param factor weight of a second of the longest rest, at least 0
     */
    RoundChoice(List<Entry> entries, long room, double roundSeconds, double factor) {
        this.entries = List.copyOf(entries);
        this.room = room;
        this.roundSeconds = roundSeconds;
        this.factor = factor;
        for (int j = 0; j < entries.size(); j++) {
            Entry entry = entries.get(j);
            for (int i = 0; i < entry.gains().size(); i++) {
                order.add(new Round(j, i, entry.gains().get(i) / entry.slots()));
            }
        }
        // Of equal gains those of earlier rounds first, so that like jobs get alike.
        order.sort(Comparator.comparingDouble((Round round) -> -round.density())
                .thenComparingInt(Round::index)
                .thenComparingInt(Round::job));
    }

    /** Rounds of each entry, in their order. */
    List<Integer> best() {
        int[] promised = new int[entries.size()];
        Trial best = new Trial(List.of(), Double.NEGATIVE_INFINITY, 0, -1);
        double shortest = shortestRest();
        for (Trial trial = trial(promised); trial != null; trial = trial(promised)) {
            if (trial.worth() > best.worth()) {
                best = trial;
            }
            int late = trial.longest();
            boolean isDone = factor == 0
                    || late < 0
                    || trial.rounds().get(late) == entries.get(late).gains().size();
            if (isDone || trial.atMost() - factor * shortest <= best.worth()) {
                break;
            }
            promised[late] = trial.rounds().get(late) + 1;
        }
        return best.rounds();
    }

    /** The longest rest if everybody had all rounds. */
    private double shortestRest() {
        double rest = 0;
        for (Entry entry : entries) {
            rest = Math.max(rest, entry.left() - roundSeconds * entry.gains().size());
        }
        return rest;
    }

    /** The rounds that gain most if everybody has at least what was promised; null if there is no room for that. */
    private @Nullable Trial trial(int[] promised) {
        int[] rounds = promised.clone();
        long free = room;
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
        for (Round round : order) {
            int slots = entries.get(round.job()).slots();
            if (round.index() < promised[round.job()]) {
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

    /** The entry with the longest rest; -1 if nobody has any. */
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
