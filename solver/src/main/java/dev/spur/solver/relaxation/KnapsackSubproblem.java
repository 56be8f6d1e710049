package dev.spur.solver.relaxation;

import dev.spur.solver.knapsack.Knapsack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Subproblem of jobs that share quotas and caps with no other jobs: a knapsack finds the best joint choice within these
 * limits.
 */
public final class KnapsackSubproblem implements Subproblem {
    private final CouplingConstraints constraints;
    private final int[] jobs;
    private final List<LocalQuota> quotas;
    private final List<LocalCap> caps;
    private final Knapsack knapsack;
    /** Candidate by alternative; -1 for waiting. */
    private final int[] candidate;

    private Knapsack.@Nullable KnapsackSolution solution;

    private KnapsackSubproblem(
            CouplingConstraints constraints,
            int[] jobs,
            List<LocalQuota> quotas,
            List<LocalCap> caps,
            Knapsack knapsack,
            int[] candidate) {
        this.constraints = constraints;
        this.jobs = jobs;
        this.quotas = quotas;
        this.caps = caps;
        this.knapsack = knapsack;
        this.candidate = candidate;
    }

    /** Returns the subproblem of the jobs; empty if its states do not fit the knapsack. */
    static Optional<KnapsackSubproblem> of(CouplingConstraints constraints, int[] jobs, List<LocalQuota> quotas) {
        Map<LocalCap, Integer> capNumbers = new LinkedHashMap<>();
        int[] capOf = new int[jobs.length];
        for (int i = 0; i < jobs.length; i++) {
            LocalCap cap = constraints.privateCap(jobs[i]);
            capOf[i] = cap == null ? -1 : capNumbers.computeIfAbsent(cap, any -> capNumbers.size());
        }
        List<LocalCap> caps = List.copyOf(capNumbers.keySet());
        int[] start = new int[jobs.length + 1];
        List<Integer> alternatives = new ArrayList<>();
        for (int i = 0; i < jobs.length; i++) {
            if (constraints.mayWait(jobs[i])) {
                alternatives.add(-1);
            }
            constraints.candidatesOf(jobs[i]).forEach(alternatives::add);
            start[i + 1] = alternatives.size();
        }
        int[] candidate = alternatives.stream().mapToInt(Integer::intValue).toArray();
        Map<Integer, Integer> numbers = new HashMap<>();
        quotas.forEach(quota -> numbers.put(quota.row(), numbers.size()));
        return Knapsack.of(
                        quotas.stream()
                                .map(quota -> new Knapsack.Quota(quota.max(), quota.retainedSlots()))
                                .toList(),
                        caps.stream()
                                .map(cap -> new Knapsack.Cap(cap.slots(), cap.jobs()))
                                .toList(),
                        start,
                        capOf,
                        IntStream.of(candidate)
                                .map(c -> c < 0 ? -1 : numbers.getOrDefault(constraints.privateRow(c), -1))
                                .toArray(),
                        IntStream.of(candidate)
                                .map(c -> c < 0 ? 0 : constraints.candidates().units(constraints.candidate(c)))
                                .toArray())
                .map(knapsack -> new KnapsackSubproblem(constraints, jobs, quotas, caps, knapsack, candidate));
    }

    /** Returns the rows of the quotas and caps that it enforces. */
    List<Integer> ownRows() {
        List<Integer> own = new ArrayList<>();
        quotas.forEach(quota -> own.add(quota.row()));
        caps.forEach(cap -> {
            own.add(cap.slotsRow());
            own.add(cap.jobsRow());
        });
        own.removeIf(row -> row < 0);
        return own;
    }

    @Override
    public int[] jobs() {
        return jobs;
    }

    @Override
    public Column solve(double[] prices, int maxStates) {
        double[] value = IntStream.of(candidate)
                .mapToDouble(c -> c < 0 ? 0 : constraints.reducedWorth(c, prices))
                .toArray();
        double[] claimPrices =
                quotas.stream().mapToDouble(quota -> quota.price(prices)).toArray();
        Knapsack.KnapsackSolution now = knapsack.solve(value, claimPrices, maxStates);
        solution = now;
        int[] chosen = now.choice();
        if (chosen == null) {
            return Column.nothing(now.bound());
        }
        double[] use = new double[prices.length];
        double worth = 0;
        for (int a : chosen) {
            if (candidate[a] >= 0) {
                worth += constraints.worth(candidate[a]);
                constraints.addUse(candidate[a], 1, use);
            }
        }
        for (LocalQuota quota : quotas) {
            // The column contains the used slots of the quota; other subproblems only see the claim.
            int claim = quota.claim((int) Math.round(use[quota.row()]));
            quota.counts().forEach(r -> use[r] += claim);
        }
        ownRows().forEach(r -> use[r] = 0);
        return Column.of(
                now.bound(),
                worth,
                use,
                IntStream.of(chosen).map(a -> candidate[a]).toArray());
    }

    /**
     * Returns the total reduced cost of the jobs at {@code prices} for {@code choice}, a candidate or -1 per job, which
     * satisfies the limits.
     */
    public double gain(double[] prices, IntUnaryOperator choice) {
        double gain = 0;
        Map<Integer, Integer> slots = new HashMap<>();
        for (int j : jobs) {
            int c = choice.applyAsInt(j);
            if (c >= 0) {
                gain += constraints.reducedWorth(c, prices);
                slots.merge(
                        constraints.privateRow(c),
                        constraints.candidates().units(constraints.candidate(c)),
                        Integer::sum);
            }
        }
        for (LocalQuota quota : quotas) {
            gain -= quota.claim(slots.getOrDefault(quota.row(), 0)) * quota.price(prices);
        }
        return gain;
    }

    @Override
    public void writeDecisions(DualDecisions decisions) {
        Knapsack.KnapsackSolution last = solution;
        if (last == null) {
            throw new IllegalStateException("no solution to report; call solve first");
        }
        int[] chosen = last.choice();
        for (int i = 0; i < jobs.length; i++) {
            decisions.choose(jobs[i], chosen == null ? -1 : candidate[chosen[i]]);
            decisions.slack(jobs[i], last.relaxationValue() - last.bound());
        }
        double[] prices = knapsack.prices();
        for (int q = 0; q < quotas.size(); q++) {
            decisions.price(quotas.get(q).row(), prices[q]);
        }
        for (int g = 0; g < caps.size(); g++) {
            writePrice(caps.get(g).slotsRow(), prices[quotas.size() + 2 * g], decisions);
            writePrice(caps.get(g).jobsRow(), prices[quotas.size() + 2 * g + 1], decisions);
        }
        decisions.add(new DualDecisions.JointSubproblem(this, last.bound()));
    }

    private static void writePrice(int row, double price, DualDecisions decisions) {
        if (row >= 0) {
            decisions.price(row, price);
        }
    }
}
