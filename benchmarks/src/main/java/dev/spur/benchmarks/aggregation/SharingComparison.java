package dev.spur.benchmarks.aggregation;

import dev.spur.benchmarks.aggregation.SharingRecorder.Means;
import dev.spur.benchmarks.models.StepMeasurements;
import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.round.RoundSettings;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.report.Summary;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Comparison of aggregators of each job's own with shared ones, at the measured batch sizes and at free ones. Each node
 * has as many CPUs as aggregation slots.
 *
 * @param models measured models
 * @param gradientBytes gradient bytes by model
 * @param workload jobs of a trace
 * @param nodes number of nodes
 * @param slots slots of each node
 * @param seeds number of traces
 * @param settings settings of the replays
 */
public record SharingComparison(
        List<StepMeasurements> models,
        Map<String, Double> gradientBytes,
        ServerWorkload workload,
        int nodes,
        int slots,
        int seeds,
        ReplaySettings settings) {
    private static final List<String> HEADER = List.of(
            "cpus_per_node",
            "aggregators",
            "traces",
            "mean_jct_min",
            "against_dedicated_percent",
            "p99_jct_min",
            "aggregator_cpus",
            "sharing_jobs_percent",
            "other_batch_rounds_percent",
            "mean_stall_percent",
            "overloaded_rounds_percent",
            "own_cpus_rounds_percent",
            "decision_ms");
    private static final double MINUTE = 60;

    /** A replay of a trace. */
    private record Run(Summary summary, Means means) {}

    /** Returns the table with four rows for each number of CPUs per node. */
    public ResultTable table(List<Double> cpus) {
        List<List<String>> rows = new ArrayList<>();
        for (double perNode : cpus) {
            for (boolean freeBatches : List.of(false, true)) {
                List<Run> dedicated = runs(perNode, false, freeBatches);
                rows.add(row(perNode, "dedicated", freeBatches, dedicated, dedicated));
                rows.add(row(perNode, "shared", freeBatches, runs(perNode, true, freeBatches), dedicated));
            }
        }
        return new ResultTable(HEADER, rows);
    }

    private List<Run> runs(double cpus, boolean shared, boolean freeBatches) {
        ClusterFile cluster = new ClusterFile(List.of(
                new NodeKind(ServerWorkload.TYPE, nodes, slots, null, cpus, null, cpus, null, null, null, null)));
        RoundSettings planning = settings.settings();
        AggregationSettings limits = planning.aggregation();
        AggregationSettings sharing = new AggregationSettings(
                shared,
                limits.utilization(),
                limits.maxStallFraction(),
                limits.meanStallFraction(),
                limits.bytesPerSecond());
        List<Run> runs = new ArrayList<>();
        for (long seed = 1; seed <= seeds; seed++) {
            SharingRecorder recorder = new SharingRecorder(Policies.spur());
            Policy policy = freeBatches ? recorder : new InitialBatchPolicy(recorder);
            Summary summary = Summary.of(Replayer.replay(
                    withGradients(workload.trace(models, seed), sharing),
                    cluster,
                    policy,
                    settings.withPlanning(with(planning, sharing)).withSeed(seed),
                    ProgressListener.NONE));
            runs.add(new Run(summary, recorder.means()));
        }
        return runs;
    }

    private static RoundSettings with(RoundSettings planning, AggregationSettings sharing) {
        return new RoundSettings(
                planning.objective(),
                planning.horizon(),
                planning.gapTarget(),
                planning.budget(),
                planning.maxRestarts(),
                planning.starvationLimitSeconds(),
                planning.waitLimitFactor(),
                planning.agingSeconds(),
                sharing,
                planning.lending(),
                planning.fairShare(),
                planning.quotas(),
                planning.prices());
    }

    /** Returns the trace with jobs that state their gradients, and stall where they may share aggregators. */
    Trace withGradients(Trace trace, AggregationSettings sharing) {
        List<TraceJob> jobs =
                trace.jobs().stream().map(job -> withGradients(job, sharing)).toList();
        return new Trace(trace.name(), jobs, trace.skipped());
    }

    private TraceJob withGradients(TraceJob job, AggregationSettings sharing) {
        // ids are MODEL-NUMBER
        String model = job.id().substring(0, job.id().lastIndexOf('-'));
        if (!(job.truth() instanceof SpecGroundTruth truth)) {
            throw new IllegalArgumentException("Job %s does not run by a specification".formatted(job.id()));
        }
        Synchronization before = truth.spec().synchronization();
        JobSpec spec = truth.spec()
                .edit()
                .synchronization(new Synchronization(
                        before.allReduce(),
                        before.parameterServer(),
                        before.minAggregationSlots(),
                        before.maxAggregationSlots(),
                        gradientBytes.get(model)))
                .build();
        SpecGroundTruth alone = new SpecGroundTruth(spec, truth.firstStartSeconds(), truth.restartSeconds());
        return job.with(new StallingGroundTruth(alone, sharing), PolicyViewModel.complete(spec));
    }

    private static List<String> row(
            double cpus, String aggregators, boolean freeBatches, List<Run> runs, List<Run> dedicated) {
        double jct = mean(runs, run -> run.summary().meanJctSeconds());
        double dedicatedJct = mean(dedicated, run -> run.summary().meanJctSeconds());
        return List.of(
                text("%.2f", cpus),
                aggregators + (freeBatches ? "-batches" : ""),
                Integer.toString(runs.size()),
                text("%.1f", jct / MINUTE),
                text("%+.1f", 100 * (jct / dedicatedJct - 1)),
                text("%.1f", mean(runs, run -> run.summary().p99JctSeconds()) / MINUTE),
                text("%.1f", mean(runs, run -> run.means().cpus())),
                text("%.1f", mean(runs, run -> run.means().sharingPercent())),
                text("%.1f", mean(runs, run -> run.means().otherBatchPercent())),
                text("%.2f", mean(runs, run -> run.means().stallPercent())),
                text("%.1f", mean(runs, run -> run.means().overloadedPercent())),
                text("%.1f", mean(runs, run -> run.means().remediedPercent())),
                text("%.0f", 1000 * mean(runs, run -> run.summary().meanDecisionSeconds())));
    }

    private static double mean(List<Run> runs, ToDoubleFunction<Run> figure) {
        return runs.stream().mapToDouble(figure).average().orElse(0);
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
