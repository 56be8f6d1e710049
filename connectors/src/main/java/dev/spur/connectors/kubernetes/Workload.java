package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.kubernetes.WorkloadKind.Pins;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A job as it lies in the cluster.
 *
 * @param kind its kind
 * @param object it
 * @param body the object in which its groups of pods stand: itself, or what its controller made for it; empty if it has
 *     not yet
 * @param admission what Kueue has of it, if that waits for a check of Spur
 */
record Workload(WorkloadKind kind, ObjectNode object, ObjectNode body, Optional<Admission> admission) {
    static final String WORDS = "spur.dev/words";
    static final String MARK = "spur.dev/mark";
    private static final String QUEUE = "kueue.x-k8s.io/queue-name";
    /** Controllers that belong to the kinds themselves: to be managed by them is to be managed by nobody else. */
    private static final Set<String> OWN_CONTROLLERS = Set.of(
            "kubernetes.io/job-controller",
            "kubeflow.org/training-operator",
            "ray.io/kuberay-operator",
            "jobset.sigs.k8s.io/jobset-controller",
            "trainer.kubeflow.org/trainjob-controller");

    private static final int UID_DIGITS = 8;

    /** A job whose groups stand in itself. */
    Workload(WorkloadKind kind, ObjectNode object) {
        this(kind, object, object, Optional.empty());
    }

    /** The same job with what its controller made for it, if that is really made for it. */
    Workload made(Optional<ObjectNode> found) {
        ObjectNode own =
                found.filter(one -> Pod.ownerOf(one).equals(uid())).orElseGet(JsonNodeFactory.instance::objectNode);
        return new Workload(kind, object, own, admission);
    }

    /** The same job with what Kueue has of it. */
    Workload admitted(Optional<Admission> found) {
        return new Workload(kind, object, body, found);
    }

    /** True if it is in a queue of Kueue. */
    boolean isQueued() {
        return !object.path("metadata").path("labels").path(QUEUE).asString("").isEmpty();
    }

    /**
     * True if Kueue keeps it although its mark lets it run: for want of quota, or since Spur has not passed its check
     * yet.
     */
    boolean waitsForKueue() {
        return isSuspended()
                && admission.filter(Admission::isActive).isPresent()
                && mark().filter(LastAppliedState::runs).isPresent();
    }

    /** Its pods with GPUs, or why it has none. */
    PodSets shape() throws KubernetesRejection {
        if (!kind.made().isEmpty() && body.isEmpty()) {
            throw new KubernetesRejection("its controller has not made its %s yet".formatted(kind.made()));
        }
        return PodSets.of(kind, body);
    }

    String namespace() {
        return object.at("/metadata/namespace").asString("");
    }

    String name() {
        return object.at("/metadata/name").asString("");
    }

    String uid() {
        return object.at("/metadata/uid").asString("");
    }

    String path() {
        return kind.path(namespace(), name());
    }

    /** Its id for Spur: another job of the same name is another job. */
    String id() {
        return id(namespace(), kind.id(), name(), uid());
    }

    static String id(String namespace, String kind, String name, String uid) {
        String compact = uid.replace("-", "");
        return "%s/%s/%s/%s"
                .formatted(namespace, kind, name, compact.substring(Math.max(0, compact.length() - UID_DIGITS)));
    }

    JobAnnotation jobAnnotation() {
        return JobAnnotation.read(annotation(WORDS));
    }

    Optional<LastAppliedState> mark() {
        return LastAppliedState.read(annotation(MARK));
    }

    /** True if the place of the mark is taken by something that is none. */
    boolean hasForeignMark() {
        return !annotation(MARK).isBlank() && mark().isEmpty();
    }

    /** True if all numbers that belong together are equal where they stand. */
    boolean countsAgree(PodSets shape) {
        return kind.together().stream()
                .map(object::at)
                .allMatch(number -> !number.isNumber() || number.asInt() == shape.pods());
    }

    /** True if it may have another number of pods. A batch Job with completions may only if they are indexed. */
    boolean isResizable(PodSets shape) {
        boolean counted =
                kind.together().stream().anyMatch(place -> object.at(place).isNumber());
        boolean indexed = object.at("/spec/completionMode").asString("").equals("Indexed");
        return kind.resizes() && admission.isEmpty() && shape.grows() && (!counted || indexed);
    }

    private String annotation(String name) {
        return object.path("metadata").path("annotations").path(name).asString("");
    }

    /** True if it is kept from having pods. */
    boolean isSuspended() {
        return kind.pins() == Pins.PODS
                ? Set.of("Aborting", "Aborted").contains(phase())
                : object.at(kind.suspend()).asBoolean(false);
    }

    private String phase() {
        return object.at("/status/state/phase").asString("");
    }

    boolean isBeingDeleted() {
        return object.path("metadata").has("deletionTimestamp");
    }

    /** Conditions that hold, and phases and states that stand there: what its kind says of its end is among them. */
    Set<String> says() {
        JsonNode status = object.path("status");
        Set<String> says = new TreeSet<>();
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("status").asString("").equals("True")) {
                says.add(condition.path("type").asString(""));
            }
        }
        says.add(status.path("jobStatus").asString(""));
        says.add(status.path("jobDeploymentStatus").asString(""));
        says.add(phase());
        return says;
    }

    /** Who else decides when it runs or how large it is; empty if nobody does. */
    Optional<String> rival() {
        if (isQueued() && (admission.isEmpty() || kind.pins() == Pins.PODS)) {
            return Optional.of("it is in a queue of Kueue, which decides when it starts and asks no check of Spur");
        }
        for (String rival : kind.rivals()) {
            JsonNode found = object.at(rival);
            boolean there = found.isBoolean() ? found.asBoolean() : !found.isMissingNode() && !found.isNull();
            if (there && !OWN_CONTROLLERS.contains(found.asString(""))) {
                return Optional.of("%s lets somebody else decide about it"
                        .formatted(rival.substring(1).replace('/', '.')));
            }
        }
        return Optional.empty();
    }

    /** The share of its work that is done, if it says so. */
    Optional<Double> progress() {
        JsonNode percentage = kind.progress().isEmpty() ? object.path("none") : object.at(kind.progress());
        return percentage.isNumber()
                ? Optional.of(Math.max(0, Math.min(1, percentage.asDouble() / 100)))
                : Optional.empty();
    }

    Optional<Double> deadline() {
        JsonNode seconds = kind.deadline().isEmpty() ? object.path("none") : object.at(kind.deadline());
        return seconds.isNumber() ? Optional.of(Math.max(1, seconds.asDouble())) : Optional.empty();
    }

    /** The pool that it says it is for: its label, or the node selector of its pods; empty if it says none. */
    Optional<String> pool(String label) {
        String own = object.path("metadata").path("labels").path(label).asString("");
        if (!own.isEmpty()) {
            return Optional.of(own);
        }
        try {
            return shape().roles().stream()
                    .map(role ->
                            role.template().at("/spec/nodeSelector").path(label).asString(""))
                    .filter(pool -> !pool.isEmpty())
                    .findFirst();
        } catch (KubernetesRejection shapeless) {
            return Optional.empty();
        }
    }
}
