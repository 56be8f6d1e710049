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
 * Themis: slots are leased; free slots go to the jobs that are furthest behind their isolated progress.
 *
 * <pre>
 * rho(j, c) = (age + R / goodput(c)) / (iso + R / (goodput(requested) * min(1, K / (jobs * requested))))
 * </pre>
 *
 * with iso, the time that the completed work would have taken in isolation. Each round, slots with expired leases go to
 * the worst fraction 1 - f of the jobs by their current rho, so that the product of 1 / rho is maximal. Remaining slots
 * go to their previous lessees, then by arrival.
 *
 * <p>Source: Mahajan et al., NSDI '20. Rho is certain, the auction a reconstruction. The payments, which keep bids
 * honest, are omitted, because all profiles are known.
 */
public final class Themis implements Policy {
    private static final String ISOLATION = "themis/isolation/";
    private static final String LEASE = "themis/lease/";

    /** Duration of a lease in seconds. */
    private static final double LEASE_SECONDS = 1200;

    /** Larger than the logarithm of any rho: running one more job always outweighs a better shape of another one. */
    private static final double RUNS = 50;

    private final String name;
    private final double fairness;

    /**
     * Creates the policy.
     *
     * @param fairness fraction f of the jobs, from 0 to 1, that does not take part in the auction; higher is fairer
     */
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

    /** Returns the finish-time fairness of a job with {@code goodput} from now on; infinite if that is 0. */
    static double rho(double age, double left, double goodput, double isolatedSeconds, double isolatedGoodput) {
        double alone = isolatedSeconds + left / isolatedGoodput;
        return goodput == 0 ? Double.POSITIVE_INFINITY : (age + left / goodput) / alone;
    }

    private final class Auction {
        private final RoundView view;
        private final IsolatedShare isolatedShare;
        private final Map<String, Double> counters = new HashMap<>();

        Auction(RoundView view) {
            this.view = view;
            this.isolatedShare = new IsolatedShare(view, ISOLATION);
        }

        Decision decide() {
            List<Integer> runnable = IntStream.range(0, view.jobs())
                    .filter(j -> isolatedGoodput(j) > 0)
                    .boxed()
                    .toList();
            Set<Integer> leased = new HashSet<>();
            runnable.stream().filter(this::holdsLease).forEach(leased::add);
            Set<Integer> bidders = worstJobs(runnable.stream()
                    .filter(j -> !leased.contains(j) && !view.isPinned(j))
                    .toList());
            SlotAllocations allocations = grantLeftover(auction(bidders, leased), runnable);
            runnable.forEach(j -> isolatedShare.remember(j, isolatedGoodput(j), counters));
            runnable.forEach(j -> remember(j, allocations.slots(j) > 0, leased.contains(j)));
            return PlacementState.decide(allocations, new RoundMemory(Map.of(), counters));
        }

        private boolean holdsLease(int j) {
            Job job = view.job(j);
            Allocation heldAllocation = job.allocation();
            return heldAllocation != null
                    && view.now() - leaseOf(job, heldAllocation) < LEASE_SECONDS
                    && view.mayStay(j);
        }

        private double leaseOf(Job job, Allocation heldAllocation) {
            double known = view.problem().memory().counters().getOrDefault(LEASE + job.id(), heldAllocation.since());
            return Math.max(known, heldAllocation.since());
        }

        private void remember(int j, boolean runs, boolean leased) {
            Job job = view.job(j);
            Allocation heldAllocation = job.allocation();
            if (runs) {
                double since = leased && heldAllocation != null ? leaseOf(job, heldAllocation) : view.now();
                counters.put(LEASE + job.id(), since);
            }
        }

        /**
         * Returns the worst fraction of {@code jobs} by their current rho; at least one job unless {@code jobs} is
         * empty.
         */
        private Set<Integer> worstJobs(List<Integer> jobs) {
            int count = (int) Math.ceil((1 - fairness) * jobs.size() - 1e-9);
            Comparator<Integer> worstFirst = Comparator.comparingDouble(j -> -rho(j, view.heldGoodput(j)));
            return new HashSet<>(jobs.stream()
                    .sorted(worstFirst.thenComparing(JobOrders.ties(view)))
                    .limit(Math.max(1, count))
                    .toList());
        }

        private SlotAllocations auction(Set<Integer> bidders, Set<Integer> leased) {
            ConfigurationProgram program = new ConfigurationProgram(view);
            for (int j = 0; j < view.jobs(); j++) {
                NodePartition partition = view.heldPartition(j);
                if (leased.contains(j) && partition != null) {
                    program.offer(j, partition, view.heldSlots(j), RUNS * view.jobs());
                }
                if (bidders.contains(j)) {
                    bid(program, j);
                }
            }
            return program.solve();
        }

        private void bid(ConfigurationProgram program, int j) {
            for (NodePartition partition : view.partitionsOf(j)) {
                for (int slots : view.counts(j, partition)) {
                    double value = RUNS - Math.log(rho(j, view.goodput(j, partition, slots)));
                    program.offer(j, partition, slots, Math.max(1e-3, value));
                }
            }
        }

        /**
         * Grants the slots that remain after the auction to jobs without slots: those of their last lease first,
         * otherwise the requested number.
         */
        private SlotAllocations grantLeftover(SlotAllocations allocations, List<Integer> runnable) {
            List<Integer> others = runnable.stream()
                    .filter(j -> allocations.slots(j) == 0)
                    .sorted(JobOrders.ties(view))
                    .toList();
            for (int j : others) {
                NodePartition partition = view.heldPartition(j);
                if (partition != null) {
                    allocations.grant(j, partition, view.heldSlots(j));
                }
            }
            others.stream()
                    .filter(j -> allocations.slots(j) == 0)
                    .forEach(j -> allocations.grant(j, view.requestedSlots(j)));
            return allocations;
        }

        private double rho(int j, double goodput) {
            Job job = view.job(j);
            double age = Math.max(0, view.now() - job.arrival());
            return Themis.rho(age, job.remainingSamples(), goodput, isolatedShare.seconds(j), isolatedGoodput(j));
        }

        /** Returns the goodput on the requested slots, or on an equal share of the cluster if that is smaller. */
        private double isolatedGoodput(int j) {
            double best = 0;
            for (NodePartition partition : view.partitionsOf(j)) {
                best = Math.max(best, view.goodput(j, partition, view.requestedSlots(j)));
            }
            return best * Math.min(1, (double) view.slots() / (view.jobs() * Math.max(1, view.requestedSlots(j))));
        }
    }
}
