package dev.spur.benchmarks;

import dev.spur.simulator.report.ResultTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code ./spur bench}: runs one benchmark by name and prints its table. */
@Command(name = "bench", description = "Run a benchmark and print a table.", mixinStandardHelpOptions = true)
public final class Bench implements Runnable {

    /** All benchmarks, in the order in which the help lists them. */
    private static final List<Benchmark> BENCHMARKS = List.of(
            new RoundBenchmark(),
            new PriorityBenchmark(),
            new TopologyBenchmark(),
            new FractionsBenchmark(),
            new ScalingBenchmark(),
            new SequenceBenchmark(),
            new HttpBenchmark(),
            new ServiceBenchmark(),
            new LoadBenchmark(),
            new PeersBenchmark(),
            new EtaBenchmark(),
            new RealityBenchmark(),
            new ProfitBenchmark(),
            new SelfAuditBenchmark(),
            new ModelsBenchmark(),
            new RecommendBenchmark(),
            new AggregationBenchmark(),
            new SharingBenchmark(),
            new MemoryBenchmark(),
            new PagesBenchmark(),
            new StallsBenchmark(),
            new NoiseBenchmark(),
            new DashboardBenchmark(),
            new CommandsBenchmark(),
            new HealthBenchmark(),
            new ChaosBenchmark());

    private final List<Benchmark> benchmarks;

    @Spec
    private CommandSpec spec;

    private Bench(List<Benchmark> benchmarks) {
        this.benchmarks = List.copyOf(benchmarks);
    }

    /** Exits with a status above 0 if the benchmark is unknown or fails. */
    public static void main(String[] args) {
        System.exit(commandLine(BENCHMARKS).execute(args));
    }

    /** Returns the command line with one subcommand per benchmark. */
    static CommandLine commandLine(List<Benchmark> benchmarks) {
        CommandLine all = new CommandLine(new Bench(benchmarks));
        for (Benchmark benchmark : benchmarks) {
            CommandLine one = new CommandLine(new Measure(benchmark));
            one.getCommandSpec().addMixin("options", CommandSpec.forAnnotatedObjectLenient(benchmark));
            one.getCommandSpec().usageMessage().description(literal(benchmark.summary()));
            all.addSubcommand(benchmark.name(), one);
        }
        return all;
    }

    /** Escapes percent signs, because picocli formats help texts. */
    private static String literal(String text) {
        return text.replace("%", "%%");
    }

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(list());
        out.flush();
    }

    private String list() {
        return benchmarks.isEmpty()
                ? "No benchmark is registered."
                : benchmarks.stream()
                        .map(benchmark -> "%-12s %s".formatted(benchmark.name(), benchmark.summary()))
                        .collect(Collectors.joining("\n"));
    }

    /**
     * Subcommand that runs one benchmark. Without {@code --tsv}, it prints the table with the command and the machine.
     * With {@code --tsv}, it prints the plain table to standard output and that header to standard error.
     */
    @Command(mixinStandardHelpOptions = true)
    private static final class Measure implements Callable<Integer> {
        private final Benchmark benchmark;

        @Option(names = "--tsv", description = "Print the table as tab-separated values with a header.")
        private boolean tsv;

        @Spec
        private CommandSpec spec;

        Measure(Benchmark benchmark) {
            this.benchmark = benchmark;
        }

        @Override
        public Integer call() {
            String where = Machine.describe(
                    spec.commandLine().getParent().getParseResult().originalArgs());
            ResultTable table = measure();
            PrintWriter out = spec.commandLine().getOut();
            PrintWriter log = tsv ? spec.commandLine().getErr() : out;
            log.println(where);
            log.flush();
            benchmark.details().forEach(further -> out.println(text(further) + "\n"));
            out.println(text(table));
            out.flush();
            List<String> violations = benchmark.violations();
            PrintWriter err = spec.commandLine().getErr();
            violations.forEach(violation -> err.println("Violation: " + violation));
            err.flush();
            return violations.isEmpty() ? 0 : 1;
        }

        private String text(ResultTable table) {
            return tsv ? table.asTsv() : table.asText();
        }

        private ResultTable measure() {
            try {
                return benchmark.measure();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("Benchmark %s failed".formatted(benchmark.name()), e);
            }
        }
    }
}
