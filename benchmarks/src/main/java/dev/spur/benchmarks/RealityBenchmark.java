package dev.spur.benchmarks;

import dev.spur.benchmarks.reality.DecisionEffort;
import dev.spur.benchmarks.reality.RealitySuite;
import dev.spur.benchmarks.reality.SeedRanges;
import dev.spur.policies.PolicyEntry;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.report.ResultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Benchmark of policies on random scenarios of real clusters, by replay only. */
final class RealityBenchmark implements Benchmark {
    private static final String ALL = "all";

    @Option(
            names = "--seeds",
            paramLabel = "RANGES",
            defaultValue = "101-110",
            converter = SeedRanges.Converter.class,
            description = "Seeds of each class, such as 1-4,7 (${DEFAULT-VALUE})."
                    + " A scheduler is tuned on the seeds 1 to 100 only, and figures are reported from 101 on.")
    private SeedRanges seeds = new SeedRanges(List.of());

    @Option(
            names = "--classes",
            split = ",",
            paramLabel = "NAME",
            description = "Classes of scenarios, separated by commas (all). A name that ends in * selects by its beginning.")
    private List<String> classes = List.of();

    @Option(
            names = "--policies",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "spur,fifo,fifo-backfill,easy-backfill,srtf,2d-las,2d-las-short,2d-gittins-short,sia,elastic-tiresias",
            description = "Policies, separated by commas; all for the whole catalog (${DEFAULT-VALUE}).")
    private List<String> policies = List.of();

    @Option(
            names = "--subject",
            paramLabel = "NAME",
            defaultValue = "spur",
            description = "Policy that the summary compares with the others (${DEFAULT-VALUE}).")
    private String subject = "";

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "40",
            description = "Jobs of a scenario (${DEFAULT-VALUE}).")
    private int jobs;

    @Option(
            names = "--gap",
            paramLabel = "SHARE",
            defaultValue = "0.005",
            description = "Optimality gap at which a decision of Spur's own policies may stop (${DEFAULT-VALUE}).")
    private double gap;

    @Option(
            names = "--work",
            paramLabel = "UNITS",
            defaultValue = "0.05",
            description = "Budget of such a decision in deterministic units of the solver (${DEFAULT-VALUE}).")
    private double work;

    @Option(names = "--quick", description = "Run only the first of the seeds.")
    private boolean quick;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Replays at a time (the number of cores). It has no effect on the figures.")
    private int workers = Runtime.getRuntime().availableProcessors();

    @Option(names = "--json", paramLabel = "FILE", description = "Write a row for each scenario and policy.")
    private @Nullable Path json;

    @Option(
            names = "--export",
            arity = "2",
            paramLabel = "CLASS:SEED FOLDER",
            hideParamSyntax = true,
            description = "Write one scenario as trace.json (format spur) and cluster.json for ./spur simulate,"
                    + " without quotas and reservations, and run nothing.")
    private List<String> export = List.of();

    private List<ResultTable> details = List.of();

    @Override
    public String name() {
        return "reality";
    }

    @Override
    public String summary() {
        return "policies on random scenarios of real clusters: JCT, waits, restarts and regret by class";
    }

    @Override
    public ResultTable measure() throws IOException, InterruptedException {
        RealitySuite suite = new RealitySuite(
                classes,
                quick ? seeds.seeds().subList(0, 1) : seeds.seeds(),
                policyNames(),
                jobs,
                new DecisionEffort(gap, work),
                workers);
        if (!export.isEmpty()) {
            suite.export(export.get(0), Path.of(export.get(1)));
            return new ResultTable(List.of("scenario", "folder"), List.of(export));
        }
        RealitySuite.Tables tables = suite.run(subject, json, System.err::println);
        details = List.of(tables.byPolicy());
        return tables.summary();
    }

    @Override
    public List<ResultTable> details() {
        return details;
    }

    private List<String> policyNames() {
        return policies.equals(List.of(ALL))
                ? PolicyRegistry.all().stream().map(PolicyEntry::name).toList()
                : policies;
    }
}
