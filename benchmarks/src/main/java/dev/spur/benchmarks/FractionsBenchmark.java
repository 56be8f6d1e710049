package dev.spur.benchmarks;

import dev.spur.benchmarks.fractions.PodArrivals;
import dev.spur.benchmarks.fractions.PodMethod;
import dev.spur.benchmarks.fractions.PodRequest;
import dev.spur.model.cluster.Node;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.trace.parsing.DataFolder;
import dev.spur.simulator.trace.rigid.Openb;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Benchmark of pods that take shares of GPUs: Alibaba's openb trace, next to published placement scores. */
final class FractionsBenchmark implements Benchmark {
    @Option(
            names = "--methods",
            split = ",",
            paramLabel = "METHOD",
            defaultValue = "RANDOM,DOT_PRODUCT,CLUSTERING,PACKING,BEST_FIT,FGD,SPUR",
            description = "Methods (${DEFAULT-VALUE}).")
    private List<PodMethod> methods = List.of();

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "50",
            description = "Pods that a round of Spur receives together (${DEFAULT-VALUE}).")
    private int batch;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "Time limit of a round of Spur (${DEFAULT-VALUE}).")
    private double limit;

    @Mixin
    private SolveOptions options = new SolveOptions();

    @Override
    public String name() {
        return "fractions";
    }

    @Override
    public String summary() {
        return "pods of the openb trace that take shares of GPUs, next to published placement scores";
    }

    @Override
    public ResultTable measure() throws IOException {
        Path folder = DataFolder.require().resolve("traces/openb");
        List<Node> nodes = Openb.nodes(folder.resolve("openb_node_list_gpu_node.csv"));
        List<PodRequest> pods = Openb.pods(folder.resolve("openb_pod_list_default.csv")).stream()
                .map(PodRequest::of)
                .toList();
        List<List<String>> rows = new ArrayList<>();
        for (long seed : options.seeds()) {
            PodArrivals arrivals = new PodArrivals(nodes, pods, seed);
            for (PodMethod method : methods) {
                int together = method == PodMethod.SPUR ? batch : 1;
                PodArrivals.Result result = arrivals.run(method, together, options.settings(limit, seed));
                rows.add(row(seed, method, result));
            }
        }
        return new ResultTable(
                List.of("seed", "method", "at_100", "at_130", "unallocated_at_100", "waiting", "median_s", "max_s"),
                rows);
    }

    private static List<String> row(long seed, PodMethod method, PodArrivals.Result result) {
        return List.of(
                Long.toString(seed),
                method.name().toLowerCase(Locale.ROOT),
                String.format(Locale.ROOT, "%.2f %%", 100 * result.allocationAtFull()),
                String.format(Locale.ROOT, "%.2f %%", 100 * result.allocationAtEnd()),
                String.format(Locale.ROOT, "%.2f %%", 100 * (1 - result.allocationAtFull())),
                Integer.toString(result.waiting()),
                String.format(Locale.ROOT, "%.3f", result.medianSeconds()),
                String.format(Locale.ROOT, "%.3f", result.maxSeconds()));
    }
}
