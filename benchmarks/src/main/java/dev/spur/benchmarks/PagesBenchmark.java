package dev.spur.benchmarks;

import dev.spur.simulator.report.ResultTable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Benchmark of pages that move to a lender, a real nbdkit with TLS, against a local file; and of killed lenders. */
final class PagesBenchmark implements Benchmark {
    private static final Path SCRIPT = Path.of("python", "tests", "pages.py");
    private static final String MODULE = "nbd";

    @Option(
            names = "--repeats",
            paramLabel = "N",
            defaultValue = "3",
            description = "Measurements of each row (${DEFAULT-VALUE}).")
    private int repeats;

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "100",
            description = "Runs in which the lender is killed at a random moment (${DEFAULT-VALUE}).")
    private int kills;

    @Option(
            names = "--iops",
            paramLabel = "N",
            defaultValue = "3000",
            description =
                    "Reads, and writes, per second of the limited disk; needs root and the control group blkio of version 1; 0 for no limited disk (${DEFAULT-VALUE}).")
    private int iops;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            defaultValue = "/var/tmp",
            description = "Folder of the local file, on the disk to measure (${DEFAULT-VALUE}).")
    private String folder = "";

    @Option(
            names = "--python",
            paramLabel = "PROGRAM",
            description = "Python with the module nbd (python3, or else /usr/bin/python3).")
    private String python = "";

    private List<ResultTable> details = List.of();
    private List<String> violations = List.of();

    @Override
    public String name() {
        return "pages";
    }

    @Override
    public String summary() {
        return "pages that move to a lender, against a local file; and every byte after a lender was killed";
    }

    @Override
    public ResultTable measure() throws IOException, InterruptedException {
        if (!Files.exists(SCRIPT)) {
            throw new IllegalStateException("%s is missing in %s: run the benchmark in the root of the repository"
                    .formatted(SCRIPT, Path.of("").toAbsolutePath()));
        }
        ResultTable killed = table("kills", "--runs", Integer.toString(Math.max(1, kills)));
        List<String> counts = killed.rows().get(0);
        violations = counts.get(0).equals(counts.get(1))
                ? List.of()
                : List.of(
                        "only %s of %s runs with a killed lender were intact".formatted(counts.get(1), counts.get(0)));
        details = List.of(killed);
        return table("speeds", "--repeats", Integer.toString(Math.max(1, repeats)), "--iops", Integer.toString(iops));
    }

    @Override
    public List<ResultTable> details() {
        return details;
    }

    @Override
    public List<String> violations() {
        return violations;
    }

    private ResultTable table(String... arguments) throws IOException, InterruptedException {
        List<String> candidates = python.isEmpty() ? List.of("python3", "/usr/bin/python3") : List.of(python);
        String program = Pythons.first(candidates, MODULE)
                .orElseThrow(
                        () -> new IllegalStateException(
                                "No Python with the module nbd found. Install it (apt-get install nbdkit python3-libnbd), or name one with --python."));
        List<String> command = new ArrayList<>(List.of(program, "-B", SCRIPT.toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--folder", folder));
        Process script =
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        String text = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = script.waitFor();
        if (status != 0) {
            throw new IllegalStateException("%s ended with status %d".formatted(SCRIPT, status));
        }
        List<List<String>> lines =
                text.lines().map(line -> List.of(line.split("\t", -1))).toList();
        return new ResultTable(lines.get(0), lines.subList(1, lines.size()));
    }
}
