package dev.spur.model.round;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.Contention;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Contention between jobs on the networks of the nodes of a cluster. */
final class NetworkSharing {
    private final Map<String, Contention> contention = new HashMap<>();
    /** Jobs of a replay share their specifications. */
    private final IdentityHashMap<JobSpec, JobSpec> chargedSpecs = new IdentityHashMap<>();

    NetworkSharing(List<AcceleratorType> types, List<Node> nodes) {
        Map<String, Integer> largest = new HashMap<>();
        for (Node node : nodes) {
            if (node.acceleratorType() != null && node.slots() > 0) {
                largest.merge(node.acceleratorType(), node.slots(), Math::max);
            }
        }
        for (AcceleratorType type : types) {
            Integer slots = largest.get(type.name());
            Double factor = type.contention();
            if (slots != null && (factor == null || factor > 0)) {
                contention.put(type.name(), new Contention(type.name(), slots, factor));
            }
        }
    }

    /** Returns {@code jobs} with the speeds that contention leaves them. */
    List<Job> apply(List<Job> jobs) {
        return jobs.stream().map(this::apply).toList();
    }

    @SuppressWarnings("ReferenceEquality") // an equal profile is returned as the same object
    private Job apply(Job job) {
        JobSpec spec = job.spec();
        var shared = spec.profile().withContention(contention);
        return shared == spec.profile()
                ? job
                : job.withSpec(chargedSpecs.computeIfAbsent(spec, own -> own.withSpeed(shared, own.efficiency())));
    }
}
