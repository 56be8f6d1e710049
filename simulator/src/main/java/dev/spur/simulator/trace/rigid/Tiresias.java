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
 * Jobs of the Tiresias simulator: {@code job_id,num_gpu,submit_time,iterations,model_name,duration,interval}. As there, jobs run
 * on the fewest nodes that hold them, and a restart costs nothing. Source: Gu et al., Tiresias, NSDI '19.
 */
public final class Tiresias implements TraceReader {
    private static final Wish CONSOLIDATED = new Wish(List.of(), HostDemand.NONE, true);

    @Override
    public String format() {
        return "tiresias";
    }

    @Override
    public String summary() {
        return "jobs of the Tiresias simulator";
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
                    CONSOLIDATED));
        }
        return trace.named("Tiresias");
    }
}
