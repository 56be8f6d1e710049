package dev.spur.solver.heuristic;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PieceCost;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.OpportunityCost;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Local search by simulated annealing over ejection chains, guided by reduced costs.
 *
 * <p>A move gives a job with a large loss a better candidate, and ejects the cheapest jobs that are in its way. Ejected
 * jobs are inserted again, and a few jobs with losses use what is free. The move stays if all commitments are met and
 * the objective value is at least the old one minus an exponentially distributed amount with the temperature as its
 * mean. Where more jobs lose their allocation than the restart limit allows, some of them return to it by further
 * ejections.
 */
public final class AnnealingSearch {
    private static final double NOTHING = 1e-9;
    private static final double MIN_GAIN = 1e-12;
    private static final double IMPOSSIBLE = 1e8;
    /** Minimum number of moves between two rankings of the losses. */
    private static final int RANKING_PERIOD = 300;

    private static final int CLOCK_PERIOD = 100;
    /**
     * Lead of the clock over the share of the moves from which on it counts. A smaller lead changes no plan, so that
     * the plan does not depend on the speed of the machine.
     */
    private static final double CLOCK_LEAD = 0.02;

    /** Number of moves even after the time limit: they take less than 0.1 s and remove most losses of a first plan. */
    private static final int MIN_MOVES = 1_000;
    /** Number of sampled jobs that could return to their allocations. */
    private static final int SAMPLES = 10;

    private static final int UPGRADES = 6;
    private static final int RETURNS = 4;

    private final CouplingConstraints constraints;
    private final CandidateSet candidates;
    private final int restartLimit;
    private final PlanState state;
    private final PieceCost pieceCost;
    private final SplittableRandom random;
    private final CandidateRanking ranking;
    private final LossRanking losses;
    private final MoveJournal journal;
    private final EjectionChain ejections;
    private final int[] bestChoice;
    private final int[][] bestNodes;
    private double bestObjective;
    private long moves;

    private AnnealingSearch(CouplingConstraints constraints, double[] prices, PlanState plan, long seed) {
        this.constraints = constraints;
        this.candidates = constraints.candidates();
        this.restartLimit = constraints.restarts().limit();
        this.state = new PlanState(constraints, plan.choice(), plan.nodes());
        this.pieceCost = new OpportunityCost(constraints, state.residual().cluster(), prices);
        this.random = new SplittableRandom(seed);
        this.ranking = new CandidateRanking(constraints, prices);
        this.losses = new LossRanking(state, candidates, ranking);
        this.journal = new MoveJournal(constraints, state);
        this.ejections = new EjectionChain(state, candidates, pieceCost, losses, journal, random);
        this.bestChoice = state.choice();
        this.bestNodes = state.nodes();
        this.bestObjective = state.objective();
    }

    /**
     * Result of the search.
     *
     * @param plan the best plan found
     * @param moves number of moves tried
     * @param isCut whether the clock cooled or ended the search, so that another run may find another plan
     */
    public record Found(PlanState plan, long moves, boolean isCut) {}

    /**
     * Searches from {@code plan}, which satisfies all constraints.
     *
     * @param prices price by row
     * @param clock share of the available time that has passed; at 1 the search ends, after a few moves at least,
     *     unless the share of the moves is within {@link #CLOCK_LEAD} of it
     * @param target objective value at which the search ends
     */
    public static Found improve(
            CouplingConstraints constraints,
            double[] prices,
            PlanState plan,
            AnnealingSettings settings,
            DoubleSupplier clock,
            double target) {
        return new AnnealingSearch(constraints, prices, plan, settings.seed()).search(settings, clock, target);
    }

    private Found search(AnnealingSettings settings, DoubleSupplier clock, double target) {
        double unit = Math.abs(state.objective()) / candidates.jobs();
        long period = Math.max(RANKING_PERIOD, candidates.jobs() / 4);
        boolean cut = false;
        double progress = 0;
        double temperature = settings.temperature(unit, 0);
        while ((progress < 1 || moves < MIN_MOVES) && bestObjective < target) {
            if (moves % period == 0) {
                losses.update();
                if (losses.isEmpty()) {
                    break;
                }
            }
            if (moves % CLOCK_PERIOD == 0) {
                double time = clock.getAsDouble();
                double work = (double) moves / settings.maxMoves();
                boolean isClockAhead = time > work + CLOCK_LEAD && work < 1;
                cut |= isClockAhead;
                progress = isClockAhead ? time : work;
                temperature = settings.temperature(unit, progress);
            }
            moves++;
            move(temperature);
        }
        return new Found(new PlanState(constraints, bestChoice, bestNodes), moves, cut);
    }

    private void move(double temperature) {
        journal.start();
        ejections.start();
        double before = state.objective();
        int j = losses.jobAfter(Math.pow(random.nextDouble(), 2.5));
        boolean done = changeTo(j, betterCandidate(j));
        if (done) {
            reinsertEjected();
            for (int i = 0; i < UPGRADES; i++) {
                int other = losses.jobAfter(square(random.nextDouble()));
                if (other != j) {
                    upgrade(other);
                }
            }
            upgradeEjected();
            done = returnToAllocations(j) && journal.meetsCommitments();
        }
        double after = state.objective();
        boolean accepted = done
                && state.restarts() <= restartLimit
                && after >= before + temperature * Math.log(1 - random.nextDouble());
        if (!accepted) {
            journal.undo();
        } else if (after > bestObjective + NOTHING) {
            bestObjective = after;
            state.copyTo(bestChoice, bestNodes);
        }
    }

    private static double square(double value) {
        return value * value;
    }

    /** Returns a candidate with a larger reduced cost than the present one, mostly the best; -1 for waiting. */
    private int betterCandidate(int j) {
        int desired = -1;
        double now = losses.present(j);
        for (int c : ranking.order(j)) {
            if (ranking.reducedCost(c) <= now + NOTHING) {
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
            return ejections.force(j, desired);
        }
        if (state.choiceOf(j) < 0 || !constraints.mayWait(j)) {
            return false;
        }
        ejections.remove(j);
        return true;
    }

    /** Inserts ejected jobs again, those with the largest reduced cost first, with some noise. */
    private void reinsertEjected() {
        int count = ejections.count();
        double[] rank = new double[count];
        Integer[] by = new Integer[count];
        for (int i = 0; i < count; i++) {
            rank[i] = ranking.best(ejections.job(i)) * (0.7 + 0.6 * random.nextDouble());
            by[i] = i;
        }
        Arrays.sort(by, Comparator.comparingDouble(i -> -rank[i]));
        for (int i : by) {
            insert(ejections.job(i));
        }
    }

    private void upgradeEjected() {
        for (int i = 0; i < ejections.count(); i++) {
            if (losses.loss(ejections.job(i)) > NOTHING) {
                upgrade(ejections.job(i));
            }
        }
    }

    private void insert(int j) {
        if (state.choiceOf(j) >= 0) {
            return;
        }
        for (int c : ranking.order(j)) {
            if (ranking.reducedCost(c) <= -1e-3 && constraints.mayWait(j)) {
                return;
            }
            if (put(j, c)) {
                return;
            }
        }
    }

    private boolean put(int j, int c) {
        int[] on = state.nodesFor(c, pieceCost);
        if (on == null) {
            return false;
        }
        journal.record(j);
        state.putOn(c, on);
        return true;
    }

    /** Gives job {@code j} a candidate of higher utility if the unused capacity allows it. */
    private void upgrade(int j) {
        int now = state.choiceOf(j);
        double least = (now < 0 ? 0 : constraints.worth(now)) + MIN_GAIN;
        boolean mustStay = candidates.isRetained(now) && state.restarts() >= restartLimit;
        IntPredicate isBetter =
                c -> constraints.worth(c) > least && c != now && (!mustStay || candidates.isRetained(c));
        if (IntStream.of(ranking.order(j)).noneMatch(isBetter)) {
            return;
        }
        int[] on = state.nodesOf(j);
        ejections.remove(j);
        for (int c : ranking.order(j)) {
            if (isBetter.test(c) && put(j, c)) {
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
            ejections.start();
            boolean returned = ejections.force(j, candidates.retainedCandidate(j));
            if (!returned) {
                insert(j);
            }
            for (int e = 0; e < ejections.count(); e++) {
                insert(ejections.job(e));
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
        for (int s = 0; s < SAMPLES && losses.movedCount() > 0; s++) {
            int j = losses.movedJob(random.nextInt(losses.movedCount()));
            int retained = candidates.retainedCandidate(j);
            if (j == changed || candidates.isRetained(state.choiceOf(j)) || !constraints.isOffered(retained)) {
                continue;
            }
            double cost = ejections.costWithEjections(
                    losses.present(j) - ranking.reducedCost(retained), state.demand(retained));
            if (cost < min) {
                min = cost;
                found = j;
            }
        }
        return found;
    }
}
