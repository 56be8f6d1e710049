package dev.spur.simulator.trace.rigid;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.DependencyCondition;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobDependency;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.TimeLimit;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Conversion of recorded jobs to rigid ones. A job of k slots trains one sample per slot and second, in batches of k.
 * Its samples equal its recorded slot-seconds. Jobs with the same number of slots share their profile. A job that
 * requests a share of a device gets it if a node shares its devices, and otherwise a whole device.
 */
final class RigidSpecs {
    /** Accelerator type of a cluster without a description. */
    private static final String ANY_TYPE = "GPU";

    private final Map<String, Integer> slotsByType = new HashMap<>();
    private final boolean hasHostResources;
    private final boolean sharesDevices;
    private final double restartSeconds;
    private final Map<String, Integer> largestNode = new HashMap<>();
    private final Map<Map.Entry<Integer, MaxNodes>, ThroughputProfile> profiles = new HashMap<>();
    private final Map<Integer, BatchLimits> batches = new HashMap<>();
    private final Map<Map.Entry<Integer, ResourceRequest>, Elasticity> elasticities = new HashMap<>();

    RigidSpecs(List<Node> nodes, double restartSeconds) {
        this.restartSeconds = restartSeconds;
        for (Node node : nodes) {
            if (node.acceleratorType() != null) {
                slotsByType.merge(node.acceleratorType(), node.slots(), Integer::sum);
                largestNode.merge(node.acceleratorType(), node.slots(), Math::max);
            }
        }
        if (nodes.isEmpty()) {
            slotsByType.put(ANY_TYPE, Integer.MAX_VALUE);
        }
        hasHostResources = nodes.stream().anyMatch(node -> node.cpus() > 0);
        sharesDevices = nodes.stream().anyMatch(Node::sharesDevices);
    }

    /** Returns the maximum number of slots of one type for a job with this request on the empty cluster. */
    int maxSlots(ResourceRequest request) {
        return slotsByType.entrySet().stream()
                .filter(type -> request.types().isEmpty() || request.types().contains(type.getKey()))
                .mapToInt(Map.Entry::getValue)
                .max()
                .orElse(0);
    }

    /** Returns the job, with times relative to {@code start}. */
    TraceJob job(TraceRow row, double start) {
        int slots = row.slots().orElseThrow();
        double seconds = row.seconds().orElseThrow();
        JobSpec unlimitedSpec = spec(slots, seconds, row.request());
        JobSpec spec = row.limitSeconds().isPresent()
                ? unlimitedSpec
                        .edit()
                        .timeLimit(TimeLimit.ofStart(row.limitSeconds().getAsDouble()))
                        .build()
                : unlimitedSpec;
        return new TraceJob(
                row.id(),
                row.submitted().orElseThrow() - start,
                row.tenant(),
                null,
                slots,
                seconds,
                new SpecGroundTruth(spec, 0, restartSeconds),
                PolicyViewModel.complete(spec),
                row.preceding() == null
                        ? List.of()
                        : List.of(new JobDependency(row.preceding(), DependencyCondition.ENDED)));
    }

    private JobSpec spec(int slots, double seconds, ResourceRequest request) {
        return new JobSpec(
                new Work(WorkUnit.SAMPLES, slots * seconds, null),
                elasticities.computeIfAbsent(Map.entry(slots, request), key -> elasticity(slots, request)),
                batches.computeIfAbsent(slots, BatchLimits::ofBatch),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.UNKNOWN,
                profiles.computeIfAbsent(
                        Map.entry(slots, request.maxNodes()), key -> profile(slots, request.maxNodes())),
                hasHostResources ? request.host() : HostDemand.NONE,
                restartSeconds,
                0,
                true,
                1,
                0,
                null,
                null);
    }

    private Elasticity elasticity(int slots, ResourceRequest request) {
        return new Elasticity(
                        request.types(),
                        List.of(),
                        slots,
                        slots,
                        false,
                        List.of(),
                        null,
                        request.maxNodes() == MaxNodes.MINIMUM)
                .withDeviceShare(sharesDevices ? request.deviceShare() : null);
    }

    /**
     * Returns a profile with the same speed on every number of nodes that {@code maxNodes} allows, so that policies may
     * choose any of them.
     */
    private ThroughputProfile profile(int slots, MaxNodes maxNodes) {
        List<ProfilePoint> points = new ArrayList<>();
        for (String type : slotsByType.keySet().stream().sorted().toList()) {
            int perNode = Math.max(1, largestNode.getOrDefault(type, slots));
            maxNodes.nodes(slots, perNode)
                    .forEach(nodes -> points.add(ProfilePoint.allReduce(type, slots, nodes, slots, slots)));
        }
        return new ThroughputProfile(points, List.of());
    }
}
