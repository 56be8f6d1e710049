package dev.spur.simulator.replay;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobSpec;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.TraceJob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Feasibility check of a job's minimum number of slots on the empty cluster. A job that can never run would wait, or
 * block others, forever.
 */
final class ClusterFeasibility {
    private final Map<String, Integer> slots = new HashMap<>();

    ClusterFeasibility(List<Node> nodes) {
        for (Node node : nodes) {
            if (node.acceleratorType() != null) {
                slots.merge(node.pool() + "\n" + node.acceleratorType(), node.slots(), Integer::sum);
            }
        }
    }

    /** Returns true if some pool has enough slots of a type that the job may use. */
    boolean holds(TraceJob job) {
        JobSpec spec = job.viewModel().after(RunHistory.NONE).spec();
        Elasticity desired = spec.elasticity();
        OptionalInt minSlots = desired.minCount();
        return minSlots.isPresent()
                && slots.entrySet().stream()
                        .anyMatch(kind -> allows(spec, kind.getKey()) && kind.getValue() >= minSlots.getAsInt());
    }

    /** Returns true if the job may run on several numbers of slots. */
    static boolean isElastic(TraceJob job) {
        Elasticity desired = job.viewModel().after(RunHistory.NONE).spec().elasticity();
        return desired.minSlots() < desired.maxSlots();
    }

    private static boolean allows(JobSpec spec, String kind) {
        int line = kind.indexOf('\n');
        String type = kind.substring(line + 1);
        return spec.elasticity().allowsPool(kind.substring(0, line))
                && spec.elasticity().allowsType(type)
                && spec.profile().acceleratorTypes().contains(type);
    }
}
