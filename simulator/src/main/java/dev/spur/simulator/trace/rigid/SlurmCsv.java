package dev.spur.simulator.trace.rigid;

import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalDouble;

/**
 * Reader of the job logs of SenseTime and Shanghai AI Laboratory:
 * {@code job_id,user,...,gpu_num,...,submit_time,start_time, end_time,duration,...}. A missing duration is computed
 * from start and end. Jobs of every final state are read, since a failed job held its accelerators too.
 */
public final class SlurmCsv implements TraceReader {
    private final String format;
    private final String summary;
    private final String tenantColumn;

    private SlurmCsv(String format, String summary, String tenantColumn) {
        this.format = format;
        this.summary = summary;
        this.tenantColumn = tenantColumn;
    }

    /**
     * Returns the reader of SenseTime's Helios, {@code cluster_log.csv} of one cluster; tenants are virtual clusters.
     * Source: Hu et al., SC '21.
     */
    public static SlurmCsv helios() {
        return new SlurmCsv("helios", "SenseTime Helios, cluster_log.csv of one cluster", "vc");
    }

    /**
     * Returns the reader of Acme, {@code trace_seren.csv} or {@code trace_kalos.csv}; tenants are users. Source: Hu et
     * al., NSDI '24.
     */
    public static SlurmCsv acme() {
        return new SlurmCsv("acme", "Acme of Shanghai AI Laboratory, trace_seren.csv or trace_kalos.csv", "user");
    }

    @Override
    public String format() {
        return format;
    }

    @Override
    public String summary() {
        return summary;
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        RigidTrace trace = new RigidTrace(options, RigidTraceDefaults.RESTART_SECONDS);
        for (Row row : DelimitedTable.read(file, "job_id", "gpu_num", "submit_time", "start_time", "end_time")) {
            trace.add(new TraceRow(
                    row.text("job_id").orElse("row-" + row.number()),
                    row.text(tenantColumn).orElse(RigidTraceDefaults.TENANT),
                    row.seconds("submit_time"),
                    row.count("gpu_num"),
                    seconds(row)));
        }
        return trace.build(format);
    }

    private static OptionalDouble seconds(Row row) {
        OptionalDouble held = row.secondsBetween("start_time", "end_time");
        return held.isPresent() ? held : row.number("duration");
    }
}
