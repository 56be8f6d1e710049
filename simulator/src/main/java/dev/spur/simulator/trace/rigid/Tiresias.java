package dev.spur.simulator.trace.rigid;

import dev.spur.model.job.HostDemand;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.table.Row;
import dev.spur.simulator.trace.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Jobs of the Tiresias simulator: {@code job_id,num_gpu,submit_time,iterations,model_name,duration,interval}. A restart costs
 * nothing there. What its first-come baseline places runs on the fewest nodes that could hold it, or waits; its queues by attained
 * service count slots, wherever they are. Source: Gu et al., Tiresias, NSDI '19, and its published simulator.
 */
public final class Tiresias implements TraceReader {
    private final String format;
    private final String summary;
    private final Wish wish;

    private Tiresias(String format, String summary, Spread spread) {
        this.format = format;
        this.summary = summary;
        wish = new Wish(List.of(), HostDemand.NONE, spread);
    }

    /** Jobs that run on the fewest nodes. */
    public static TraceReader consolidated() {
        return new Tiresias("tiresias", "jobs of the Tiresias simulator, on the fewest nodes", Spread.FEWEST);
    }

    /** Jobs that run on any slots. */
    public static TraceReader counted() {
        return new Tiresias("tiresias-counted", "jobs of the Tiresias simulator, on any slots", Spread.ANY);
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
        for (Row row : Table.read(file, "job_id", "num_gpu", "submit_time", "duration")) {
            String model = row.text("model_name").orElse("job");
            trace.add(new Recorded(
                    model + "-" + row.text("job_id").orElse("row-" + row.number()),
                    Conventions.TENANT,
                    row.seconds("submit_time"),
                    row.count("num_gpu"),
                    row.number("duration"),
                    wish));
        }
        return trace.named("Tiresias");
    }
}
