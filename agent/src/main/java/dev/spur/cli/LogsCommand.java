package dev.spur.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Command {@code spur logs JOB}. */
@Command(name = "logs", description = "Print the last output of a job, by rank.", mixinStandardHelpOptions = true)
public final class LogsCommand extends ServiceCommand {
    /** Time for which a request waits for new output. */
    private static final int WAIT_SECONDS = 25;
    /** Time for which the first request waits until the agents have uploaded. */
    private static final int FIRST_WAIT_SECONDS = 5;

    @Parameters(paramLabel = "JOB", description = "Job id, id prefix, or name.")
    private String job = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Print new output until the job ends.")
    private boolean follow;

    @Option(names = "--rank", paramLabel = "N", description = "Rank to print (default: all).")
    private @Nullable Integer rank;

    @Option(
            names = "--generation",
            paramLabel = "N",
            description = "Generation to print (default: the newest one with output).")
    private @Nullable Long generation;

    @Option(
            names = "--lines",
            paramLabel = "N",
            description = "Number of last lines of each rank (default: ${DEFAULT-VALUE}).")
    private int lines = 100;

    private String lastHeader = "";

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        String id = service.job(job);
        JsonNode log = service.get(path(id, FIRST_WAIT_SECONDS, -1));
        printMessage(log);
        return CommandOutput.of(log, id, format(log));
    }

    @Override
    void print(ServiceOptions from, PrintWriter out) throws InterruptedException {
        if (!follow) {
            super.print(from, out);
            return;
        }
        String id = from.job(job);
        JsonNode log = from.get(path(id, FIRST_WAIT_SECONDS, -1));
        printMessage(log);
        while (true) {
            out.print(CommandOutput.of(log, id, format(log)).in(from.format(), terminal()));
            out.flush();
            if (log.path("complete").asBoolean()) {
                return;
            }
            log = from.poll(path(id, WAIT_SECONDS, log.path("cursor").asLong()));
        }
    }

    private String path(String id, int wait, long after) {
        return "/api/v1/jobs/%s/logs?lines=%d&wait=%d%s%s%s"
                .formatted(
                        id,
                        lines,
                        wait,
                        after < 0 ? "" : "&after=" + after,
                        rank == null ? "" : "&rank=" + rank,
                        generation == null ? "" : "&generation=" + generation);
    }

    /** Prints why output is missing. The message is no output of the job. */
    private void printMessage(JsonNode log) {
        if (log.path("message").isString()) {
            PrintWriter err = spec().commandLine().getErr();
            err.println(log.path("message").asString());
            err.flush();
        }
    }

    /** Returns the lines, with a header where the rank or the generation changes. */
    private String format(JsonNode log) {
        StringBuilder text = new StringBuilder();
        for (JsonNode output : log.path("ranks")) {
            boolean ended = output.path("exitCode").isNumber();
            if (output.path("lines").isEmpty() && !ended) {
                continue;
            }
            String header = "rank %s on %s, generation %s"
                    .formatted(text(output.path("rank")), text(output.path("node")), text(output.path("generation")));
            if (!header.equals(lastHeader)) {
                text.append(line(terminal().heading("--- " + header)));
                lastHeader = header;
            }
            output.path("lines").forEach(line -> text.append(line(line.asString())));
            if (ended) {
                text.append(line(terminal()
                        .heading("--- %s: %s; whole log: %s:%s"
                                .formatted(
                                        header, end(output), text(output.path("node")), text(output.path("path"))))));
            }
        }
        return text.toString();
    }

    private static String end(JsonNode output) {
        StringBuilder end =
                new StringBuilder("exit code " + output.path("exitCode").asString());
        if (output.path("signal").isString()) {
            end.append(" (").append(output.path("signal").asString()).append(')');
        }
        if (output.path("outOfMemory").isString()) {
            end.append(", out of memory (")
                    .append(output.path("outOfMemory").asString())
                    .append(')');
        }
        return output.path("stopped").asBoolean() ? end + ", stopped by the agent" : end.toString();
    }
}
