package dev.spur.connectors.kubernetes;

import dev.spur.connectors.HostResources;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.kubernetes.PodSets.PodSet;
import dev.spur.connectors.kubernetes.WorkloadKind.Pins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes a job to a placement: number of pods, pinned nodes, and an even spread. */
final class PlacementApplier {
    private static final String MINIMUM = "minAvailable";

    private final Workload job;
    private final NodeHostnames hosts;
    private final PodSets shape;
    private final NodePinning pinning;
    private final Pins pins;

    PlacementApplier(Workload job, NodeHostnames hosts) throws KubernetesRejection {
        this.job = job;
        this.hosts = hosts;
        this.shape = job.shape();
        this.pins = job.kind().pins();
        this.pinning = new NodePinning(pins);
    }

    /**
     * Checks that the pods can have this placement.
     *
     * @throws KubernetesRejection if they cannot
     */
    void check(JobPlacement there) throws KubernetesRejection {
        for (String node : there.slots().keySet()) {
            hosts.check(node, shape);
        }
        for (int slots : there.slots().values()) {
            if (slots % shape.unit() != 0) {
                throw new KubernetesRejection(
                        "%d GPUs per pod do not divide %d GPUs on a node".formatted(shape.unit(), slots));
            }
        }
        int pods = there.total() / shape.unit();
        if (pods != shape.pods() && (!job.isResizable(shape) || pods < shape.fixed())) {
            throw new KubernetesRejection(
                    "its number of pods cannot change from %2$d to %1$d".formatted(pods, shape.pods()));
        }
        if (pins.isOneNodeEach()) {
            pack(shape, there);
        } else if (pins != Pins.PODS) {
            checkEven(there);
        }
    }

    private static Map<PodSet, String> pack(PodSets shape, JobPlacement there) throws KubernetesRejection {
        return PodGroupPacking.of(shape, there)
                .orElseThrow(() ->
                        new KubernetesRejection("each pod group must be on a single node, which is impossible with %s"
                                .formatted(there.slots())));
    }

    private void checkEven(JobPlacement there) throws KubernetesRejection {
        int perNode = there.total() / there.slots().size();
        if (there.slots().values().stream().anyMatch(slots -> slots != perNode)) {
            throw new KubernetesRejection(
                    "all its nodes must have the same number of pods, not %s".formatted(there.slots()));
        }
        boolean several = there.slots().size() > 1;
        if (several && !isForced(there, perNode)) {
            for (PodSet role : shape.roles()) {
                if (!pinning.spreads(role.template())) {
                    throw new KubernetesRejection(
                            "placement %s requires a topologySpreadConstraint in its pod template: without it all its"
                                            .formatted(there.slots())
                                    + " pods could start on one node");
                }
            }
        }
    }

    /** Returns true if the placement fills its nodes, so that every schedule is even. */
    private boolean isForced(JobPlacement there, int perNode) {
        return there.slots().keySet().stream().allMatch(node -> perNode + shape.unit() > hosts.slots(node));
    }

    /** Returns the job with the placement applied. */
    ObjectNode apply(JobPlacement there) throws KubernetesRejection {
        ObjectNode changed = job.object().deepCopy();
        PodSets now = job.kind().made().isEmpty() ? PodSets.of(job.kind(), changed) : shape;
        int pods = there.total() / now.unit();
        if (pods != now.pods()) {
            count(changed, now, pods);
        }
        if (pins.isOneNodeEach()) {
            for (Map.Entry<PodSet, String> one : pack(now, there).entrySet()) {
                pinning.pin(changed, one.getKey(), hosts.hostOf(one.getValue()));
            }
        } else if (pins != Pins.PODS) {
            List<String> names = new ArrayList<>();
            for (String node : there.slots().keySet()) {
                names.add(hosts.hostOf(node));
            }
            for (PodSet role : now.roles()) {
                pinning.pin(role.template(), names, job.uid());
            }
        }
        if (pins != Pins.PODS) {
            now.roles().forEach(role -> BatchAnnotation.write(pins, changed, role, there.batch()));
        }
        HostResources host = there.host();
        if (host != null) {
            now.roles().forEach(role -> PodResources.write(role.template(), now.unit(), host));
        }
        return changed;
    }

    private void count(ObjectNode changed, PodSets now, int pods) {
        int more = pods - now.pods();
        for (PodSet role : now.roles()) {
            role.grows().ifPresent(number -> {
                minimum(role.at(), role.pods(), role.pods() + more);
                role.at().put(number, pods - now.fixed());
            });
        }
        if (pins == Pins.PODS) {
            int all = 0;
            for (JsonNode task : changed.at("/spec/tasks")) {
                all += task.path("replicas").asInt(1);
            }
            minimum(changed.withObject("/spec"), all - more, all);
        }
        for (String place : job.kind().together()) {
            int last = place.lastIndexOf('/');
            if (changed.at(place).isNumber()) {
                changed.withObject(place.substring(0, last)).put(place.substring(last + 1), pods);
            }
        }
    }

    /**
     * Adjusts the minimum number of pods of a gang. A minimum equal to the number of pods follows it; otherwise it is
     * reduced to at most that number.
     */
    private static void minimum(ObjectNode at, int before, int now) {
        JsonNode minimum = at.path(MINIMUM);
        if (minimum.isNumber()) {
            at.put(MINIMUM, minimum.asInt() == before ? now : Math.min(minimum.asInt(), now));
        }
    }
}
