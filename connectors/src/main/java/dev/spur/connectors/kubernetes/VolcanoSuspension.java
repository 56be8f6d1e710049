package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.StepOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Suspension strategy for Volcano Jobs, of which only counts can be changed. A scheduling gate in the templates holds
 * each pod until Spur pins it to its node and removes the gate. A Volcano Command ends the pods, and another one
 * recreates them.
 */
final class VolcanoSuspension implements SuspensionStrategy {
    private static final String COMMANDS = "/apis/bus.volcano.sh/v1alpha1/namespaces/%s/commands";
    private static final String ABORT = "AbortJob";
    private static final String RESUME = "ResumeJob";
    /** Default of {@code maxRetry} set by the Volcano webhook. */
    private static final int DEFAULT_RETRIES = 3;

    private final WorkloadPatcher patcher;

    VolcanoSuspension(WorkloadPatcher patcher) {
        this.patcher = patcher;
    }

    @Override
    public StepOutcome hold(JobAction action, Workload job)
            throws IOException, InterruptedException, KubernetesRejection {
        boolean ends = !job.isSuspended() && read(podsOf(job)).stream().anyMatch(Pod::isReleased);
        if (ends) {
            requireRetry(job);
        }
        ObjectNode changed = job.object().deepCopy();
        if (!patcher.mark(action, job, JobPlacement.NONE, changed)
                && !WorkloadPatcher.isMarked(patcher.put(job, changed), action, JobPlacement.NONE)) {
            return new StepOutcome.Unchanged("job %s: the state that Spur wrote is not visible".formatted(job.id()));
        }
        if (!ends) {
            return patcher.holding(job.isSuspended() ? "it is aborted" : "its pods are gated");
        }
        command(job, ABORT, RESUME);
        return patcher.holding("Volcano was requested to abort it");
    }

    @Override
    public StepOutcome run(JobAction action, Workload job, PlatformJob observed)
            throws IOException, InterruptedException, KubernetesRejection {
        JobPlacement there = action.placement();
        boolean free = !job.isSuspended();
        if (free && observed.state() == State.WAITING && WorkloadPatcher.isMarked(job, action, there)) {
            return patcher.starting("its pods are released as they are created");
        }
        boolean letGo = read(podsOf(job)).stream().anyMatch(Pod::isReleased);
        if (letGo || observed.state() != State.HELD) {
            return hold(action, job);
        }
        if (!free) {
            requireRetry(job);
        }
        PlacementApplier fitting = new PlacementApplier(job, patcher.hosts());
        fitting.check(there);
        ObjectNode changed = fitting.apply(there);
        patcher.mark(action, job, there, changed);
        Workload now = patcher.put(job, changed);
        if (now.shape().slots() != there.total() || !WorkloadPatcher.isMarked(now, action, there)) {
            return new StepOutcome.Unchanged(
                    "job %s was given placement %s but does not show it".formatted(job.id(), there.slots()));
        }
        if (!free) {
            command(now, RESUME, ABORT);
        }
        return patcher.starting(free ? "its pods are released" : "Volcano was requested to resume it");
    }

    /**
     * Requires a remaining retry. Each resumption counts as a retry, and Volcano fails the job when the limit is
     * reached.
     */
    private static void requireRetry(Workload job) throws KubernetesRejection {
        int max = job.object().at("/spec/maxRetry").asInt(DEFAULT_RETRIES);
        int used = job.object().at("/status/retryCount").asInt(0);
        if (used + 1 >= max) {
            throw new KubernetesRejection("resuming it would exceed its Volcano retry limit: %d of maxRetry %d are used"
                    .formatted(used, max));
        }
    }

    /** Sends a command to Volcano unless an equal one is pending. */
    private void command(Workload job, String what, String opposite)
            throws IOException, InterruptedException, KubernetesRejection {
        String commands = COMMANDS.formatted(job.namespace());
        if (patcher.calls().get(commands + "/" + name(job, opposite)).isPresent()) {
            throw new IOException("Volcano has not processed the previous command yet (%s)".formatted(opposite));
        }
        if (patcher.calls().get(commands + "/" + name(job, what)).isPresent()) {
            return;
        }
        ObjectNode command = JsonNodeFactory.instance.objectNode();
        command.put("apiVersion", "bus.volcano.sh/v1alpha1")
                .put("kind", "Command")
                .put("action", what);
        command.withObject("/metadata").put("name", name(job, what)).put("namespace", job.namespace());
        ObjectNode target = command.withObject("/target");
        target.put("apiVersion", "batch.volcano.sh/v1alpha1").put("kind", "Job");
        target.put("name", job.name()).put("uid", job.uid()).put("controller", true);
        patcher.calls().create(commands, command);
    }

    private static String name(Workload job, String what) {
        return "spur-%s-%s".formatted(job.uid(), what.toLowerCase(Locale.ROOT));
    }

    private List<ObjectNode> podsOf(Workload job) throws IOException, InterruptedException {
        return patcher.calls().list(podsPath(job)).stream()
                .filter(pod -> Pod.ownerOf(pod).equals(job.uid()))
                .toList();
    }

    private static String podsPath(Workload job) {
        return "/api/v1/namespaces/%s/pods".formatted(job.namespace());
    }

    @Override
    public List<String> enforce(Workload job) throws IOException, InterruptedException, KubernetesRejection {
        Optional<LastAppliedState> mark = job.mark().filter(LastAppliedState::runs);
        if (mark.isEmpty() || job.isSuspended() || job.isBeingDeleted()) {
            return List.of();
        }
        NodeHostnames hosts = patcher.hosts();
        List<ObjectNode> pods = podsOf(job);
        Map<String, String> nodes =
                new GatedPods(hosts, read(pods)).nodes(mark.get().placement());
        for (ObjectNode pod : pods) {
            Pod one = Pod.read(pod);
            String node = nodes.get(one.uid());
            if (node != null && !pod.path("metadata").has("deletionTimestamp")) {
                patcher.calls()
                        .put(
                                podsPath(job) + "/" + one.name(),
                                openPod(pod, node, mark.get().placement().batch(), hosts));
            }
        }
        List<Pod> now = nodes.isEmpty() ? List.of() : read(podsOf(job));
        return now.stream()
                .filter(pod -> pod.gated() && nodes.containsKey(pod.uid()))
                .map(pod -> "pod %s of job %s was released but is still gated".formatted(pod.name(), job.id()))
                .toList();
    }

    private static List<Pod> read(List<ObjectNode> pods) {
        return pods.stream().map(Pod::read).toList();
    }

    private static ObjectNode openPod(ObjectNode pod, String node, @Nullable Integer batch, NodeHostnames hosts)
            throws KubernetesRejection {
        ObjectNode open = pod.deepCopy();
        BatchAnnotation.write(open, batch);
        if (!node.isEmpty()) {
            open.withObject("/spec/nodeSelector").put(KubernetesNodeReader.HOSTNAME, hosts.hostOf(node));
        }
        List<JsonNode> others = new ArrayList<>();
        for (JsonNode gate : open.at("/spec/schedulingGates")) {
            if (!gate.path("name").asString("").equals(Pod.GATE)) {
                others.add(gate);
            }
        }
        open.withObject("/spec").putArray("schedulingGates").addAll(others);
        return open;
    }
}
