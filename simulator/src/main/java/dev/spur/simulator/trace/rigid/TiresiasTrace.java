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

/**
 * Reader of jobs of the Tiresias simulator: {@code job_id,num_gpu,submit_time,iterations,model_name,duration,interval}.
 * In that simulator a restart takes no time.
 *
 * <p>Its first-come baseline runs a job only on the minimum number of nodes that can hold it. Its queues by attained
 * service count slots, regardless of placement. Source: Gu et al., Tiresias, NSDI '19, and its published simulator.
 */
public final class TiresiasTrace implements TraceReader {
    private final String format;
    private final String summary;
    private final ResourceRequest request;

    private TiresiasTrace(String format, String summary, MaxNodes maxNodes) {
        this.format = format;
        this.summary = summary;
        request = new ResourceRequest(List.of(), HostDemand.NONE, maxNodes);
    }

    /** Returns the reader of jobs that run on the minimum number of nodes. */
    public static TraceReader consolidatedReader() {
        return new TiresiasTrace(
                "tiresias", "jobs of the Tiresias simulator, on as few nodes as possible", MaxNodes.MINIMUM);
    }

    /** Returns the reader of jobs that run on any slots. */
    public static TraceReader anySlotsReader() {
        return new TiresiasTrace("tiresias-counted", "jobs of the Tiresias simulator, on any slots", MaxNodes.ANY);
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
        RigidTrace trace = new RigidTrace(options, 0);
        for (Row row : DelimitedTable.read(file, "job_id", "num_gpu", "submit_time", "duration")) {
            String model = row.text("model_name").orElse("job");
            trace.add(new TraceRow(
                    model + "-" + row.text("job_id").orElse("row-" + row.number()),
                    RigidTraceDefaults.TENANT,
                    row.seconds("submit_time"),
                    row.count("num_gpu"),
                    row.number("duration"),
                    request));
        }
        return trace.build("Tiresias");
    }
}
