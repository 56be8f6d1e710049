package dev.spur.benchmarks.aggregation;

import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.solver.aggregation.AggregationDemand;
import dev.spur.solver.aggregation.AggregatorDemand;
import dev.spur.solver.aggregation.ShardPacker;
import dev.spur.solver.aggregation.ShardPlacement;
import dev.spur.solver.aggregation.SharingLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Replay of arriving and ending jobs, half of them with parameter servers. It compares the aggregation slots in use
 * with dedicated slots per job and with shared slots.
 *
 * <p>A job with servers has 1, 2, 4 or 8 dedicated slots and steps of 0.1 to 2 s. It keeps its slots busy for 0.5 to
 * 1.5 times the mean, in equal shards, eight per slot.
 *
 * @param jobs number of jobs
 * @param meanPauseSeconds mean interarrival time (Poisson)
 * @param meanSeconds mean length (exponential)
 * @param busyShare mean fraction of time that a dedicated slot is busy
 */
public record SharedReplay(int jobs, double meanPauseSeconds, double meanSeconds, double busyShare) {
    private static final int SHARDS_PER_SLOT = 8;
    private static final double HOUR = 3600;

    /** A job with parameter servers. */
    private record Served(double from, double to, int ownSlots, AggregationDemand demand) {}

    /**
     * Time averages of a replay.
     *
     * @param own aggregation slots if each job has dedicated slots
     * @param lowerBound slots that the utilization limit alone requires
     * @param used CPUs that a plan counts: effective bandwidths, at least the slots of the widest job, and those of
     *     jobs that do not share
     * @param loss mean stall fraction of the jobs: throughput lost at the slowest slot of a job
     * @param worstLoss largest stall fraction of any job at any time
     * @param movesPerHour shards moved per hour
     * @param overloadedPercent share of the time in which some job does not fit within the limits, percent
     */
    public record Outcome(
            double own,
            double lowerBound,
            double used,
            double loss,
            double worstLoss,
            double movesPerHour,
            double overloadedPercent) {}

    /** Replays the jobs of {@code seed} under {@code limits}. */
    public Outcome run(SharingLimits limits, long seed) {
        List<Served> served = serve(new SplittableRandom(seed));
        List<Double> moments = new ArrayList<>();
        served.forEach(job -> Collections.addAll(moments, job.from(), job.to()));
        moments.sort(Comparator.naturalOrder());
        Means means = new Means(limits);
        for (int i = 0; i + 1 < moments.size(); i++) {
            double now = moments.get(i);
            List<Served> active = served.stream()
                    .filter(job -> job.from() <= now && now < job.to())
                    .toList();
            means.arrange(active, moments.get(i + 1) - now);
        }
        return means.outcome();
    }

    private List<Served> serve(SplittableRandom random) {
        List<Served> served = new ArrayList<>();
        double now = 0;
        for (int i = 0; i < jobs; i++) {
            now -= meanPauseSeconds * Math.log(1 - random.nextDouble());
            double seconds = -meanSeconds * Math.log(1 - random.nextDouble());
            int slots = 1 << random.nextInt(4);
            double step = 0.1 * Math.pow(20, random.nextDouble());
            double busy = busyShare * random.nextDouble(0.5, 1.5);
            if (random.nextBoolean()) {
                int shards = slots * SHARDS_PER_SLOT;
                List<Double> shardSeconds = Collections.nCopies(shards, busy * slots * step / shards);
                served.add(new Served(
                        now, now + seconds, slots, new AggregationDemand("j" + i, step, shardSeconds, busy * step)));
            }
        }
        return served;
    }

    /** Time-weighted sums of a replay. */
    private static final class Means {
        private final SharingLimits limits;
        private final AggregationSettings settings;
        private double overloaded;
        private ShardPlacement sharing = ShardPlacement.NONE;
        private double seconds;
        private double jobSeconds;
        private double own;
        private double bound;
        private double used;
        private double loss;
        private double worst;
        private int moves;

        Means(SharingLimits limits) {
            this.limits = limits;
            this.settings = new AggregationSettings(
                    true, limits.utilization(), limits.maxStallFraction(), limits.meanStallFraction(), 1);
        }

        void arrange(List<Served> active, double during) {
            List<AggregationDemand> demands = new ArrayList<>();
            long dedicated = 0;
            long sum = 0;
            long widest = 0;
            for (Served job : active) {
                AggregatorDemand need = AggregatorDemand.of(job.demand().load(), 1000L * job.ownSlots(), settings);
                if (need.shares()) {
                    demands.add(job.demand());
                    sum += need.cpus();
                    widest = Math.max(widest, need.slots());
                } else {
                    dedicated += need.slots();
                }
            }
            long shared = Math.max(sum, widest);
            ShardPacker.Result result = ShardPacker.arrange(sharing, demands, capacities(shared), limits);
            sharing = result.sharingPlacement();
            moves += result.moved();
            overloaded += result.rejected().isEmpty() ? 0 : during;
            seconds += during;
            jobSeconds += during * demands.size();
            own += during * active.stream().mapToInt(Served::ownSlots).sum();
            bound += during
                    * ShardPacker.lowerBound(active.stream().map(Served::demand).toList(), limits);
            used += during * (shared + dedicated) / 1000;
            // the slowest slot determines the stall: a step ends when its last shard returns
            for (double waits : result.worstLoss().values()) {
                loss += during * waits / (1 + waits);
                worst = Math.max(worst, waits / (1 + waits));
            }
        }

        private static List<Double> capacities(long thousandths) {
            List<Double> capacities = new ArrayList<>();
            for (long left = thousandths; left > 0; left -= 1000) {
                capacities.add(Math.min(left, 1000) / 1000.0);
            }
            return capacities;
        }

        Outcome outcome() {
            return new Outcome(
                    own / seconds,
                    bound / seconds,
                    used / seconds,
                    loss / jobSeconds,
                    worst,
                    moves / (seconds / HOUR),
                    100 * overloaded / seconds);
        }
    }
}
