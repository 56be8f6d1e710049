package dev.spur.service.jobs.learning;

import dev.spur.model.aggregation.Shards;
import dev.spur.model.allocation.Allocation;
import dev.spur.prediction.online.LearnedLoad;
import dev.spur.service.cluster.SettingsStore;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.AggregatorCounts.JobCounts;
import dev.spur.service.jobs.learning.StoredAggregator.JobShards;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Learns the actual aggregation load of jobs from the counters of aggregators. The first report of a process only sets
 * the baseline, because its startup is not representative.
 */
@Component
public class LoadLearning {
    private final AggregatorStore aggregators;
    private final AggregatorCountsStore counts;
    private final JobAggregationStore learned;
    private final JobStore jobs;
    private final SettingsStore settings;
    private final RoundTrigger trigger;

    LoadLearning(
            AggregatorStore aggregators,
            AggregatorCountsStore counts,
            JobAggregationStore learned,
            JobStore jobs,
            SettingsStore settings,
            RoundTrigger trigger) {
        this.aggregators = aggregators;
        this.counts = counts;
        this.learned = learned;
        this.jobs = jobs;
        this.settings = settings;
        this.trigger = trigger;
    }

    /** A generation of a job. */
    private record Gang(String jobId, long generation) {}

    /**
     * Applies reports of the aggregators of a node; unknown shards are skipped. Call this in the transaction that has
     * locked the executor.
     */
    public void take(String node, List<CountsReport> reports) {
        if (reports.isEmpty()) {
            return;
        }
        // in the order in which rows are locked
        Map<Gang, List<MeasurementWindow>> windows =
                new TreeMap<>(Comparator.comparing(Gang::jobId).thenComparing(Gang::generation));
        for (CountsReport report : reports) {
            aggregators
                    .find(node, report.number())
                    .filter(there -> there.port() == report.port())
                    .ifPresent(there -> take(there, report, windows));
        }
        windows.forEach((gang, own) -> learn(gang, MeasurementWindow.sum(own)));
    }

    private void take(StoredAggregator there, CountsReport report, Map<Gang, List<MeasurementWindow>> windows) {
        Optional<AggregatorCountsStore.AggregatorReport> last = counts.find(there.node(), there.number());
        AggregatorCounts before = last.map(AggregatorCountsStore.AggregatorReport::counts)
                .filter(known -> known.instance().equals(report.instance()))
                .orElse(null);
        if (before != null && report.seconds() <= before.seconds()) {
            return;
        }
        List<JobCounts> now = new ArrayList<>();
        for (CountsReport.ReportedJob jobShards : report.shardsByJob()) {
            if (isOn(jobShards, there)) {
                now.add(jobShards(jobShards, report.seconds(), before, windows));
            }
        }
        counts.put(
                there.node(),
                new AggregatorCounts(there.number(), report.instance(), report.seconds(), report.cpuSeconds(), now),
                utilization(there.cpus(), before, report));
    }

    private static boolean isOn(CountsReport.ReportedJob jobShards, StoredAggregator there) {
        return there.all()
                .anyMatch(served -> served.jobId().equals(jobShards.jobId())
                        && served.generation() == jobShards.generation()
                        && isOf(served, jobShards));
    }

    private static boolean isOf(JobShards served, CountsReport.ReportedJob jobShards) {
        return jobShards.shards().stream().allMatch(shard -> served.shards().contains(shard.shard()));
    }

    /**
     * The baseline to store for a job's shards: the current counters, or the previous ones if too little has happened
     * since.
     */
    private static JobCounts jobShards(
            CountsReport.ReportedJob reported,
            double seconds,
            @Nullable AggregatorCounts before,
            Map<Gang, List<MeasurementWindow>> windows) {
        var begin = new JobCounts(reported.jobId(), reported.generation(), seconds, null, reported.countsByShard());
        if (before == null) {
            return begin;
        }
        JobCounts from = before.jobShards(reported.jobId(), reported.generation())
                .orElseGet(
                        () -> new JobCounts(reported.jobId(), reported.generation(), before.seconds(), null, Map.of()));
        MeasurementWindow window = MeasurementWindow.between(from.shards(), reported.countsByShard());
        if (window == null) {
            return begin;
        }
        if (!window.isSignificant()) {
            return from;
        }
        windows.computeIfAbsent(new Gang(reported.jobId(), reported.generation()), gang -> new ArrayList<>())
                .add(window);
        Double cpu = window.cpuSeconds();
        Double load = cpu == null ? null : (Double) (cpu / (seconds - from.seconds()));
        return new JobCounts(reported.jobId(), reported.generation(), seconds, load, reported.countsByShard());
    }

    private static @Nullable Double utilization(double cpus, @Nullable AggregatorCounts before, CountsReport now) {
        Double from = before == null ? null : before.cpuSeconds();
        Double to = now.cpuSeconds();
        return before == null || from == null || to == null
                ? null
                : (Double) (Math.max(0, to - from) / (now.seconds() - before.seconds()) / cpus);
    }

    private void learn(Gang gang, MeasurementWindow window) {
        StoredJob job = jobs.find(gang.jobId()).orElse(null);
        Allocation held = job == null || job.generation() != gang.generation() ? null : job.allocation();
        Double stated =
                job == null ? null : job.trainingSpec().synchronization().gradientBytes();
        if (held == null || stated == null) {
            return;
        }
        double ratio = window.ratio(
                stated / Shards.of(held.configuration()),
                settings.current().value().planning().aggregation().bytesPerSecond());
        if (ratio > 0 && Double.isFinite(ratio)) {
            LearnedLoad before =
                    learned.lock(gang.jobId()).map(known -> known.of(stated)).orElse(LearnedLoad.NOTHING);
            LearnedLoad after = before.and(ratio);
            learned.put(gang.jobId(), stated, after);
            if (after.factor() != before.factor()) {
                trigger.requestRound("measured aggregation load changed");
            }
        }
    }
}
