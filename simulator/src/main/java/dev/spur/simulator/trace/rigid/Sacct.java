package dev.spur.simulator.trace.rigid;

import dev.spur.model.job.HostDemand;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reader of the accounting of Slurm: {@code sacct -a -X -P} with the columns of {@link #summary}, and
 * {@code ElapsedRaw} for the duration, and {@code Timelimit} for the time limit of each start. Times are local, so that
 * a change of the clock lies between start and end; {@code ElapsedRaw} does not contain it. Steps of jobs are skipped.
 * The accelerators are those of {@code gres/gpu} in {@code AllocTRES}, or in {@code ReqTRES} if none were allocated.
 */
public final class Sacct implements TraceReader {
    private static final String GPUS = "gres/gpu";
    private static final Pattern TIME_LIMIT = Pattern.compile("(?:(\\d+)-)?(\\d+):(\\d+):(\\d+)");

    @Override
    public String format() {
        return "sacct";
    }

    @Override
    public String summary() {
        return "Slurm accounting, sacct -P with JobID, Account, Submit, Start, End and AllocTRES";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        RigidTrace trace = new RigidTrace(options, RigidTraceDefaults.RESTART_SECONDS);
        for (Row row : DelimitedTable.read(file, "JobID", "Submit", "Start", "End", "AllocTRES")) {
            String id = row.text("JobID").orElse("row-" + row.number());
            if (id.contains(".")) {
                trace.skip("step of a job");
            } else {
                trace.add(toRow(id, row, options));
            }
        }
        return trace.build("sacct");
    }

    private static TraceRow toRow(String id, Row row, ReadOptions options) {
        Map<String, Integer> gpus =
                gpus(row.text("AllocTRES").or(() -> row.text("ReqTRES")).orElse(""));
        int typed = gpus.entrySet().stream()
                .filter(entry -> !entry.getKey().isEmpty())
                .mapToInt(Map.Entry::getValue)
                .sum();
        return new TraceRow(
                id,
                row.text("Account").or(() -> row.text("User")).orElse(RigidTraceDefaults.TENANT),
                row.seconds("Submit"),
                OptionalInt.of(Math.max(typed, gpus.getOrDefault("", 0))),
                seconds(row),
                request(gpus, options),
                limitSeconds(row.text("Timelimit").orElse("")));
    }

    /** Returns the seconds for which the job ran; empty while it runs or waits. */
    private static OptionalDouble seconds(Row row) {
        OptionalDouble span = row.secondsBetween("Start", "End");
        OptionalDouble elapsed = row.number("ElapsedRaw");
        return span.isPresent() && elapsed.isPresent() ? elapsed : span;
    }

    /** Returns the seconds of a time limit; empty for {@code UNLIMITED} and {@code Partition_Limit}. */
    private static OptionalDouble limitSeconds(String text) {
        Matcher limit = TIME_LIMIT.matcher(text);
        if (!limit.matches()) {
            return OptionalDouble.empty();
        }
        double days = limit.group(1) == null ? 0 : Double.parseDouble(limit.group(1));
        double hours = 24 * days + Double.parseDouble(limit.group(2));
        double seconds = 60 * (60 * hours + Double.parseDouble(limit.group(3))) + Double.parseDouble(limit.group(4));
        return seconds > 0 ? OptionalDouble.of(seconds) : OptionalDouble.empty();
    }

    /** Returns the accelerators by type, in lower case; those without a type, or of all types, under the empty name. */
    private static Map<String, Integer> gpus(String resources) {
        Map<String, Integer> gpus = new TreeMap<>();
        for (String resource : resources.split(",", -1)) {
            String[] pair = resource.split("=", -1);
            if (pair.length == 2 && pair[0].startsWith(GPUS) && pair[1].matches("[0-9]{1,9}")) {
                String type = pair[0].substring(GPUS.length());
                gpus.merge(
                        type.startsWith(":") ? type.substring(1).toLowerCase(Locale.ROOT) : "",
                        Integer.parseInt(pair[1]),
                        Integer::sum);
            }
        }
        return gpus;
    }

    /** Returns a request for the type of the job, if it has one and the cluster has it. */
    private static ResourceRequest request(Map<String, Integer> gpus, ReadOptions options) {
        List<String> types =
                gpus.keySet().stream().filter(type -> !type.isEmpty()).toList();
        Optional<String> known = types.size() != 1
                ? Optional.empty()
                : options.nodes().stream()
                        .map(node -> String.valueOf(node.acceleratorType()))
                        .filter(types.get(0)::equalsIgnoreCase)
                        .findFirst();
        return known.map(type -> new ResourceRequest(List.of(type), HostDemand.NONE, MaxNodes.DOUBLING))
                .orElse(ResourceRequest.NOTHING);
    }
}
