package dev.spur.simulator.trace.rigid;

import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.TimeParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reader of Microsoft's Philly trace as published, the file {@code cluster_job_log}: a list of jobs with their
 * scheduling attempts. The duration of a job is the sum over its attempts that have both a start and an end. Its
 * accelerators are those of the largest of these attempts. Source of the trace: Jeon et al., USENIX ATC '19.
 */
public final class PhillyJson implements TraceReader {
    private static final JsonMapper MAPPER = new JsonMapper();

    @Override
    public String format() {
        return "philly-json";
    }

    @Override
    public String summary() {
        return "Microsoft Philly, the original cluster_job_log";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        RigidTrace trace = new RigidTrace(options, RigidTraceDefaults.RESTART_SECONDS);
        for (JsonNode job : jobs(file)) {
            trace.add(toRow(job));
        }
        return trace.build("Philly");
    }

    private static JsonNode jobs(Path file) throws IOException {
        try {
            JsonNode jobs = MAPPER.readTree(Files.readString(file));
            if (!jobs.isArray()) {
                throw new IOException("%s is not a JSON array of jobs".formatted(file));
            }
            return jobs;
        } catch (JacksonException exception) {
            throw new IOException(
                    "%s is not valid JSON: %s".formatted(file, exception.getOriginalMessage()), exception);
        }
    }

    private static TraceRow toRow(JsonNode job) {
        double seconds = 0;
        boolean complete = false;
        int slots = 0;
        boolean ran = false;
        for (JsonNode attempt : job.path("attempts")) {
            OptionalDouble start = time(attempt, "start_time");
            OptionalDouble end = time(attempt, "end_time");
            if (start.isPresent() && end.isPresent()) {
                seconds += end.getAsDouble() - start.getAsDouble();
                complete = true;
            }
            ran = true;
            slots = Math.max(slots, gpus(attempt));
        }
        return new TraceRow(
                job.path("jobid").asString(""),
                job.path("vc").asString(RigidTraceDefaults.TENANT),
                time(job, "submitted_time"),
                ran ? OptionalInt.of(slots) : OptionalInt.empty(),
                complete ? OptionalDouble.of(seconds) : OptionalDouble.empty());
    }

    private static OptionalDouble time(JsonNode node, String field) {
        return TimeParser.seconds(node.path(field).asString(""));
    }

    private static int gpus(JsonNode attempt) {
        int gpus = 0;
        for (JsonNode server : attempt.path("detail")) {
            gpus += server.path("gpus").size();
        }
        return gpus;
    }
}
