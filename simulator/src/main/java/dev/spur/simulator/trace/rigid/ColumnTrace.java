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
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Reader of a table with a header and a row for each job: {@code submit}, {@code gpus}, and {@code duration} or
 * {@code start} and {@code end}; {@code id}, {@code tenant} and {@code type} may be absent. {@link ReadOptions#columns}
 * names other columns. The separator is a comma, semicolon, tab or vertical bar.
 */
public final class ColumnTrace implements TraceReader {
    /** Values of a job that a column may hold. */
    public static final Set<String> VALUES =
            Set.of("id", "submit", "gpus", "duration", "start", "end", "tenant", "type");

    @Override
    public String format() {
        return "csv";
    }

    @Override
    public String summary() {
        return "a table with a header: submit, gpus, and duration or start and end; --columns names others";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        Map<String, String> columns = options.columns();
        RigidTrace trace = new RigidTrace(options, RigidTraceDefaults.RESTART_SECONDS);
        boolean isTimed = columns.containsKey("start") || columns.containsKey("end");
        String[] required = isTimed
                ? new String[] {
                    column(columns, "submit"), column(columns, "gpus"), column(columns, "start"), column(columns, "end")
                }
                : new String[] {column(columns, "submit"), column(columns, "gpus")};
        for (Row row : DelimitedTable.read(file, required)) {
            OptionalDouble duration = row.number(column(columns, "duration"));
            trace.add(new TraceRow(
                    row.text(column(columns, "id")).orElse("row-" + row.number()),
                    row.text(column(columns, "tenant")).orElse(RigidTraceDefaults.TENANT),
                    row.seconds(column(columns, "submit")),
                    row.count(column(columns, "gpus")),
                    duration.isPresent()
                            ? duration
                            : row.secondsBetween(column(columns, "start"), column(columns, "end")),
                    request(row.text(column(columns, "type")).map(List::of).orElse(List.of()), options)));
        }
        return trace.build("csv");
    }

    private static String column(Map<String, String> columns, String value) {
        return columns.getOrDefault(value, value);
    }

    /** Returns a request for {@code types} as far as the cluster has them. */
    private static ResourceRequest request(List<String> types, ReadOptions options) {
        List<String> known = types.stream()
                .filter(type -> options.nodes().stream().anyMatch(node -> type.equals(node.acceleratorType())))
                .toList();
        return new ResourceRequest(known, HostDemand.NONE, MaxNodes.DOUBLING);
    }
}
