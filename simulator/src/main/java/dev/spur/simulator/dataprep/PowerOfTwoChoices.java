package dev.spur.simulator.dataprep;

import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.dataprep.PreparationSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Lending without a plan, after Infiniswap (Gu et al., NSDI '17). Preparations start in order of arrival on the node
 * with the most free memory, with as much of the working set as the node can hold. For each remaining slab of 1 GiB,
 * two random lenders are compared, and the one with more free memory lends it. Lenders that hold none of the
 * preparation's slabs yet are tried first; a slab without a lender stays on disk. A node whose free memory falls below
 * the headroom revokes slabs. It samples as many slabs as it needs plus two, and revokes the least active ones.
 */
final class PowerOfTwoChoices {
    private static final double HEADROOM = 8;
    private static final double NEWEST = 0.7;
    private static final int MORE = 2;

    private final SimulatedHosts hosts;
    private final SplittableRandom random;
    private final double[] smoothed;

    PowerOfTwoChoices(SimulatedHosts hosts, long seed) {
        this.hosts = hosts;
        this.random = new SplittableRandom(seed);
        this.smoothed = new double[hosts.count()];
        for (int v = 0; v < smoothed.length; v++) {
            smoothed[v] = hosts.free(v);
        }
    }

    /** Runs the periodic check of each node and returns the GiB revoked. */
    int watch() {
        int taken = 0;
        for (int v = 0; v < smoothed.length; v++) {
            smoothed[v] = NEWEST * hosts.free(v) + (1 - NEWEST) * smoothed[v];
            int needed = (int) Math.min(hosts.lent(v), Math.ceil(HEADROOM - smoothed[v]));
            if (needed > 0) {
                evict(v, needed);
                smoothed[v] += needed;
                taken += needed;
            }
        }
        return taken;
    }

    private void evict(int lender, int needed) {
        List<Integer> slabs = new ArrayList<>();
        for (int j = 0; j < hosts.activePreparations().size(); j++) {
            PreparationAllocation allocation = hosts.activePreparations().get(j).grant();
            for (int i = 0; allocation != null && i < allocation.borrowedFrom(hosts.id(lender)); i++) {
                slabs.add(j);
            }
        }
        List<Integer> requested = new ArrayList<>();
        for (int i = 0; i < needed + MORE && !slabs.isEmpty(); i++) {
            requested.add(slabs.remove(random.nextInt(slabs.size())));
        }
        requested.sort(Comparator.comparingDouble(j -> activity(j, lender)));
        requested.subList(0, Math.min(needed, requested.size())).forEach(j -> hosts.takeBack(j, lender, 1));
    }

    private double activity(int j, int lender) {
        return hosts.activePreparations().get(j).activity().getOrDefault(hosts.id(lender), 0.0);
    }

    /** Starts waiting preparations in order of arrival, and lends slabs to preparations with slabs on disk. */
    void decide(double now) {
        startAll(now);
        lendSlabs();
    }

    void startAll(double now) {
        for (int j = 0; j < hosts.activePreparations().size(); j++) {
            if (hosts.activePreparations().get(j).grant() == null) {
                start(j, now);
            }
        }
    }

    private void start(int j, double now) {
        PreparationSpec spec = hosts.activePreparations().get(j).spec();
        int best = -1;
        for (int v = 0; v < hosts.count(); v++) {
            if (hosts.cpusLeft(v) >= spec.cpus() && (best < 0 || hosts.free(v) > hosts.free(best))) {
                best = v;
            }
        }
        if (best >= 0 && hosts.free(best) >= spec.minLocalGiB()) {
            int local = (int) Math.min(spec.workingSetGiB(), hosts.free(best));
            hosts.give(j, new PreparationAllocation(hosts.id(best), spec.cpus(), local, List.of(), now));
        }
    }

    void lendSlabs() {
        for (int j = 0; j < hosts.activePreparations().size(); j++) {
            Preparation preparation = hosts.activePreparations().get(j);
            PreparationAllocation allocation = preparation.grant();
            if (allocation != null) {
                int missing = preparation.spec().workingSetGiB() - allocation.localGiB() - allocation.borrowedGiB();
                for (int i = 0; i < missing; i++) {
                    lendSlab(j);
                }
            }
        }
    }

    private void lendSlab(int j) {
        PreparationAllocation allocation = hosts.activePreparations().get(j).grant();
        if (allocation == null) {
            return;
        }
        List<Integer> fresh = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        for (int v = 0; v < hosts.count(); v++) {
            if (!hosts.id(v).equals(allocation.node())) {
                (allocation.borrowedFrom(hosts.id(v)) == 0 ? fresh : others).add(v);
            }
        }
        List<Integer> pool = fresh.size() >= 2 ? fresh : others;
        int first = pool.isEmpty() ? -1 : pool.get(random.nextInt(pool.size()));
        int second = pool.isEmpty() ? -1 : pool.get(random.nextInt(pool.size()));
        int lender = first >= 0 && offer(first) >= offer(second) ? first : second;
        if (lender >= 0 && offer(lender) >= 1) {
            TreeMap<String, Integer> loans = new TreeMap<>();
            allocation.loans().forEach(loan -> loans.put(loan.lender(), loan.gib()));
            loans.merge(hosts.id(lender), 1, Integer::sum);
            List<Loan> lent = new ArrayList<>();
            loans.forEach((node, gib) -> lent.add(new Loan(node, gib)));
            hosts.give(j, allocation.withLoans(lent));
        }
    }

    private double offer(int v) {
        return hosts.free(v) - HEADROOM;
    }
}
