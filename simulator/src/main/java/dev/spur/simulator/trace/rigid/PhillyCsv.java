package dev.spur.simulator.trace.rigid;

import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reader of Microsoft's Philly trace in its cleaned form: {@code timestamp,duration,num_gpus,gpu_time,cluster}. The
 * tenant of a job is its virtual cluster. Source of the trace: Jeon et al., USENIX ATC '19.
 */
public final class PhillyCsv implements TraceReader {
    @Override
    public String format() {
        return "philly";
    }

    @Override
    public String summary() {
        return "Microsoft Philly, cleaned CSV";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        RigidTrace trace = new RigidTrace(options, RigidTraceDefaults.RESTART_SECONDS);
        for (Row row : DelimitedTable.read(file, "timestamp", "duration", "num_gpus")) {
            trace.add(new TraceRow(
                    "philly-" + row.number(),
                    row.text("cluster").orElse(RigidTraceDefaults.TENANT),
                    row.seconds("timestamp"),
                    row.count("num_gpus"),
                    row.number("duration")));
        }
        return trace.build("Philly");
    }
}
