package dev.spur.benchmarks;

import dev.spur.simulator.report.ResultTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./spur bench}: runs a measurement by its name and prints a table. */
@Command(name = "bench", description = "Runs a benchmark and prints a table.", mixinStandardHelpOptions = true)
public final class Bench implements Runnable {

    /** Every measurement there is, in the order in which they are listed. */
    private static final List<Benchmark> BENCHMARKS = List.of(
            new RoundBenchmark(),
            new ScalingBenchmark(),
            new DomainsBenchmark(),
            new HttpBenchmark(),
            new ServiceBenchmark(),
            new LoadBenchmark(),
            new EtaBenchmark(),
            new ModelsBenchmark(),
            new RecommendBenchmark(),
            new AggregationBenchmark(),
            new SharingBenchmark(),
            new FuzzBenchmark(),
            new MemoryBenchmark(),
            new DashboardBenchmark());

    private final List<Benchmark> benchmarks;

    @Spec
    private CommandSpec spec;

    private Bench(List<Benchmark> benchmarks) {
        this.benchmarks = List.copyOf(benchmarks);
    }

    /** Ends the process with a status above 0 when there is no such benchmark or it fails. */
    public static void main(String[] args) {
        System.exit(commandLine(BENCHMARKS).execute(args));
    }

    /** A command with one below it for each of {@code benchmarks}. */
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

    /** The help texts of picocli are format strings. */
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
                ? "There is no benchmark yet."
                : benchmarks.stream()
                        .map(benchmark -> "%-12s %s".formatted(benchmark.name(), benchmark.summary()))
                        .collect(Collectors.joining("\n"));
    }

    /**
     * Runs one benchmark. People also get the command and the machine; programs get the bare table, and these as
     * errors.
     */
    @Command(mixinStandardHelpOptions = true)
    private static final class Measure implements Runnable {
        private final Benchmark benchmark;

        @Option(names = "--tsv", description = "Print a header and rows separated by tabs.")
        private boolean tsv;

        @Spec
        private CommandSpec spec;

        Measure(Benchmark benchmark) {
            this.benchmark = benchmark;
        }

        @Override
        public void run() {
            String where = Machine.describe(
                    spec.commandLine().getParent().getParseResult().originalArgs());
            ResultTable table = measure();
            PrintWriter out = spec.commandLine().getOut();
            PrintWriter aside = tsv ? spec.commandLine().getErr() : out;
            aside.println(where);
            aside.flush();
            out.println(tsv ? table.asTsv() : table.asText());
            out.flush();
        }

        private ResultTable measure() {
            try {
                return benchmark.measure();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("The benchmark %s failed".formatted(benchmark.name()), e);
            }
        }
    }
}
