package dev.spur.benchmarks;

import dev.spur.benchmarks.instance.InstanceGenerator;
import dev.spur.benchmarks.load.ProblemLoader;
import dev.spur.benchmarks.load.ServiceProcess;
import dev.spur.benchmarks.load.SpurClient;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.simulator.report.ResultTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** Benchmark of the CPU time of small commands, of one or more checkouts, against the same service. */
final class CommandsBenchmark implements Benchmark {
    private static final List<String> COMMANDS = List.of("version", "jobs --help", "jobs", "queue", "nodes", "plan");
    /** Runs a command once; the second line of {@code times} is the user and system time of its processes. */
    private static final String SHELL = "\"$0\" \"$@\" >/dev/null && times";

    private static final Pattern TIME = Pattern.compile("(\\d+)m([\\d.]+)s");
    private static final int JOBS = 40;
    private static final int SLOTS = 64;

    @Option(
            names = "--program",
            paramLabel = "FILE",
            description = "Program to measure: the file spur of a checkout (default: ./spur). Repeatable; the programs"
                    + " run alternately.")
    private List<Path> programs = List.of(Path.of("spur"));

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "10",
            description = "Runs of each command and program (${DEFAULT-VALUE}).")
    private int runs;

    @Override
    public String name() {
        return "commands";
    }

    @Override
    public String summary() {
        return "CPU time of small commands, side by side with other checkouts";
    }

    @Override
    public ResultTable measure() throws Exception {
        Path home = Files.createTempDirectory("spur-bench");
        try (ServiceProcess service = ServiceProcess.start(home, Map.of())) {
            fill(new SpurClient(service.address(), "bench"));
            List<String> header = new ArrayList<>(List.of("command"));
            IntStream.range(0, programs.size()).forEach(i -> header.add("program_" + (i + 1) + "_cpu_s"));
            header.add("first_to_last");
            List<List<String>> rows = new ArrayList<>();
            for (String command : COMMANDS) {
                rows.add(row(command, service.address().toString()));
            }
            return new ResultTable(header, rows);
        } finally {
            ServiceProcess.delete(home);
        }
    }

    private static void fill(SpurClient client) throws Exception {
        RoundProblem problem = InstanceGenerator.waiting(1, JOBS, SLOTS, Set.of(), RoundSettings.DEFAULT);
        ProblemLoader filling = new ProblemLoader(client);
        filling.register(problem);
        filling.submit(problem.jobs(), "first");
        client.plan();
    }

    private List<String> row(String command, String url) throws IOException, InterruptedException {
        double[] sums = new double[programs.size()];
        // The first run of each program fills the caches of the system and does not count.
        for (int run = 0; run <= runs; run++) {
            for (int i = 0; i < sums.length; i++) {
                double seconds = cpuSeconds(programs.get(i), command, url);
                sums[i] += run == 0 ? 0 : seconds;
            }
        }
        List<String> row = new ArrayList<>(List.of(command));
        Arrays.stream(sums).forEach(sum -> row.add(String.format(Locale.ROOT, "%.3f", sum / runs)));
        row.add(String.format(Locale.ROOT, "%.2f", sums[0] / sums[sums.length - 1]));
        return row;
    }

    private static double cpuSeconds(Path program, String command, String url)
            throws IOException, InterruptedException {
        List<String> shell = new ArrayList<>(
                List.of("bash", "-c", SHELL, program.toAbsolutePath().toString()));
        shell.addAll(List.of(command.split(" ")));
        ProcessBuilder builder = new ProcessBuilder(shell).redirectErrorStream(true);
        builder.environment().put("SPUR_URL", url);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("%s %s failed: %s".formatted(program, command, output));
        }
        List<String> lines = output.lines().toList();
        return TIME.matcher(lines.get(lines.size() - 1))
                .results()
                .mapToDouble(part -> 60 * Double.parseDouble(part.group(1)) + Double.parseDouble(part.group(2)))
                .sum();
    }
}
