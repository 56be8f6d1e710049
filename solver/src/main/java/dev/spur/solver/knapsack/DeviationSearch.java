package dev.spur.solver.knapsack;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Enumeration of all decisions whose loss against the relaxation is within a limit: deviations of single jobs from
 * their preferred alternatives, job by job. Decisions with equal slots used share a state.
 *
 * <p>Jobs under one cap are decided one after the other, so the use of the cap is part of the state only until the last
 * of them is decided.
 */
final class DeviationSearch {
    private final KnapsackInstance instance;
    private final Relaxation relaxation;
    private final double limit;
    private final int width;
    private final StateCodec codec;
    /**
     * Jobs with another alternative within the limit, in descending order of the slots that they can move; jobs of the
     * same cap are adjacent.
     */
    private final int[] open;
    /** By number of open jobs decided, and limit: the use that the remaining jobs can still release. */
    private final int[][] lower;

    /** The same for the use that they can still add. */
    private final int[][] raise;

    private final int[] favourites;
    private double found = Double.POSITIVE_INFINITY;
    private double dropped = Double.POSITIVE_INFINITY;
    private int @Nullable [] chosen;

    /**
     * @param limit maximum loss of a decision
     * @param width maximum number of states kept after each job; those of least loss plus lower bound
     */
    DeviationSearch(KnapsackInstance instance, StateCodec codec, Relaxation relaxation, double limit, int width) {
        this.instance = instance;
        this.codec = codec;
        this.relaxation = relaxation;
        this.limit = limit;
        this.width = width;
        this.favourites =
                IntStream.range(0, instance.jobs()).map(relaxation::favourite).toArray();
        this.open = openJobs();
        this.lower = new int[open.length + 1][instance.limits()];
        this.raise = new int[open.length + 1][instance.limits()];
        for (int i = open.length - 1; i >= 0; i--) {
            addReach(i);
        }
        search();
    }

    private int[] openJobs() {
        int[] moves = new int[instance.jobs()];
        int[] first = new int[instance.jobs()];
        int[] mostOfCap = new int[instance.caps()];
        for (int j = 0; j < moves.length; j++) {
            moves[j] = within(j).map(instance::slots).max().orElse(0);
            if (instance.cap(j) >= 0) {
                mostOfCap[instance.cap(j)] = Math.max(mostOfCap[instance.cap(j)], moves[j]);
            }
        }
        Arrays.setAll(first, j -> instance.cap(j) < 0 ? moves[j] : mostOfCap[instance.cap(j)]);
        return IntStream.range(0, instance.jobs())
                .filter(j -> within(j).count() > 1)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(j -> -first[j])
                        .thenComparingInt(instance::cap)
                        .thenComparingInt(j -> -moves[j]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private IntStream within(int j) {
        return IntStream.range(instance.first(j), instance.end(j)).filter(a -> relaxation.loss(a) <= limit);
    }

    private void addReach(int i) {
        int j = open[i];
        System.arraycopy(lower[i + 1], 0, lower[i], 0, lower[i].length);
        System.arraycopy(raise[i + 1], 0, raise[i], 0, raise[i].length);
        IntStream.concat(IntStream.range(0, instance.quotas()), limitsOfCap(instance.cap(j)))
                .forEach(of -> {
                    int base = instance.use(j, favourites[j], of);
                    int min = within(j).map(a -> instance.use(j, a, of)).min().orElse(base);
                    int max = within(j).map(a -> instance.use(j, a, of)).max().orElse(base);
                    lower[i][of] += base - min;
                    raise[i][of] += max - base;
                });
    }

    private IntStream limitsOfCap(int g) {
        return g < 0 ? IntStream.empty() : IntStream.of(instance.slotsOf(g), instance.jobsOf(g));
    }

    /** Returns the loss of the best decision found; infinite if there is none. */
    double bestLoss() {
        return found;
    }

    /** Returns a lower bound on the loss of decisions whose states were discarded; infinite if none was. */
    double discardedBound() {
        return dropped;
    }

    /** Returns by job its alternative in the best decision found; null if there is none. */
    int @Nullable [] bestChoice() {
        return chosen;
    }

    private void search() {
        int[] base = instance.useOf(favourites);
        long state = 0;
        for (int a : favourites) {
            state += codec.ofQuotas(a);
        }
        StateTable.Records records = new StateTable.Records();
        StateTable table = new StateTable(16);
        double lost = lossOfSettledCaps(base);
        if (lost <= limit) {
            table.offer(state, lost, -1, -1, records);
        }
        for (int i = 0; i < open.length; i++) {
            table = decide(i, table, records);
            int decided = i + 1;
            if (table.size() > width) {
                dropped = Math.min(dropped, table.keepBest(width, key -> lossAhead(key, decided)));
            }
        }
        readBack(table, records);
    }

    /**
     * Returns a lower bound on the loss of caps without open jobs; infinite if the preferred alternatives exceed one.
     */
    private double lossOfSettledCaps(int[] base) {
        boolean[] isOpen = new boolean[instance.caps()];
        for (int j : open) {
            if (instance.cap(j) >= 0) {
                isOpen[instance.cap(j)] = true;
            }
        }
        return IntStream.range(0, isOpen.length)
                .filter(g -> !isOpen[g])
                .flatMap(this::limitsOfCap)
                .mapToDouble(of -> min(of, base[of], base[of]))
                .sum();
    }

    /** Returns the states after the i-th open job has taken each of its alternatives in each state of {@code table}. */
    private StateTable decide(int i, StateTable table, StateTable.Records records) {
        int j = open[i];
        int[] alternatives = within(j).toArray();
        long replaced = entering(i) - key(j, favourites[j]);
        boolean leaves = leaves(i);
        StateTable next = new StateTable(table.size() * 2);
        for (int s = 0; s < table.capacity(); s++) {
            for (int w = 0; table.isUsed(s) && w < alternatives.length; w++) {
                long state = table.key(s) + replaced + key(j, alternatives[w]);
                double lost = table.loss(s) + relaxation.loss(alternatives[w]);
                if (leaves) {
                    lost += lossOfCap(state, i + 1);
                    state = codec.withoutCap(state);
                }
                if (lost <= limit && next.isNews(state, lost) && lost + lossAhead(state, i + 1) <= limit) {
                    next.offer(state, lost, table.record(s), alternatives[w], records);
                }
            }
        }
        return next;
    }

    private long key(int j, int a) {
        return codec.ofQuotas(a) + codec.ofCap(j, a);
    }

    /**
     * Returns the use of the cap of the i-th open job by all preferred alternatives, if that job is the first of the
     * cap; otherwise 0.
     */
    private long entering(int i) {
        int g = instance.cap(open[i]);
        if (g < 0 || (i > 0 && instance.cap(open[i - 1]) == g)) {
            return 0;
        }
        long use = 0;
        for (int j = 0; j < favourites.length; j++) {
            use += instance.cap(j) == g ? codec.ofCap(j, favourites[j]) : 0;
        }
        return use;
    }

    /** Returns whether the i-th open job is the last under its cap. */
    private boolean leaves(int i) {
        int g = instance.cap(open[i]);
        return g >= 0 && (i + 1 == open.length || instance.cap(open[i + 1]) != g);
    }

    /**
     * Returns a lower bound on the loss of the limits once the jobs after the first {@code decided} are decided;
     * infinite if a limit is exceeded.
     */
    private double lossAhead(long state, int decided) {
        double sum = 0;
        for (int q = 0; q < instance.quotas(); q++) {
            sum += lossAhead(q, state, decided);
        }
        return decided < open.length && !leaves(decided - 1) ? sum + lossOfCap(state, decided) : sum;
    }

    /** Returns the same for the cap of the job decided last. */
    private double lossOfCap(long state, int decided) {
        int g = instance.cap(open[decided - 1]);
        return g < 0
                ? 0
                : lossAhead(instance.slotsOf(g), state, decided) + lossAhead(instance.jobsOf(g), state, decided);
    }

    private double lossAhead(int of, long state, int decided) {
        int now = codec.useOf(state, of);
        return min(of, now - lower[decided][of], now + raise[decided][of]);
    }

    /**
     * Returns the minimum loss of {@code of} for a use from {@code min} to {@code max}; infinite if that exceeds it.
     */
    private double min(int of, int min, int max) {
        if (min > instance.max(of)) {
            return Double.POSITIVE_INFINITY;
        }
        int reached = Math.min(max, instance.max(of));
        return relaxation.loss(of, Math.max(min, Math.min(relaxation.bestUse(of), reached)));
    }

    private void readBack(StateTable table, StateTable.Records records) {
        int record = -1;
        for (int s = 0; s < table.capacity(); s++) {
            if (table.isUsed(s)) {
                double lost = table.loss(s) + lossAhead(table.key(s), open.length);
                if (lost < found) {
                    found = lost;
                    record = table.record(s);
                }
            }
        }
        if (found == Double.POSITIVE_INFINITY) {
            return;
        }
        int[] alternatives = favourites.clone();
        for (int i = open.length - 1; i >= 0; i--) {
            alternatives[open[i]] = records.alternative(record);
            record = records.parent(record);
        }
        chosen = alternatives;
    }
}
