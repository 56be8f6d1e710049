package dev.spur.benchmarks;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./spur bench}: runs a measurement by its name and prints a table. */
@Command(name = "bench", description = "Runs a benchmark and prints a table.", mixinStandardHelpOptions = true)
public final class Bench implements Runnable {

    /** Every measurement there is, in the order in which they are listed. */
    private static final List<Benchmark> BENCHMARKS =
            List.of(new RoundBenchmark(), new LadderBenchmark(), new HttpBenchmark());

    private final List<Benchmark> benchmarks;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Which one; without a name they are listed.")
    private @Nullable String name;

    @Option(names = "--tsv", description = "Print a header and rows separated by tabs.")
    private boolean tsv;

    @Spec
    private CommandSpec spec;

    Bench(List<Benchmark> benchmarks) {
        this.benchmarks = List.copyOf(benchmarks);
    }

    /** Ends the process with a status above 0 when there is no such benchmark or it fails. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Bench(BENCHMARKS)).execute(args));
    }

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(name == null ? list() : measured(name));
        out.flush();
    }

    private String list() {
        return benchmarks.isEmpty()
                ? "There is no benchmark yet."
                : benchmarks.stream()
                        .map(benchmark -> "%-12s %s".formatted(benchmark.name(), benchmark.summary()))
                        .collect(Collectors.joining("\n"));
    }

    private String measured(String wanted) {
        Benchmark found = benchmarks.stream()
                .filter(benchmark -> benchmark.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "There is no benchmark %s.%n%s".formatted(wanted, list())));
        Table table = measure(found);
        return tsv ? table.asTsv() : table.asText();
    }

    private static Table measure(Benchmark benchmark) {
        try {
            return benchmark.measure();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("The benchmark %s failed".formatted(benchmark.name()), e);
        }
    }
}
