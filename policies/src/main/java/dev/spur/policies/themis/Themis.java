package dev.spur.policies.themis;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.ConfigurationProgram;
import dev.spur.policies.support.IsolatedShare;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Themis: slots are leased, and what is free goes to the jobs that are furthest behind what they would have alone.
 *
 * <pre>
 * rho(j, c) = (age + R / goodput(c)) / (iso + R / (goodput(requested) * min(1, K / (jobs * requested))))
 * </pre>
 *
 * with iso, the time that the work done so far would have taken alone. Each round the slots whose leases have run out
 * go to the worst part 1 - f of the jobs by their rho at present, so that the product of 1 / rho is greatest; what they
 * leave goes to whom it was leased before, and then by arrival.
 *
 * <p>Source: Mahajan et al., NSDI '20. Rho is certain, the auction a reconstruction; its payments, which keep bids
 * honest, are left out, since all profiles are known.
 */
public final class Themis implements Policy {
    private static final String ISOLATION = "themis/isolation/";
    private static final String LEASE = "themis/lease/";

    /** Seconds after which a lease runs out. */
    private static final double LEASE_SECONDS = 1200;

    /** More than the logarithm of any rho: any job that runs is worth more than the best shape of another one. */
    private static final double RUNS = 50;

    private final String name;
    private final double fairness;

    /** @param fairness part f of the jobs, from 0 to 1, that the auction leaves out: the higher, the fairer */
    public Themis(String name, double fairness) {
        this.name = name;
        this.fairness = fairness;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        return new Auction(RoundView.of(problem, BatchRule.USER)).decide();
    }

    /** Finish-time fairness of a job with {@code goodput} from now on; infinite if that is 0. */
    static double rho(double age, double left, double goodput, double isolatedSeconds, double isolatedGoodput) {
        double alone = isolatedSeconds + left / isolatedGoodput;
        return goodput == 0 ? Double.POSITIVE_INFINITY : (age + left / goodput) / alone;
    }

    private final class Auction {
        private final RoundView snapshot;
        private final IsolatedShare isolation;
        private final Map<String, Double> counters = new HashMap<>();

        Auction(RoundView snapshot) {
            this.snapshot = snapshot;
            this.isolation = new IsolatedShare(snapshot, ISOLATION);
        }

        Decision decide() {
            List<Integer> runnable = IntStream.range(0, snapshot.jobs())
                    .filter(j -> isolatedGoodput(j) > 0)
                    .boxed()
                    .toList();
            Set<Integer> leased = new HashSet<>();
            runnable.stream().filter(this::holdsALease).forEach(leased::add);
            Set<Integer> bidders = worst(runnable.stream()
                    .filter(j -> !leased.contains(j) && !snapshot.isPinned(j))
                    .toList());
            SlotAllocations grants = leave(auction(bidders, leased), runnable);
            runnable.forEach(j -> isolation.remember(j, isolatedGoodput(j), counters));
            runnable.forEach(j -> remember(j, grants.slots(j) > 0, leased.contains(j)));
            return PlacementState.decide(grants, new RoundMemory(Map.of(), counters));
        }

        private boolean holdsALease(int j) {
            Job job = snapshot.job(j);
            Allocation held = job.allocation();
            return held != null && snapshot.now() - leaseOf(job, held) < LEASE_SECONDS && snapshot.mayStay(j);
        }

        private double leaseOf(Job job, Allocation held) {
            double known = snapshot.problem().memory().counters().getOrDefault(LEASE + job.id(), held.since());
            return Math.max(known, held.since());
        }

        private void remember(int j, boolean runs, boolean leased) {
            Job job = snapshot.job(j);
            Allocation held = job.allocation();
            if (runs) {
                double since = leased && held != null ? leaseOf(job, held) : snapshot.now();
                counters.put(LEASE + job.id(), since);
            }
        }

        /** The worst part of {@code jobs} by their rho at present; at least one, if there are any. */
        private Set<Integer> worst(List<Integer> jobs) {
            int count = (int) Math.ceil((1 - fairness) * jobs.size() - 1e-9);
            Comparator<Integer> worstFirst = Comparator.comparingDouble(j -> -rho(j, snapshot.heldGoodput(j)));
            return new HashSet<>(jobs.stream()
                    .sorted(worstFirst.thenComparing(JobOrders.ties(snapshot)))
                    .limit(Math.max(1, count))
                    .toList());
        }

        private SlotAllocations auction(Set<Integer> bidders, Set<Integer> leased) {
            ConfigurationProgram program = new ConfigurationProgram(snapshot);
            for (int j = 0; j < snapshot.jobs(); j++) {
                NodePartition held = snapshot.heldLane(j);
                if (leased.contains(j) && held != null) {
                    program.offer(j, held, snapshot.held(j), RUNS * snapshot.jobs());
                }
                if (bidders.contains(j)) {
                    bid(program, j);
                }
            }
            return program.solve();
        }

        private void bid(ConfigurationProgram program, int j) {
            for (NodePartition lane : snapshot.lanesOf(j)) {
                for (int slots : snapshot.counts(j, lane)) {
                    double value = RUNS - Math.log(rho(j, snapshot.goodput(j, lane, slots)));
                    program.offer(j, lane, slots, Math.max(1e-3, value));
                }
            }
        }

        /** Gives what the auction leaves to those who have nothing: their last lease first, else what they ask for. */
        private SlotAllocations leave(SlotAllocations grants, List<Integer> runnable) {
            List<Integer> others = runnable.stream()
                    .filter(j -> grants.slots(j) == 0)
                    .sorted(JobOrders.ties(snapshot))
                    .toList();
            for (int j : others) {
                NodePartition held = snapshot.heldLane(j);
                if (held != null) {
                    grants.give(j, held, snapshot.held(j));
                }
            }
            others.stream().filter(j -> grants.slots(j) == 0).forEach(j -> grants.give(j, snapshot.requested(j)));
            return grants;
        }

        private double rho(int j, double goodput) {
            Job job = snapshot.job(j);
            double age = Math.max(0, snapshot.now() - job.arrival());
            return Themis.rho(age, job.remainingSamples(), goodput, isolation.seconds(j), isolatedGoodput(j));
        }

        /** Goodput on what the job asks for, or on as much of the cluster as everybody has if that is less. */
        private double isolatedGoodput(int j) {
            double best = 0;
            for (NodePartition lane : snapshot.lanesOf(j)) {
                best = Math.max(best, snapshot.goodput(j, lane, snapshot.requested(j)));
            }
            return best
                    * Math.min(1, (double) snapshot.slots() / (snapshot.jobs() * Math.max(1, snapshot.requested(j))));
        }
    }
}
