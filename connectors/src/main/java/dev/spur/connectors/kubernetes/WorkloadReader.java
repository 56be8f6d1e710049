package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.JobAnnotation.Range;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.kubernetes.WorkloadKind.Pins;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Converts jobs and their pods. */
final class WorkloadReader {
    /** Bytes of a GiB. */
    private static final double GIBIBYTE = 1 << 30;
    /** Annotations of Kueue on pods with the node label of a level of the topology. */
    private static final String REQUIRED_TOPOLOGY = "kueue.x-k8s.io/podset-required-topology";

    private static final String PREFERRED_TOPOLOGY = "kueue.x-k8s.io/podset-preferred-topology";

    private final KubernetesSettings settings;
    private final NodeHostnames hosts;
    private final boolean mutableInJobs;

    /** For a cluster whose batch Jobs keep the requests of their pods. */
    WorkloadReader(KubernetesSettings settings, NodeHostnames hosts) {
        this(settings, hosts, false);
    }

    /** @param mutableInJobs whether the requests of the pods of suspended batch Jobs can change */
    WorkloadReader(KubernetesSettings settings, NodeHostnames hosts, boolean mutableInJobs) {
        this.settings = settings;
        this.hosts = hosts;
        this.mutableInJobs = mutableInJobs;
    }

    PlatformJob read(Workload workload, List<Pod> pods) {
        Optional<PodSets> shape = shape(workload);
        JobPlacement pinned =
                shape.map(known -> nextPlacement(workload, known, pods)).orElse(JobPlacement.NONE);
        State state = state(workload, shape, pods);
        return new PlatformJob(
                workload.id(),
                workload.name(),
                workload.namespace(),
                pool(workload).orElse("none"),
                state,
                new Size(
                        shape.map(PodSets::slots).orElse(0),
                        Math.max(1, pinned.slots().size())),
                shape.map(PodSets::unit).orElse(1),
                pinned,
                heldPlacement(state, pods)
                        .withBatch(PlatformJob.batch(workload.mark()))
                        .withHost(PlatformJob.host(workload.mark())),
                0,
                submittedAt(workload.object()),
                workload.deadline(),
                annotation(workload, shape),
                mark(workload),
                unsupportedReason(workload),
                PlatformJob.Training.of(workload.progress())
                        .withFailure(state == State.FAILED ? Optional.of(failure(workload, pods)) : Optional.empty()),
                shape.map(known -> hosts.selection(pool(workload).orElse(""), known))
                        .orElse(PlatformJob.NodeSelection.ANY));
    }

    /**
     * Returns the last-applied state. A job that a repeated apply of its manifest has suspended counts as held by Spur,
     * so that Spur starts it again: its owner did not decide to stop it.
     */
    private static Optional<LastAppliedState> mark(Workload workload) {
        return workload.isSuspendedByApply()
                ? workload.mark().map(mark -> new LastAppliedState(mark.revision(), JobPlacement.NONE, mark.since()))
                : workload.mark();
    }

    /**
     * Returns the options of the annotation, completed by the CPUs, the memory and the topology that the pods request.
     */
    private JobAnnotation annotation(Workload workload, Optional<PodSets> shape) {
        if (shape.isEmpty()) {
            return workload.jobAnnotation();
        }
        int unit = shape.get().unit();
        JsonNode pod = shape.get().roles().get(0).template().path("spec");
        JobAnnotation stated = workload.jobAnnotation();
        boolean statesTopology = stated.has(JobAnnotation.WITHIN) || stated.has(JobAnnotation.PREFER_WITHIN);
        Optional<String> required = topology(shape.get(), REQUIRED_TOPOLOGY).flatMap(settings::level);
        Optional<String> preferred = topology(shape.get(), PREFERRED_TOPOLOGY).flatMap(settings::level);
        return stated.withDefault(JobAnnotation.WITHIN, required.filter(level -> !statesTopology))
                .withDefault(
                        JobAnnotation.PREFER_WITHIN, preferred.filter(level -> !statesTopology && required.isEmpty()))
                .withDefaultShare("cpus", Gpus.request(pod, "cpu"), unit)
                .withDefaultShare("memory", Gpus.request(pod, "memory") / GIBIBYTE, unit);
    }

    /** Returns the node label in an annotation of Kueue for a level of the topology; empty without one. */
    private static Optional<String> topology(PodSets shape, String annotation) {
        return shape.roles().stream()
                .map(role -> role.template()
                        .at("/metadata/annotations")
                        .path(annotation)
                        .asString(""))
                .filter(label -> !label.isBlank())
                .findFirst();
    }

    /** Returns why Spur cannot honor the topology that the pods request by Kueue's annotations; empty if it can. */
    private Optional<String> unknownTopology(PodSets shape) {
        return Stream.of(REQUIRED_TOPOLOGY, PREFERRED_TOPOLOGY)
                .flatMap(annotation -> topology(shape, annotation).stream()
                        .filter(label -> settings.level(label).isEmpty())
                        .map(label ->
                                "its annotation %s names the node label %s, but Spur knows %s (rack) and %s (block)"
                                        .formatted(annotation, label, settings.rackLabel(), settings.blockLabel())))
                .findFirst();
    }

    private static PlatformJob.Failure failure(Workload workload, List<Pod> pods) {
        return new PlatformJob.Failure(
                pods.stream().map(Pod::exitCode).filter(code -> code != 0).findFirst(), workload.failure());
    }

    /** Converts a pod with GPUs that belongs to no job. */
    PlatformJob read(Pod pod) {
        return new PlatformJob(
                Workload.id(pod.namespace(), "pod", pod.name(), pod.uid()),
                pod.name(),
                pod.namespace(),
                hosts.poolOf(pod.node()).orElse("none"),
                State.RUNNING,
                new Size(pod.gpus(), 1),
                1,
                JobPlacement.NONE,
                JobPlacement.of(Map.of(pod.node(), pod.gpus())),
                0,
                Instant.EPOCH,
                Optional.empty(),
                JobAnnotation.NONE,
                Optional.empty(),
                Optional.of("standalone pods are not supported"));
    }

    private static Optional<PodSets> shape(Workload workload) {
        try {
            return Optional.of(workload.shape());
        } catch (KubernetesRejection none) {
            return Optional.empty();
        }
    }

    private static Instant submittedAt(JsonNode object) {
        String at = object.at("/metadata/creationTimestamp").asString("");
        return at.isEmpty() ? Instant.EPOCH : Instant.parse(at);
    }

    private Optional<String> pool(Workload workload) {
        return workload.pool(settings.poolLabel()).or(hosts::onlyPool);
    }

    private JobPlacement nextPlacement(Workload workload, PodSets shape, List<Pod> pods) {
        if (workload.waitsForKueue()) {
            JobPlacement marked =
                    workload.mark().map(LastAppliedState::placement).orElse(JobPlacement.NONE);
            return marked.total() == shape.slots() ? marked : JobPlacement.NONE;
        }
        return workload.kind().pins() == Pins.PODS
                ? new GatedPods(hosts, pods).placement(workload, shape)
                : nextPlacement(workload, shape);
    }

    /**
     * Returns the placement at the next start. It is empty unless each pod set is pinned to one node, or all pod sets
     * are pinned to the same nodes and share them equally.
     */
    JobPlacement nextPlacement(Workload workload, PodSets shape) {
        return pinnedPlacement(workload, shape)
                .withBatch(BatchAnnotation.read(workload, shape.roles().get(0)))
                .withHost(PlatformJob.host(workload.mark()) == null ? null : PodResources.read(shape));
    }

    private JobPlacement pinnedPlacement(Workload workload, PodSets shape) {
        NodePinning pinning = new NodePinning(workload.kind().pins());
        List<List<String>> tied = new ArrayList<>();
        shape.roles().forEach(role -> tied.add(pinning.hosts(workload, role)));
        Map<String, Integer> slots = new TreeMap<>();
        if (tied.stream().allMatch(hosts -> hosts.size() == 1)) {
            for (int r = 0; r < tied.size(); r++) {
                int held = shape.roles().get(r).pods() * shape.unit();
                if (held > 0) {
                    slots.merge(hosts.nodeOf(tied.get(r).get(0)), held, Integer::sum);
                }
            }
            return JobPlacement.of(slots);
        }
        List<String> there = tied.stream().distinct().count() == 1 ? tied.get(0) : List.of();
        if (there.isEmpty() || shape.slots() == 0 || shape.slots() % there.size() != 0) {
            return JobPlacement.NONE;
        }
        there.forEach(host -> slots.put(hosts.nodeOf(host), shape.slots() / there.size()));
        return JobPlacement.of(slots);
    }

    private static State state(Workload workload, Optional<PodSets> shape, List<Pod> pods) {
        boolean holds = pods.stream().anyMatch(Pod::holds);
        if (workload.isBeingDeleted()) {
            return holds ? State.STOPPING : State.CANCELLED;
        }
        Set<String> conditions = workload.conditions();
        if (!Collections.disjoint(conditions, workload.kind().done())) {
            return State.DONE;
        }
        if (!Collections.disjoint(conditions, workload.kind().failed())) {
            return State.FAILED;
        }
        if (workload.isSuspended()) {
            if (pods.stream().anyMatch(Pod::isActive)) {
                return State.STOPPING;
            }
            return workload.waitsForKueue() ? State.WAITING : State.HELD;
        }
        if (workload.kind().pins() == Pins.PODS && GatedPods.areHeld(workload, pods)) {
            return State.HELD;
        }
        long ran = pods.stream().filter(pod -> pod.gpus() > 0 && pod.ran()).count();
        long expected = shape.map(PodSets::pods).orElse(1);
        return ran > 0 && ran >= expected ? State.RUNNING : State.WAITING;
    }

    /** Returns the held resources. For a running job they include those of its pods that completed early. */
    private static JobPlacement heldPlacement(State state, List<Pod> pods) {
        Map<String, Integer> slots = new TreeMap<>();
        pods.stream()
                .filter(pod -> pod.gpus() > 0 && (pod.holds() || (state == State.RUNNING && pod.ran())))
                .forEach(pod -> slots.merge(pod.node(), pod.gpus(), Integer::sum));
        return JobPlacement.of(slots);
    }

    private Optional<String> unsupportedReason(Workload workload) {
        Optional<LastAppliedState> mark = workload.mark();
        Optional<String> otherManager = workload.otherManager();
        if (otherManager.isPresent()) {
            return otherManager;
        }
        if (mark.isEmpty() && workload.hasForeignMark()) {
            return Optional.of("its annotation %s is used by another writer".formatted(Workload.MARK));
        }
        if (pool(workload).isEmpty()) {
            return Optional.of("its label %s, which names its pool, is missing".formatted(settings.poolLabel()));
        }
        try {
            return unsupportedReason(workload, workload.shape(), mark.isEmpty());
        } catch (KubernetesRejection unsupported) {
            return Optional.of(String.valueOf(unsupported.getMessage()));
        }
    }

    private Optional<String> unsupportedReason(Workload workload, PodSets shape, boolean fresh) {
        NodePinning pinning = new NodePinning(workload.kind().pins());
        if (fresh
                && shape.roles().stream()
                        .anyMatch(role -> !pinning.hosts(workload, role).isEmpty())) {
            return Optional.of("it requests nodes by name");
        }
        Optional<String> unmet = fresh ? hosts.unmetEverywhere(pool(workload).orElse(""), shape) : Optional.empty();
        if (unmet.isPresent()) {
            return unmet;
        }
        Optional<String> unknownTopology = unknownTopology(shape);
        if (unknownTopology.isPresent()) {
            return unknownTopology;
        }
        if (workload.kind().pins() == Pins.PODS
                && shape.roles().stream()
                        .anyMatch(role -> !Pod.isGated(role.template().path("spec")))) {
            return Optional.of("a pod template lacks the scheduling gate " + Pod.GATE);
        }
        if (workload.jobAnnotation().signal().isPresent()) {
            return Optional.of(
                    "the setting signal is not supported: Kubernetes sends SIGTERM and waits for terminationGracePeriodSeconds");
        }
        Optional<String> obstacle = workload.jobAnnotation().has(JobAnnotation.HOST_LEVELS)
                ? PodResources.obstacle(workload, shape, mutableInJobs)
                : Optional.empty();
        if (obstacle.isPresent()) {
            return obstacle;
        }
        if (workload.jobAnnotation().has(JobAnnotation.ELASTIC_BATCH)) {
            if (!BatchAnnotation.isRead(shape)) {
                return Optional.of(
                        "the setting elastic-batch requires a variable, such as SPUR_GLOBAL_BATCH, with fieldPath "
                                + BatchAnnotation.FIELD + " in a container of each pod with GPUs");
            }
            if (workload.admission().isPresent() && fresh && BatchAnnotation.isSet(shape)) {
                return Optional.of("its pods have the annotation %s, which Kueue does not change: remove it"
                        .formatted(BatchAnnotation.NAME));
            }
        }
        if (!workload.countsAgree(shape)) {
            return Optional.of("its completions must equal its parallelism");
        }
        if (workload.kind().pins().isOneNodeEach()
                && !fitsNodes(shape, hosts.largest(pool(workload).orElse("")))) {
            return Optional.of("each pod group must be on a single node, but its pod groups do not fit the nodes");
        }
        if (workload.admission().isPresent()
                && shape.slots() > hosts.largest(pool(workload).orElse(""))) {
            return Optional.of(
                    "Kueue passes a single node for all its pods, but no node has %d GPUs".formatted(shape.slots()));
        }
        Optional<Range> range = workload.jobAnnotation().range("gpus");
        Range same = new Range(Math.max(1, shape.slots()), Math.max(1, shape.slots()));
        if (range.isPresent() && !range.get().equals(same) && !workload.isResizable(shape)) {
            return Optional.of(
                    "the setting gpus must be %d, because its number of pods cannot change".formatted(shape.slots()));
        }
        return Optional.empty();
    }

    /** Returns true if each pod set fits on one node or fills whole nodes. */
    private static boolean fitsNodes(PodSets shape, int largest) {
        if (shape.slots() <= largest) {
            return true;
        }
        if (largest == 0 || shape.slots() % largest != 0) {
            return false;
        }
        Map<String, Integer> nodes = new TreeMap<>();
        for (int n = 0; n < shape.slots() / largest; n++) {
            nodes.put("node" + n, largest);
        }
        return PodGroupPacking.of(shape, JobPlacement.of(nodes)).isPresent();
    }
}
