package dev.spur.simulator.trace.rigid;

import dev.spur.model.cluster.Node;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.parsing.SkipCounter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collector of recorded jobs for a trace. The first arrival becomes 0; rows that cannot be replayed are counted. */
final class RigidTrace {
    private final List<TraceRow> retainedRows = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private final SkipCounter skips = new SkipCounter();
    private final List<Node> nodes;
    private final RigidSpecs specs;

    /**
     * Creates an empty trace.
     *
     * @param restartSeconds seconds lost with each start after the first; the recorded durations include the first
     *     start
     */
    RigidTrace(ReadOptions options, double restartSeconds) {
        nodes = options.nodes();
        specs = new RigidSpecs(nodes, restartSeconds);
    }

    /** Adds {@code row}, or counts the reason for skipping it. */
    void add(TraceRow row) {
        String reason = reasonAgainst(row);
        if (reason.isEmpty()) {
            retainedRows.add(row);
        } else {
            skips.add(reason);
        }
    }

    /** Counts a row that contains no job. */
    void skip(String reason) {
        skips.add(reason);
    }

    /** Returns the trace of all added jobs. */
    Trace build(String name) {
        double start = retainedRows.stream()
                .mapToDouble(row -> row.submitted().orElseThrow())
                .min()
                .orElse(0);
        List<TraceJob> jobs =
                retainedRows.stream().map(row -> specs.job(row, start)).toList();
        return new Trace(name, jobs, skips.counts());
    }

    private String reasonAgainst(TraceRow row) {
        if (row.slots().isEmpty()) {
            return "no number of accelerators";
        }
        if (row.slots().getAsInt() < 1) {
            return "no accelerator asked for";
        }
        if (row.submitted().isEmpty()) {
            return "no time of submission";
        }
        if (row.seconds().isEmpty()) {
            return "no end or no start";
        }
        if (row.seconds().getAsDouble() <= 0) {
            return "no time between start and end";
        }
        if (!fits(row)) {
            return "more accelerators than the cluster has of the types allowed";
        }
        return ids.add(row.id()) ? "" : "id seen before";
    }

    /** Returns true if no cluster is known, or the empty cluster can run the job. */
    private boolean fits(TraceRow row) {
        return nodes.isEmpty() || row.slots().getAsInt() <= specs.maxSlots(row.request());
    }
}
