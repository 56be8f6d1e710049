package dev.spur.solver.heuristic;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.placement.PieceCost;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.quota.QuotaUsage;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Gives a job a candidate that does not fit, and ejects the jobs with the smallest losses that are in its way. */
final class EjectionChain {
    private static final double IMPOSSIBLE = 1e8;
    /** Number of sampled jobs of an account, and of sampled nodes. */
    private static final int SAMPLES = 10;

    private static final int MAX_EJECTIONS = 8;

    private final PlanState state;
    private final CandidateSet candidates;
    private final ResidualCluster cluster;
    private final PieceCost pieceCost;
    private final LossRanking losses;
    private final MoveJournal journal;
    private final SplittableRandom random;
    private int[] ejected = new int[64];
    private int count;

    EjectionChain(
            PlanState state,
            CandidateSet candidates,
            PieceCost pieceCost,
            LossRanking losses,
            MoveJournal journal,
            SplittableRandom random) {
        this.state = state;
        this.candidates = candidates;
        this.cluster = state.residual().cluster();
        this.pieceCost = pieceCost;
        this.losses = losses;
        this.journal = journal;
        this.random = random;
    }

    /** Starts a chain without ejected jobs. */
    void start() {
        count = 0;
    }

    /** Returns the number of jobs that this chain has ejected. */
    int count() {
        return count;
    }

    /** Returns an ejected job. */
    int job(int i) {
        return ejected[i];
    }

    /** Lets job {@code j} wait; it does not count as ejected. */
    void remove(int j) {
        journal.record(j);
        state.remove(j);
    }

    private void eject(int j) {
        remove(j);
        if (count == ejected.length) {
            ejected = Arrays.copyOf(ejected, 2 * count);
        }
        ejected[count++] = j;
    }

    /** Gives job {@code j} candidate {@code c} and ejects others where it does not fit; returns whether it runs. */
    boolean force(int j, int c) {
        remove(j);
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

    /** Returns {@code base} plus the costs of ejecting jobs from the nodes of {@code demand} until they hold it. */
    double costWithEjections(double base, ResourceDemand demand) {
        double cost = base;
        for (int i = 0; i < demand.nodes().length; i++) {
            cost += ejectionCost(demand.nodes()[i], demand.pieces()[i], demand);
        }
        return cost;
    }

    private boolean freeAccounts(ResourceDemand demand) {
        return freeAccount(demand.account(), demand.units())
                && freeAccount(demand.nonPreemptibleAccount(), demand.units());
    }

    private boolean freeAccount(int account, int units) {
        QuotaUsage quotas = state.residual().quotas();
        for (int i = 0; i < MAX_EJECTIONS + 4; i++) {
            int a = quotas.blocking(account, units);
            if (a < 0) {
                return true;
            }
            int out = cheapestOf(a);
            if (out < 0) {
                return false;
            }
            eject(out);
        }
        return quotas.blocking(account, units) < 0;
    }

    private int cheapestOf(int account) {
        int size = state.jobsByAccount().size(account);
        int found = -1;
        double min = IMPOSSIBLE;
        for (int i = 0; i < Math.min(size, SAMPLES); i++) {
            int j = state.jobsByAccount().get(account, size <= SAMPLES ? i : random.nextInt(size));
            double cost = candidates.isPinned(j) ? IMPOSSIBLE : noisyMargin(j, 1.5) / devices(j);
            if (cost < min) {
                min = cost;
                found = j;
            }
        }
        return found;
    }

    private double devices(int j) {
        return candidates.get(state.choiceOf(j)).devices();
    }

    private double noisyMargin(int j, double noise) {
        return losses.margin(j) * (1 + noise * random.nextDouble());
    }

    private boolean freeCap(ResourceDemand demand) {
        GroupCaps.Cap cap = demand.cap();
        for (int i = 0; i < MAX_EJECTIONS && cap != null && !state.residual().groupAllows(demand); i++) {
            int found = cheapest(state.jobsByGroup(), cap.index(), false);
            if (found < 0) {
                return false;
            }
            eject(found);
        }
        return state.residual().groupAllows(demand);
    }

    /** Returns the job of a list with the smallest loss by leaving, with some noise; -1 if all are pinned. */
    private int cheapest(JobLists lists, int key, boolean perSlot) {
        int found = -1;
        double min = IMPOSSIBLE;
        for (int i = 0; i < lists.size(key); i++) {
            int j = lists.get(key, i);
            double cost = candidates.isPinned(j) ? IMPOSSIBLE : noisyMargin(j, 1) / (perSlot ? weight(j) : 1);
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
                candidates.clusterIndex().classes().get(demand.nodeClass()).nodes();
        int[] on = new int[demand.pieces().length];
        for (int i = 0; i < on.length; i++) {
            int piece = demand.pieces()[i];
            int v = cluster.cheapest(piece, demand, pieceCost, on, i);
            double min = v < 0
                    ? Double.POSITIVE_INFINITY
                    : Math.max(0, pieceCost.of(v, piece, demand) - pieceCost.min(piece, demand));
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
            for (int r = 0; r < Math.min(63, state.jobsByNode().size(v)); r++) {
                int j = state.jobsByNode().get(v, r);
                if ((out >> r & 1) == 0 && !candidates.isPinned(j)) {
                    double cost = losses.margin(j) / weight(j);
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
            sum += losses.margin(state.jobsByNode().get(v, found));
        }
        return IMPOSSIBLE;
    }

    private double weight(int j) {
        return state.nodesOf(j).length == 1 ? devices(j) : 1;
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
            int found = i < MAX_EJECTIONS ? cheapest(state.jobsByNode(), v, true) : -1;
            if (found < 0) {
                return false;
            }
            eject(found);
        }
        return true;
    }
}
