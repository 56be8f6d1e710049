package dev.spur.solver.pricing;

import dev.spur.solver.knapsack.Knapsack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Jobs that share quotas with nobody else: together they take what is best for all of them within these quotas. */
final class QuotaJobs implements Block {
    private final CouplingRows rows;
    private final int[] jobs;
    private final List<PrivateQuota> quotas;
    private final Knapsack knapsack;
    /** By alternative its candidate; -1 for waiting. */
    private final int[] candidate;

    private Knapsack.@Nullable Decided decided;

    QuotaJobs(CouplingRows rows, int[] jobs, List<PrivateQuota> quotas) {
        this.rows = rows;
        this.jobs = jobs;
        this.quotas = List.copyOf(quotas);
        int[] start = new int[jobs.length + 1];
        List<Integer> alternatives = new ArrayList<>();
        for (int i = 0; i < jobs.length; i++) {
            if (rows.mayWait(jobs[i])) {
                alternatives.add(-1);
            }
            rows.offered(jobs[i]).forEach(alternatives::add);
            start[i + 1] = alternatives.size();
        }
        candidate = alternatives.stream().mapToInt(Integer::intValue).toArray();
        Map<Integer, Integer> numbers = new HashMap<>();
        quotas.forEach(quota -> numbers.put(quota.row(), numbers.size()));
        knapsack = new Knapsack(
                quotas.stream()
                        .map(quota -> new Knapsack.Quota(quota.most(), quota.kept()))
                        .toList(),
                start,
                IntStream.of(candidate)
                        .map(c -> c < 0 ? -1 : numbers.getOrDefault(rows.privateRow(c), -1))
                        .toArray(),
                IntStream.of(candidate)
                        .map(c -> c < 0 ? 0 : rows.candidate(c).slots())
                        .toArray());
    }

    List<PrivateQuota> quotas() {
        return quotas;
    }

    @Override
    public int[] jobs() {
        return jobs;
    }

    @Override
    public Answer answer(double[] prices, int care) {
        double[] value = IntStream.of(candidate)
                .mapToDouble(c -> c < 0 ? 0 : rows.reducedWorth(c, prices))
                .toArray();
        double[] claimPrices =
                quotas.stream().mapToDouble(quota -> quota.price(prices)).toArray();
        Knapsack.Decided now = knapsack.solve(value, claimPrices, care);
        decided = now;
        int[] chosen = now.chosen();
        if (chosen == null) {
            return Answer.nothing(now.bound());
        }
        double[] use = new double[prices.length];
        double worth = 0;
        for (int a : chosen) {
            if (candidate[a] >= 0) {
                worth += rows.worth(candidate[a]);
                rows.addUse(candidate[a], 1, use);
            }
        }
        for (PrivateQuota quota : quotas) {
            // the matrix says how many slots of the quota are used; other blocks only see what is claimed
            int claim = quota.claim((int) Math.round(use[quota.row()]));
            quota.counts().forEach(r -> use[r] += claim);
            use[quota.row()] = 0;
        }
        return Answer.of(
                now.bound(),
                worth,
                use,
                IntStream.of(chosen).map(a -> candidate[a]).toArray());
    }

    /** What the jobs gain at {@code prices} by {@code choice}, which keeps to the quotas: a candidate for each, or -1. */
    double gain(double[] prices, IntUnaryOperator choice) {
        double gain = 0;
        Map<Integer, Integer> slots = new HashMap<>();
        for (int j : jobs) {
            int c = choice.applyAsInt(j);
            if (c >= 0) {
                gain += rows.reducedWorth(c, prices);
                slots.merge(rows.privateRow(c), rows.candidate(c).slots(), Integer::sum);
            }
        }
        for (PrivateQuota quota : quotas) {
            gain -= quota.claim(slots.getOrDefault(quota.row(), 0)) * quota.price(prices);
        }
        return gain;
    }

    @Override
    public void settle(Settled settled) {
        Knapsack.Decided last = decided;
        if (last == null) {
            throw new IllegalStateException("nothing was asked yet");
        }
        int[] chosen = last.chosen();
        for (int i = 0; i < jobs.length; i++) {
            settled.choose(jobs[i], chosen == null ? -1 : candidate[chosen[i]]);
            settled.slack(jobs[i], last.relaxed() - last.bound());
        }
        double[] prices = knapsack.prices();
        for (int q = 0; q < prices.length; q++) {
            settled.price(quotas.get(q).row(), prices[q]);
        }
        settled.add(new Settled.Together(this, last.bound()));
    }
}
