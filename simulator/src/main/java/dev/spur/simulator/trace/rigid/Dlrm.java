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
 * Reader of Alibaba's GPU trace of 2025, instances of recommendation models: {@code disaggregated_DLRM_trace.csv}. An
 * instance ran from its scheduling to its deletion; tenants are applications. Instances that ran at the start or the
 * end of the trace have no such time and are skipped. Source: Yang et al., NSDI '25.
 */
public final class Dlrm implements TraceReader {
    @Override
    public String format() {
        return "gpu-v2025";
    }

    @Override
    public String summary() {
        return "Alibaba GPU trace of 2025, disaggregated_DLRM_trace.csv";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        RigidTrace trace = new RigidTrace(options, RigidTraceDefaults.RESTART_SECONDS);
        for (Row row : DelimitedTable.read(
                file, "instance_sn", "app_name", "gpu_request", "creation_time", "scheduled_time", "deletion_time")) {
            trace.add(new TraceRow(
                    row.text("instance_sn").orElse("row-" + row.number()),
                    row.text("app_name").orElse(RigidTraceDefaults.TENANT),
                    row.number("creation_time"),
                    row.count("gpu_request"),
                    row.secondsBetween("scheduled_time", "deletion_time"),
                    request(row)));
        }
        return trace.build("gpu-v2025");
    }

    private static ResourceRequest request(Row row) {
        int slots = Math.max(1, row.count("gpu_request").orElse(1));
        HostDemand host = new HostDemand(
                row.number("cpu_request").orElse(0) / slots,
                row.number("memory_request").orElse(0) / slots);
        return new ResourceRequest(List.of(), host, MaxNodes.DOUBLING);
    }
}
