package dev.spur.solver.heuristic;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.placement.ResidualCluster.PieceCost;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.quota.QuotaUsage;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.OpportunityCost;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Local search by simulated annealing over ejection chains, guided by reduced costs.
 *
 * <p>A move gives a job with a large loss a better candidate, and ejects the cheapest jobs that are in its way. Ejected
 * jobs are inserted again, and a few jobs with losses use what is free. The move stays if the objective value is at
 * least the old one minus an exponentially distributed amount with the temperature as its mean. Where more jobs lose
 * their allocation than the restart limit allows, some of them return to it by further ejections.
 */
public final class AnnealingSearch {
    private static final double NOTHING = 1e-9;
    private static final double IMPOSSIBLE = 1e8;
    /** Minimum number of moves between two rankings of the losses. */
    private static final int RANKING_PERIOD = 300;

    private static final int CLOCK_PERIOD = 100;
    /** Number of moves even after the time limit: they take less than 0.1 s and remove most losses of a first plan. */
    private static final int MIN_MOVES = 1_000;

    private static final int STAGES = 8;
    /** Number of sampled jobs of an account, and of sampled nodes. */
    private static final int SAMPLES = 10;

    private static final int MAX_EJECTIONS = 8;
    private static final int UPGRADES = 6;
    private static final int RETURNS = 4;
    private final PlanState state;
    private final ResidualCluster cluster;
    private final PieceCost onNode;
    private final int restartLimit;
    private final CandidateSet candidates;
    private final SplittableRandom random;
    private final double[] reduced;
    private final double[] best;
    /** Candidates by job in descending order of reduced cost; computed when needed. */
    private final int[][] order;

    private final CouplingConstraints rows;
    /** Loss by leaving, by job; updated with each ranking. */
    private final double[] margin;

    private final int[] losing;
    private int losingCount;
    private final int[] moved;
    private int movedCount;

    private final int[] touched;
    private final int[] oldChoice;
    private final int[][] oldNodes;
    private final int[] stamp;
    private int touchedCount;
    private int moveNumber;
    private int[] ejected = new int[64];
    private int ejectedCount;

    private double bestObjective;
    private int[] bestChoice;
    private int[][] bestNodes;
    private long moves;
    private boolean cut;

    private AnnealingSearch(CouplingConstraints rows, double[] prices, PlanState plan, long seed) {
        this.rows = rows;
        this.state = new PlanState(rows, plan.choice(), plan.nodes());
        this.cluster = state.residual().cluster();
        this.onNode = new OpportunityCost(rows, cluster, prices);
        this.restartLimit = rows.restarts().limit();
        this.candidates = rows.candidates();
        this.random = new SplittableRandom(seed);
        int jobs = candidates.jobs();
        this.reduced = new double[candidates.size()];
        this.best = new double[jobs];
        this.order = new int[jobs][];
        for (int c = 0; c < reduced.length; c++) {
            reduced[c] = rows.reducedWorth(c, prices);
        }
        for (int j = 0; j < jobs; j++) {
            best[j] = rows.mayWait(j) ? 0 : Double.NEGATIVE_INFINITY;
            for (int c = candidates.first(j); c < candidates.end(j); c++) {
                if (rows.isOffered(c)) {
                    best[j] = Math.max(best[j], reduced[c]);
                }
            }
        }
        this.margin = new double[jobs];
        this.losing = new int[jobs];
        this.moved = new int[jobs];
        this.touched = new int[jobs];
        this.oldChoice = new int[jobs];
        this.oldNodes = new int[jobs][];
        this.stamp = new int[jobs];
        this.bestChoice = state.choice();
        this.bestNodes = state.nodes();
        this.bestObjective = state.objective();
    }

    /**
     * Result of the search.
     *
     * @param plan the best plan found
     * @param moves number of moves tried
     * @param isCut whether the clock ended the search
     */
    public record Found(PlanState plan, long moves, boolean isCut) {}

    /**
     * Searches from {@code plan}, which satisfies all constraints.
     *
     * @param prices price by row
     * @param hottest first temperature, as a share of the mean objective value per job
     * @param coldest last temperature, likewise
     * @param mostMoves maximum number of moves
     * @param clock share of the available time that has passed; the search ends at 1, after a few moves at least
     * @param gap distance of the objective value from {@code bound} at which the search ends
     */
    public static Found improve(
            CouplingConstraints rows,
            double[] prices,
            PlanState plan,
            long seed,
            double hottest,
            double coldest,
            long mostMoves,
            DoubleSupplier clock,
            double bound,
            double gap) {
        AnnealingSearch search = new AnnealingSearch(rows, prices, plan, seed);
        search.run(hottest, coldest, mostMoves, clock, bound - gap);
        return new Found(new PlanState(rows, search.bestChoice, search.bestNodes), search.moves, search.cut);
    }

    private void run(double hottest, double coldest, long mostMoves, DoubleSupplier clock, double target) {
        double unit = Math.abs(state.objective()) / candidates.jobs();
        long period = Math.max(RANKING_PERIOD, candidates.jobs() / 4);
        double progress = 0;
        double temperature = hottest * unit;
        while ((progress < 1 || moves < MIN_MOVES) && bestObjective < target) {
            if (moves % period == 0) {
                rank();
                if (losingCount == 0) {
                    return;
                }
            }
            if (moves % CLOCK_PERIOD == 0) {
                double time = clock.getAsDouble();
                cut = time >= 1 && moves < mostMoves;
                progress = Math.max(time, (double) moves / mostMoves);
                double stage = Math.floor(STAGES * progress) / (STAGES - 1);
                temperature = unit * hottest * Math.pow(coldest / hottest, Math.min(1, stage));
            }
            moves++;
            move(temperature);
        }
    }

    private void move(double temperature) {
        moveNumber++;
        touchedCount = 0;
        ejectedCount = 0;
        double before = state.objective();
        int j = losing[(int) (losingCount * Math.pow(random.nextDouble(), 2.5))];
        boolean done = changeTo(j, betterCandidate(j));
        if (done) {
            reinsertEjected();
            for (int i = 0; i < UPGRADES; i++) {
                int other = losing[(int) (losingCount * square(random.nextDouble()))];
                if (other != j) {
                    upgrade(other);
                }
            }
            upgradeEjected();
            done = returnToAllocations(j);
        }
        double after = state.objective();
        boolean accepted = done
                && state.restarts() <= restartLimit
                && after >= before + temperature * Math.log(1 - random.nextDouble());
        if (!accepted) {
            undo();
        } else if (after > bestObjective + NOTHING) {
            bestObjective = after;
            state.copyTo(bestChoice, bestNodes);
        }
    }

    private static double square(double value) {
        return value * value;
    }

    /** Ranks the jobs by loss, and computes the loss by leaving of each job. */
    private void rank() {
        losingCount = 0;
        movedCount = 0;
        double[] loss = new double[best.length];
        for (int j = 0; j < best.length; j++) {
            if (state.isFixed(j)) {
                continue;
            }
            if (candidates.retainedCandidate(j) >= 0 && state.choiceOf(j) != candidates.retainedCandidate(j)) {
                moved[movedCount++] = j;
            }
            loss[j] = loss(j);
            margin[j] = Math.max(0, marginOf(j)) + 1e-3 * Math.abs(best[j]) + 1e-6;
            if (loss[j] > 1e-7) {
                losing[losingCount++] = j;
            }
        }
        int[] sorted = IntStream.of(losing)
                .limit(losingCount)
                .boxed()
                .sorted(Comparator.comparingDouble(j -> -loss[j]))
                .mapToInt(Integer::intValue)
                .toArray();
        System.arraycopy(sorted, 0, losing, 0, losingCount);
    }

    private double present(int j) {
        return state.choiceOf(j) < 0 ? 0 : reduced[state.choiceOf(j)];
    }

    private double loss(int j) {
        return best[j] - present(j);
    }

    /** Returns the difference between the present reduced cost and that of the best other candidate. */
    private double marginOf(int j) {
        double next = 0;
        for (int c : order(j)) {
            if (c != state.choiceOf(j)) {
                next = Math.max(0, reduced[c]);
                break;
            }
        }
        return present(j) - next;
    }

    private int[] order(int j) {
        int[] known = order[j];
        if (known == null) {
            known = IntStream.range(candidates.first(j), candidates.end(j))
                    .filter(rows::isOffered)
                    .boxed()
                    .sorted(Comparator.comparingDouble(c -> -reduced[c]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            order[j] = known;
        }
        return known;
    }

    /** Returns a candidate with a larger reduced cost than the present one, mostly the best; -1 for waiting. */
    private int betterCandidate(int j) {
        int desired = -1;
        double now = present(j);
        for (int c : order(j)) {
            if (reduced[c] <= now + NOTHING) {
                break;
            }
            if (c != state.choiceOf(j)) {
                desired = c;
                if (random.nextInt(3) > 0) {
                    break;
                }
            }
        }
        return desired;
    }

    private boolean changeTo(int j, int desired) {
        if (desired >= 0) {
            return force(j, desired);
        }
        if (state.choiceOf(j) < 0) {
            return false;
        }
        eject(j);
        return true;
    }

    private void touch(int j) {
        if (stamp[j] != moveNumber) {
            stamp[j] = moveNumber;
            oldChoice[touchedCount] = state.choiceOf(j);
            oldNodes[touchedCount] = state.nodesOf(j);
            touched[touchedCount++] = j;
        }
    }

    private void eject(int j) {
        touch(j);
        state.remove(j);
    }

    private void undo() {
        for (int i = 0; i < touchedCount; i++) {
            state.remove(touched[i]);
        }
        for (int i = 0; i < touchedCount; i++) {
            if (oldChoice[i] >= 0) {
                state.putOn(oldChoice[i], oldNodes[i]);
            }
        }
    }

    private void ejectOther(int j) {
        eject(j);
        if (ejectedCount == ejected.length) {
            ejected = Arrays.copyOf(ejected, 2 * ejectedCount);
        }
        ejected[ejectedCount++] = j;
    }

    /** Gives job {@code j} candidate {@code c} and ejects others where it does not fit; returns whether it runs. */
    private boolean force(int j, int c) {
        eject(j);
        ResourceDemand demand = state.demand(c);
        if (!freeAccounts(demand) || !freeCap(demand) || !state.residual().limitsAllow(demand)) {
            return false;
        }
        int[] on = demand.isFixed() ? demand.nodes() : nodesByEjection(demand);
        if (on == null || !makeRoom(on, demand) || !state.residual().fits(demand, on)) {
            return false;
        }
        state.putOn(c, on);
        return true;
    }

    private boolean freeAccounts(ResourceDemand demand) {
        return freeAccount(demand.account(), demand.slots())
                && freeAccount(demand.nonPreemptibleAccount(), demand.slots());
    }

    private boolean freeAccount(int account, int slots) {
        QuotaUsage quotas = state.residual().quotas();
        for (int i = 0; i < MAX_EJECTIONS + 4; i++) {
            int a = quotas.blocking(account, slots);
            if (a < 0) {
                return true;
            }
            int out = cheapestOf(a);
            if (out < 0) {
                return false;
            }
            ejectOther(out);
        }
        return quotas.blocking(account, slots) < 0;
    }

    private int cheapestOf(int account) {
        int count = state.byAccount().size(account);
        int found = -1;
        double min = IMPOSSIBLE;
        for (int i = 0; i < Math.min(count, SAMPLES); i++) {
            int j = state.byAccount().get(account, count <= SAMPLES ? i : random.nextInt(count));
            double cost = state.isFixed(j) ? IMPOSSIBLE : noisy(j, 1.5) / slots(j);
            if (cost < min) {
                min = cost;
                found = j;
            }
        }
        return found;
    }

    private int slots(int j) {
        return state.demand(state.choiceOf(j)).slots();
    }

    private double noisy(int j, double noise) {
        return margin[j] * (1 + noise * random.nextDouble());
    }

    private boolean freeCap(ResourceDemand demand) {
        GroupCaps.Cap cap = demand.cap();
        for (int i = 0; i < MAX_EJECTIONS && cap != null && !state.residual().groupAllows(demand); i++) {
            int found = cheapest(state.byGroup(), cap.index(), false);
            if (found < 0) {
                return false;
            }
            ejectOther(found);
        }
        return state.residual().groupAllows(demand);
    }

    /** Returns the job of a list with the smallest loss by leaving, with some noise; -1 if all are fixed. */
    private int cheapest(JobLists lists, int key, boolean perSlot) {
        int found = -1;
        double min = IMPOSSIBLE;
        for (int i = 0; i < lists.size(key); i++) {
            int j = lists.get(key, i);
            double cost = state.isFixed(j) ? IMPOSSIBLE : noisy(j, 1) / (perSlot ? weight(j) : 1);
            if (cost < min) {
                min = cost;
                found = j;
            }
        }
        return found;
    }

    /** Returns nodes for the pieces, with room made by ejections; null if a piece has none. */
    private int @Nullable [] nodesByEjection(ResourceDemand demand) {
        List<Integer> ofClass =
                candidates.hardware().classes().get(demand.nodeClass()).nodes();
        int[] on = new int[demand.pieces().length];
        for (int i = 0; i < on.length; i++) {
            int piece = demand.pieces()[i];
            int v = cluster.cheapest(piece, demand, onNode, on, i);
            double min = v < 0
                    ? Double.POSITIVE_INFINITY
                    : Math.max(0, onNode.of(v, piece, demand) - onNode.min(piece, demand));
            for (int s = 0; s < SAMPLES + 2 && min > 1e-6; s++) {
                int other = ofClass.get(random.nextInt(ofClass.size()));
                double ejection = !demand.access().contains(other) || ResidualCluster.contains(on, i, other)
                        ? IMPOSSIBLE
                        : ejectionCost(other, piece, demand);
                if (ejection < min && ejection < IMPOSSIBLE) {
                    min = ejection;
                    v = other;
                }
            }
            if (v < 0 || !makeRoom(v, piece, demand)) {
                return null;
            }
            on[i] = v;
        }
        return on;
    }

    /** Returns the cost of ejecting jobs from node {@code v} until it holds the piece. */
    private double ejectionCost(int v, int piece, ResourceDemand demand) {
        long out = 0;
        double sum = 0;
        for (int i = 0; i <= MAX_EJECTIONS; i++) {
            if (state.holdsWithout(v, piece, demand, out)) {
                return sum * (1 + 0.5 * random.nextDouble());
            }
            int found = -1;
            double min = IMPOSSIBLE;
            for (int r = 0; r < Math.min(63, state.byNode().size(v)); r++) {
                int j = state.byNode().get(v, r);
                if ((out >> r & 1) == 0 && !state.isFixed(j)) {
                    double cost = margin[j] / weight(j);
                    if (cost < min) {
                        min = cost;
                        found = r;
                    }
                }
            }
            if (found < 0) {
                return IMPOSSIBLE;
            }
            out |= 1L << found;
            sum += margin[state.byNode().get(v, found)];
        }
        return IMPOSSIBLE;
    }

    private int weight(int j) {
        return state.nodesOf(j).length == 1 ? slots(j) : 1;
    }

    private boolean makeRoom(int[] on, ResourceDemand demand) {
        for (int i = 0; i < on.length; i++) {
            if (!makeRoom(on[i], demand.pieces()[i], demand)) {
                return false;
            }
        }
        return true;
    }

    private boolean makeRoom(int v, int piece, ResourceDemand demand) {
        for (int i = 0; !cluster.holds(v, piece, demand); i++) {
            int found = i < MAX_EJECTIONS ? cheapest(state.byNode(), v, true) : -1;
            if (found < 0) {
                return false;
            }
            ejectOther(found);
        }
        return true;
    }

    /** Inserts ejected jobs again, those with the largest reduced cost first, with some noise. */
    private void reinsertEjected() {
        double[] rank = new double[ejectedCount];
        Integer[] by = new Integer[ejectedCount];
        for (int i = 0; i < ejectedCount; i++) {
            rank[i] = best[ejected[i]] * (0.7 + 0.6 * random.nextDouble());
            by[i] = i;
        }
        Arrays.sort(by, Comparator.comparingDouble(i -> -rank[i]));
        for (int i : by) {
            insert(ejected[i]);
        }
    }

    private void upgradeEjected() {
        for (int i = 0; i < ejectedCount; i++) {
            if (loss(ejected[i]) > NOTHING) {
                upgrade(ejected[i]);
            }
        }
    }

    private void insert(int j) {
        if (state.choiceOf(j) >= 0) {
            return;
        }
        for (int c : order(j)) {
            if (reduced[c] <= -1e-3) {
                return;
            }
            if (put(j, c)) {
                return;
            }
        }
    }

    private boolean put(int j, int c) {
        int[] on = state.nodesFor(c, onNode);
        if (on == null) {
            return false;
        }
        touch(j);
        state.putOn(c, on);
        return true;
    }

    /** Gives job {@code j} a candidate of higher utility if the unused capacity allows it. */
    private void upgrade(int j) {
        int now = state.choiceOf(j);
        double utility = now < 0 ? 0 : rows.worth(now);
        if (now >= 0 && now == candidates.retainedCandidate(j) && state.restarts() >= restartLimit) {
            return;
        }
        boolean any = false;
        for (int c : order(j)) {
            any |= rows.worth(c) > utility + 1e-12 && c != now;
        }
        if (!any) {
            return;
        }
        int[] on = state.nodesOf(j);
        touch(j);
        state.remove(j);
        for (int c : order(j)) {
            if (rows.worth(c) > utility + 1e-12 && c != now && put(j, c)) {
                return;
            }
        }
        if (now >= 0) {
            state.putOn(now, on);
        }
    }

    /** Lets jobs return to their allocations while more have lost it than allowed; returns false if that fails. */
    private boolean returnToAllocations(int changed) {
        for (int i = 0; i < RETURNS && state.restarts() > restartLimit; i++) {
            int j = cheapestReturn(changed);
            if (j < 0) {
                return true;
            }
            ejectedCount = 0;
            boolean returned = force(j, candidates.retainedCandidate(j));
            if (!returned) {
                insert(j);
            }
            for (int e = 0; e < ejectedCount; e++) {
                insert(ejected[e]);
            }
            if (returned) {
                upgradeEjected();
            } else if (state.choiceOf(j) < 0 && state.restarts() > restartLimit) {
                return false;
            }
        }
        return true;
    }

    private int cheapestReturn(int changed) {
        int found = -1;
        double min = IMPOSSIBLE;
        for (int s = 0; s < SAMPLES && movedCount > 0; s++) {
            int j = moved[random.nextInt(movedCount)];
            int retained = candidates.retainedCandidate(j);
            if (j == changed || state.choiceOf(j) == retained || !rows.isOffered(retained)) {
                continue;
            }
            double cost = present(j) - reduced[retained];
            ResourceDemand demand = state.demand(retained);
            for (int i = 0; i < demand.nodes().length; i++) {
                cost += ejectionCost(demand.nodes()[i], demand.pieces()[i], demand);
            }
            if (cost < min) {
                min = cost;
                found = j;
            }
        }
        return found;
    }
}
