package dev.spur.benchmarks;

import dev.spur.simulator.report.ResultTable;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Benchmark of the stall of each kind of change, with a real PyTorch training on this machine. */
final class StallsBenchmark implements Benchmark {
    private static final Path SCRIPT = Path.of("python", "tests", "stalls.py");

    @Option(
            names = "--repeats",
            paramLabel = "N",
            defaultValue = "3",
            description = "Measurements of each change (${DEFAULT-VALUE}).")
    private int repeats;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            defaultValue = "cpu",
            description = "Devices of the training: cpu or cuda (${DEFAULT-VALUE}).")
    private String device = "";

    @Option(
            names = "--network",
            paramLabel = "NAME",
            defaultValue = "perceptron",
            description = "Network to train: perceptron, transformer or resnet50 (${DEFAULT-VALUE}).")
    private String network = "";

    @Option(
            names = "--ranks",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2,4,2,1",
            description = "Numbers of ranks that the training passes through (${DEFAULT-VALUE}).")
    private List<Integer> ranks = List.of();

    @Option(
            names = "--python",
            paramLabel = "PROGRAM",
            description = "Python with PyTorch (python3, or else /usr/bin/python3).")
    private String python = "";

    @Override
    public String name() {
        return "stalls";
    }

    @Override
    public String summary() {
        return "stall of each kind of change of a real PyTorch training, in seconds";
    }

    @Override
    public ResultTable measure() throws Exception {
        if (!Files.exists(SCRIPT)) {
            throw new IllegalStateException("%s is missing in %s: run the benchmark in the root of the repository"
                    .formatted(SCRIPT, Path.of("").toAbsolutePath()));
        }
        Process script =
                new ProcessBuilder(command()).redirectError(Redirect.INHERIT).start();
        String table = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = script.waitFor();
        if (status != 0) {
            throw new IllegalStateException("%s ended with status %d".formatted(SCRIPT, status));
        }
        List<List<String>> lines =
                table.lines().map(line -> List.of(line.split("\t", -1))).toList();
        return new ResultTable(lines.get(0), lines.subList(1, lines.size()));
    }

    private List<String> command() {
        List<String> arguments = new ArrayList<>(List.of(Pythons.withTorch(python), "-B", SCRIPT.toString()));
        arguments.addAll(List.of("--repeats", Integer.toString(Math.max(1, repeats))));
        arguments.addAll(List.of("--device", device, "--network", network, "--ranks"));
        ranks.forEach(count -> arguments.add(Integer.toString(count)));
        return arguments;
    }
}
