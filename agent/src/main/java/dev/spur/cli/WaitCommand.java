package dev.spur.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Command {@code spur wait JOB...}. */
@Command(
        name = "wait",
        description = {
            "Wait until jobs have ended, and print how each of them ended.",
            "The exit code is 0 if all jobs are DONE. Otherwise it is that of the first argument whose job is not DONE:",
            "the exit code of its failed process, or 1 if the job was canceled or has no exit code."
        },
        mixinStandardHelpOptions = true)
public final class WaitCommand extends ServiceCommand {
    private static final int PERIOD_SECONDS = 2;
    /** Time without a response after which the command fails. */
    private static final int OUTAGE_SECONDS = 300;

    private static final int NOT_DONE = 1;
    private static final Set<String> ENDED = Set.of("DONE", "FAILED", "CANCELLED");

    @Parameters(arity = "1..*", paramLabel = "JOB", description = "Job ids, id prefixes, or names.")
    private List<String> jobs = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Maximum wait; the exit code is then 3 (default: no limit).")
    private @Nullable Long timeout;

    private long lastResponse = System.nanoTime();

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        throw new UnsupportedOperationException("the command prints each job when it ends");
    }

    @Override
    void print(ServiceOptions service, PrintWriter out) throws InterruptedException {
        long start = System.nanoTime();
        Set<String> ids = new LinkedHashSet<>();
        for (String job : jobs) {
            ids.add(service.job(job));
        }
        boolean isText = service.format() == OutputFormat.TABLE || service.format() == OutputFormat.WIDE;
        Map<String, JsonNode> ended = new LinkedHashMap<>();
        while (true) {
            for (String id : ids) {
                if (!ended.containsKey(id)) {
                    JsonNode job = read(service, id);
                    if (ENDED.contains(job.path("state").asString(""))) {
                        ended.put(id, job);
                        if (isText) {
                            out.print(line(message(job)));
                            out.flush();
                        }
                    }
                }
            }
            if (ended.size() == ids.size()) {
                break;
            }
            if (timeout != null && secondsSince(start) >= timeout) {
                throw CommandFailure.unavailable("%d of %d jobs have not ended after %d s. Wait again, or cancel them."
                        .formatted(ids.size() - ended.size(), ids.size(), timeout));
            }
            TimeUnit.SECONDS.sleep(PERIOD_SECONDS);
        }
        List<JsonNode> inOrder = ids.stream().map(ended::get).toList();
        if (!isText) {
            printAll(service, out, inOrder);
        }
        inOrder.forEach(job -> endWith(exitCode(job)));
    }

    private void printAll(ServiceOptions service, PrintWriter out, List<JsonNode> all) {
        List<String> names = new ArrayList<>();
        all.forEach(job -> names.add(text(job.path("id"))));
        JsonNode value = all.size() == 1
                ? all.get(0)
                : JsonNodeFactory.instance.arrayNode().addAll(all);
        out.print(new CommandOutput(value, names, (terminal, wide) -> "").in(service.format(), terminal()));
        out.flush();
    }

    /** Returns the job; an object without members while the service does not respond. */
    private JsonNode read(ServiceOptions service, String id) throws InterruptedException {
        try {
            JsonNode job = service.get("/api/v1/jobs/" + id);
            lastResponse = System.nanoTime();
            return job;
        } catch (CommandFailure failure) {
            if (!failure.isRepeatable() || secondsSince(lastResponse) >= OUTAGE_SECONDS) {
                throw failure;
            }
            return JsonNodeFactory.instance.objectNode();
        }
    }

    private static long secondsSince(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - nanos);
    }

    private static String message(JsonNode job) {
        String message = job.at("/failure/message").asString("");
        return "Job %s (%s) is %s.%s"
                .formatted(
                        text(job.path("id")),
                        text(job.path("name")),
                        text(job.path("state")),
                        message.isEmpty() ? "" : " " + message);
    }

    private static int exitCode(JsonNode job) {
        String state = text(job.path("state"));
        if (state.equals("DONE")) {
            return 0;
        }
        int code = state.equals("FAILED") ? job.at("/failure/exitCode").asInt(0) : 0;
        return code > 0 && code < 256 ? code : NOT_DONE;
    }
}
