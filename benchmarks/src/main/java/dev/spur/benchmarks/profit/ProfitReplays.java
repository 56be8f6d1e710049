package dev.spur.benchmarks.profit;

import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.format.TraceReaders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Replays of recorded traces under several policies on nodes of 4 T4, and the money of each. */
public final class ProfitReplays {
    private static final String TYPE = "T4";
    private static final int SLOTS = 4;
    private static final double ROUND_SECONDS = 60;
    /** The plan validator checks one decision of this number. */
    private static final int CHECK_EVERY = 20;
    /** Limits of a decision of Spur: the same plans on every machine. */
    private static final double GAP = 0.005;

    private static final SolveBudget BUDGET = new SolveBudget(0.1, 600, 1, 1);
    /** A replay without jobs that run or arrive ends after this time, seconds. */
    private static final double STALL_SECONDS = 7200;
    /** Time from the start of one workload to that of the next one, seconds. */
    private static final double WORKLOAD_SECONDS = 8 * 3600;
    /** Wait after which a job runs whatever it costs, seconds: longer than every replay. */
    private static final double NEVER = 1e9;

    /**
     * A compared policy.
     *
     * @param name its name in tables
     * @param policy name of the policy
     * @param settings settings of its rounds
     * @param rigid true if its jobs run on the requested slots only
     * @param countsRevenue true if its decisions depend on the revenues
     */
    private record Contender(
            String name, String policy, RoundSettings settings, boolean rigid, boolean countsRevenue) {}

    private final Path data;
    private final double price;
    private final MarketPrices market;
    private final boolean toTheEnd;
    private final int workers;
    private final List<Contender> contenders;

    /**
     * @param data folder of the measured profiles and traces
     * @param price price of a slot-hour of each node
     * @param toTheEnd true if the money counts until all jobs have ended; false if it counts until the last arrival
     * @param workers replays at a time, at least 1
     */
    public ProfitReplays(Path data, double price, MarketPrices market, boolean toTheEnd, int workers) {
        this.data = data;
        this.price = price;
        this.market = market;
        this.toTheEnd = toTheEnd;
        this.workers = workers;
        RoundSettings planning = RoundSettings.DEFAULT.withEffort(GAP, BUDGET);
        RoundSettings profit = planning.withObjective(Objective.of(ObjectiveKind.PROFIT))
                .withWaitLimitFactor(null)
                .withStarvationLimit(NEVER);
        contenders = List.of(
                new Contender("spur, PROFIT", "spur", profit, false, true),
                new Contender("eta-greedy", "eta-greedy", planning, false, false),
                new Contender("spur, COMPLETION_TIME", "spur", planning, false, false),
                new Contender("fifo", "fifo", planning, true, false));
    }

    /**
     * Replays traces and returns a row for each trace, number of nodes and policy.
     *
     * @param sources folders of workloads
     * @param workloads numbers of the workloads of a trace, in their order
     * @param nodes numbers of nodes
     * @param seeds seeds of the markups
     */
    public ResultTable run(List<String> sources, List<Integer> workloads, List<Integer> nodes, List<Long> seeds)
            throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        try {
            List<Future<List<MoneyRow>>> tasks = new ArrayList<>();
            for (String source : sources) {
                for (int count : nodes) {
                    ClusterFile cluster = new ClusterFile(
                            List.of(new NodeKind(TYPE, count, SLOTS, null, null, null, null, price, null, null, null)));
                    Trace elastic = read(source, workloads, "sia-fixed-batch", cluster);
                    Trace rigid = read(source, workloads, "sia-rigid", cluster);
                    for (Contender contender : contenders) {
                        Trace trace = contender.rigid() ? rigid : elastic;
                        Stream<List<Long>> parts =
                                contender.countsRevenue() ? seeds.stream().map(List::of) : Stream.of(seeds);
                        parts.forEach(
                                part -> tasks.add(pool.submit(() -> replay(cluster, elastic, trace, contender, part))));
                    }
                }
            }
            List<MoneyRow> rows = new ArrayList<>();
            for (Future<List<MoneyRow>> task : tasks) {
                rows.addAll(task.get());
            }
            return MoneyTable.of(rows);
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    /** Returns the workloads one after another. */
    private Trace read(String source, List<Integer> workloads, String format, ClusterFile cluster) throws IOException {
        ReadOptions options = new ReadOptions(
                cluster.allNodes(), InformationLevel.ORACLE, data.resolve("profiles/placement-timings"), 1);
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < workloads.size(); i++) {
            int number = workloads.get(i);
            Path file = data.resolve("traces/sia/%s/workload-%d.csv".formatted(source, number));
            double start = i * WORKLOAD_SECONDS;
            TraceReaders.of(format)
                    .orElseThrow()
                    .read(file, options)
                    .jobs()
                    .forEach(job -> jobs.add(new TraceJob(
                            number + "-" + job.id(),
                            start + job.arrival(),
                            job.tenant(),
                            null,
                            job.requestedSlots(),
                            job.aloneSeconds(),
                            job.truth(),
                            job.viewModel())));
        }
        return new Trace(source, jobs, Map.of());
    }

    /**
     * Replays once: the decisions are the same for all {@code seeds}.
     *
     * @param paying trace whose requests state the revenues
     */
    private List<MoneyRow> replay(
            ClusterFile cluster, Trace paying, Trace trace, Contender contender, List<Long> seeds) {
        double last = trace.jobs().stream().mapToDouble(TraceJob::arrival).max().orElse(1);
        ReplaySettings settings = ReplaySettings.DEFAULT
                .withPlanning(contender.settings())
                .withRounds(ROUND_SECONDS, null)
                .withCheckEvery(CHECK_EVERY)
                .withEnd(STALL_SECONDS, toTheEnd ? Double.POSITIVE_INFINITY : last);
        Replay replay = Replayer.replay(
                PaidTrace.of(trace, market.revenues(paying, seeds.get(0))),
                cluster,
                PolicyRegistry.policy(contender.policy()).orElseThrow(),
                settings,
                ProgressListener.NONE);
        double requested = paying.jobs().stream()
                .mapToDouble(job -> job.requestedSlots() * job.aloneSeconds())
                .sum();
        return seeds.stream()
                .map(seed -> new MoneyRow(
                        trace.name(),
                        cluster.allNodes().size(),
                        requested / (last * cluster.slots()),
                        contender.name(),
                        seed,
                        paying.jobs().size(),
                        Balance.of(replay, market.revenues(paying, seed), price)))
                .toList();
    }
}
