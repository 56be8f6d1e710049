package dev.spur.simulator.trace.rigid;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reader of Alibaba's openb trace of 2023: a list of pods, and a list of nodes for the cluster. A pod ran from its
 * scheduling to its deletion. Source: Weng et al., USENIX ATC '23.
 */
public final class Openb implements TraceReader {
    private static final double MILLI_PER_PART = 1000.0 / Elasticity.PARTS;

    @Override
    public String format() {
        return "openb";
    }

    @Override
    public String summary() {
        return "Alibaba openb of 2023, a list of pods";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        RigidTrace trace = new RigidTrace(options, RigidTraceDefaults.RESTART_SECONDS);
        for (Row row :
                DelimitedTable.read(file, "name", "num_gpu", "creation_time", "deletion_time", "scheduled_time")) {
            OpenbPod pod = pod(row);
            trace.add(new TraceRow(
                    pod.name(),
                    row.text("qos").orElse(RigidTraceDefaults.TENANT),
                    row.number("creation_time"),
                    row.count("num_gpu"),
                    row.secondsBetween("scheduled_time", "deletion_time"),
                    request(pod)));
        }
        return trace.build("openb");
    }

    /** Returns all pods of a list, with those that request no accelerator and those that never ran. */
    public static List<OpenbPod> pods(Path file) throws IOException {
        return DelimitedTable.read(file, "name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli").stream()
                .map(Openb::pod)
                .toList();
    }

    /**
     * Returns the nodes of a list {@code sn,cpu_milli,memory_mib,gpu,model}, all in the pool {@code main} and with
     * shared devices. Nodes without accelerators are skipped.
     */
    public static List<Node> nodes(Path file) throws IOException {
        List<Node> nodes = new ArrayList<>();
        for (Row row : DelimitedTable.read(file, "sn", "cpu_milli", "memory_mib", "gpu", "model")) {
            OptionalInt slots = row.count("gpu");
            if (slots.orElse(0) > 0 && row.text("model").isPresent()) {
                nodes.add(node(row, slots.getAsInt()));
            }
        }
        return List.copyOf(nodes);
    }

    private static Node node(Row row, int slots) {
        List<String> devices =
                IntStream.range(0, slots).mapToObj(Integer::toString).toList();
        return new Node(
                        row.text("sn").orElse("node-" + row.number()),
                        "main",
                        null,
                        row.text("model").orElseThrow(),
                        devices,
                        cpus(row),
                        gibibytes(row),
                        0,
                        0,
                        NodeState.ACTIVE)
                .withSharedDevices(true);
    }

    private static OpenbPod pod(Row row) {
        return new OpenbPod(
                row.text("name").orElse("row-" + row.number()),
                cpus(row),
                gibibytes(row),
                row.count("num_gpu").orElse(0),
                share(row),
                row.text("gpu_spec").map(text -> List.of(text.split("\\|"))).orElse(List.of()));
    }

    /** Returns the requested share, rounded up to hundredths; null for whole accelerators, and for none. */
    private static @Nullable Double share(Row row) {
        double parts = Math.ceil(row.number("gpu_milli").orElse(0) / MILLI_PER_PART);
        return row.count("num_gpu").orElse(0) == 1 && parts > 0 && parts < Elasticity.PARTS
                ? parts / Elasticity.PARTS
                : null;
    }

    private static ResourceRequest request(OpenbPod pod) {
        int slots = Math.max(1, pod.slots());
        return new ResourceRequest(
                pod.types(),
                new HostDemand(pod.cpus() / slots, pod.memoryGiB() / slots),
                MaxNodes.DOUBLING,
                pod.share());
    }

    private static double cpus(Row row) {
        return row.number("cpu_milli").orElse(0) / 1000;
    }

    private static double gibibytes(Row row) {
        return row.number("memory_mib").orElse(0) / 1024;
    }
}
