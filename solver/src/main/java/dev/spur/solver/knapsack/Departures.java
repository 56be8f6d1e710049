package dev.spur.solver.knapsack;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lists the decisions that lose at most a limit against the relaxation: departures of single jobs from their favourites,
 * job by job, where those that end in the same slots used are one state.
 */
final class Departures {
    private final Choices choices;
    private final Relaxation relaxation;
    private final double limit;
    private final int width;
    private final int bits;
    /** Jobs with another alternative within the limit, those that can move most slots first. */
    private final int[] open;
    /** By number of open jobs decided, and quota: slots that the others can still give back. */
    private final int[][] lower;

    /** The same for slots that they can still take. */
    private final int[][] raise;

    private final int[] bestUse;
    private double found = Double.POSITIVE_INFINITY;
    private double dropped = Double.POSITIVE_INFINITY;
    private int @Nullable [] chosen;

    /**
     * @param limit most that a decision may lose
     * @param width states kept after each job; the most promising
     */
    Departures(Choices choices, Relaxation relaxation, double limit, int width) {
        this.choices = choices;
        this.relaxation = relaxation;
        this.limit = limit;
        this.width = width;
        this.bits = Knapsack.BITS / choices.quotas();
        this.open = IntStream.range(0, choices.jobs())
                .filter(j -> within(j).count() > 1)
                .boxed()
                .sorted(Comparator.comparingInt(
                        j -> -within(j).map(choices::slots).max().orElse(0)))
                .mapToInt(Integer::intValue)
                .toArray();
        this.bestUse =
                IntStream.range(0, choices.quotas()).map(relaxation::bestUse).toArray();
        this.lower = new int[open.length + 1][choices.quotas()];
        this.raise = new int[open.length + 1][choices.quotas()];
        for (int i = open.length - 1; i >= 0; i--) {
            addReach(i);
        }
        search();
    }

    private IntStream within(int j) {
        return IntStream.range(choices.first(j), choices.end(j)).filter(a -> relaxation.loss(a) <= limit);
    }

    private void addReach(int i) {
        for (int q = 0; q < choices.quotas(); q++) {
            int quota = q;
            int base = choices.slots(relaxation.favourite(open[i]), q);
            int least = within(open[i]).map(a -> choices.slots(a, quota)).min().orElse(base);
            int most = within(open[i]).map(a -> choices.slots(a, quota)).max().orElse(base);
            lower[i][q] = lower[i + 1][q] + base - least;
            raise[i][q] = raise[i + 1][q] + most - base;
        }
    }

    /** What the best decision found loses; infinite if none was found. */
    double found() {
        return found;
    }

    /** No decision that was passed over for want of width loses less; infinite if there was none. */
    double dropped() {
        return dropped;
    }

    /** By job its alternative in the best decision found; null if there is none. */
    int @Nullable [] chosen() {
        return chosen;
    }

    private void search() {
        long favourites = 0;
        for (int j = 0; j < choices.jobs(); j++) {
            favourites += key(relaxation.favourite(j));
        }
        StateTable.Records records = new StateTable.Records();
        StateTable table = new StateTable(16);
        table.offer(favourites, 0, -1, -1, records);
        for (int i = 0; i < open.length; i++) {
            table = decide(i, table, records);
            int decided = i + 1;
            if (table.size() > width) {
                dropped = Math.min(dropped, table.keepBest(width, state -> quotaLoss(state, decided)));
            }
        }
        readBack(table, records);
    }

    /** The states after the i-th open job has taken each of its alternatives in each state of {@code table}. */
    private StateTable decide(int i, StateTable table, StateTable.Records records) {
        int j = open[i];
        int[] ways = within(j).toArray();
        long favourite = key(relaxation.favourite(j));
        StateTable next = new StateTable(table.size() * 2);
        for (int s = 0; s < table.capacity(); s++) {
            for (int w = 0; table.isUsed(s) && w < ways.length; w++) {
                double lost = table.loss(s) + relaxation.loss(ways[w]);
                long state = table.key(s) - favourite + key(ways[w]);
                if (lost <= limit && next.isNews(state, lost) && lost + quotaLoss(state, i + 1) <= limit) {
                    next.offer(state, lost, table.record(s), ways[w], records);
                }
            }
        }
        return next;
    }

    private long key(int a) {
        return choices.quota(a) < 0 ? 0 : (long) choices.slots(a) << (bits * choices.quota(a));
    }

    private int used(long state, int q) {
        return (int) (state >>> (bits * q) & ((1L << bits) - 1));
    }

    /** What the quotas lose at least once the jobs after the first {@code decided} have chosen; infinite if they cannot hold. */
    private double quotaLoss(long state, int decided) {
        double sum = 0;
        for (int q = 0; q < choices.quotas(); q++) {
            int now = used(state, q);
            int least = now - lower[decided][q];
            if (least > choices.most(q)) {
                return Double.POSITIVE_INFINITY;
            }
            int most = Math.min(now + raise[decided][q], choices.most(q));
            sum += relaxation.loss(q, Math.max(least, Math.min(bestUse[q], most)));
        }
        return sum;
    }

    private void readBack(StateTable table, StateTable.Records records) {
        int record = -1;
        for (int s = 0; s < table.capacity(); s++) {
            if (table.isUsed(s)) {
                double lost = table.loss(s) + quotaLoss(table.key(s), open.length);
                if (lost < found) {
                    found = lost;
                    record = table.record(s);
                }
            }
        }
        if (found == Double.POSITIVE_INFINITY) {
            return;
        }
        int[] ways =
                IntStream.range(0, choices.jobs()).map(relaxation::favourite).toArray();
        for (int i = open.length - 1; i >= 0; i--) {
            ways[open[i]] = records.alternative(record);
            record = records.parent(record);
        }
        chosen = ways;
    }
}
