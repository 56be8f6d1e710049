package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.kubernetes.WorkloadKind.Pins;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A job object in the cluster.
 *
 * @param kind kind of the job
 * @param object the job object
 * @param body object with the pod sets: the job object, or the object that its controller creates for it; empty until
 *     it exists
 * @param admission Kueue Workload that waits for a check of Spur
 */
record Workload(WorkloadKind kind, ObjectNode object, ObjectNode body, Optional<Admission> admission) {
    static final String WORDS = "spur.dev/words";
    static final String MARK = "spur.dev/mark";
    private static final String QUEUE = "kueue.x-k8s.io/queue-name";
    private static final String MAX_SECONDS = "kueue.x-k8s.io/max-exec-time-seconds";
    /** Field of the annotation in which an apply on the client stores the manifest. */
    private static final String MANIFEST =
            "/f:metadata/f:annotations/f:kubectl.kubernetes.io~1last-applied-configuration";

    /** Controllers that belong to the kinds themselves, and are therefore no other manager. */
    private static final Set<String> OWN_CONTROLLERS = Set.of(
            "kubernetes.io/job-controller",
            "kubeflow.org/training-operator",
            "ray.io/kuberay-operator",
            "jobset.sigs.k8s.io/jobset-controller",
            "trainer.kubeflow.org/trainjob-controller");

    private static final int UID_DIGITS = 8;

    /** Creates a job whose pod sets are in the job object. */
    Workload(WorkloadKind kind, ObjectNode object) {
        this(kind, object, object, Optional.empty());
    }

    /** Returns a copy with the object created by the job's controller, if that object belongs to the job. */
    Workload withControllerObject(Optional<ObjectNode> found) {
        ObjectNode own =
                found.filter(one -> Pod.ownerOf(one).equals(uid())).orElseGet(JsonNodeFactory.instance::objectNode);
        return new Workload(kind, object, own, admission);
    }

    /** Returns a copy with the Kueue Workload. */
    Workload withAdmission(Optional<Admission> found) {
        return new Workload(kind, object, body, found);
    }

    /** Returns true if the job is in a Kueue queue. */
    boolean isQueued() {
        return !object.path("metadata").path("labels").path(QUEUE).asString("").isEmpty();
    }

    /**
     * Returns true if Kueue holds the job although its last-applied state is running: quota is missing or the check of
     * Spur is not Ready.
     */
    boolean waitsForKueue() {
        return isSuspended()
                && admission.filter(Admission::isActive).isPresent()
                && mark().filter(LastAppliedState::runs).isPresent();
    }

    /**
     * Returns the pods with GPUs.
     *
     * @throws KubernetesRejection with the reason if there are none
     */
    PodSets shape() throws KubernetesRejection {
        if (!kind.made().isEmpty() && body.isEmpty()) {
            throw new KubernetesRejection("its controller has not created its %s yet".formatted(kind.made()));
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

    /** Returns the id of the job in Spur. It contains the UID, because a name can be reused. */
    String id() {
        return id(namespace(), kind.id(), name(), uid());
    }

    static String id(String namespace, String kind, String name, String uid) {
        String compact = uid.replace("-", "");
        return "%s/%s/%s/%s"
                .formatted(namespace, kind, name, compact.substring(Math.max(0, compact.length() - UID_DIGITS)));
    }

    JobAnnotation jobAnnotation() {
        return JobAnnotation.read(annotation(WORDS), Set.of(JobAnnotation.HOST_LEVELS));
    }

    Optional<LastAppliedState> mark() {
        return LastAppliedState.read(annotation(MARK));
    }

    /** Returns true if the annotation of the last-applied state contains another text. */
    boolean hasForeignMark() {
        return !annotation(MARK).isBlank() && mark().isEmpty();
    }

    /** Returns true if all counts that must be equal are equal. */
    boolean countsAgree(PodSets shape) {
        return kind.together().stream()
                .map(object::at)
                .allMatch(number -> !number.isNumber() || number.asInt() == shape.pods());
    }

    /** Returns true if the number of pods may change. A batch Job with completions must be indexed. */
    boolean isResizable(PodSets shape) {
        boolean counted =
                kind.together().stream().anyMatch(place -> object.at(place).isNumber());
        boolean indexed = object.at("/spec/completionMode").asString("").equals("Indexed");
        return kind.resizes() && admission.isEmpty() && shape.grows() && (!counted || indexed);
    }

    private String annotation(String name) {
        return object.path("metadata").path("annotations").path(name).asString("");
    }

    /** Returns true if the job is suspended. */
    boolean isSuspended() {
        return kind.pins() == Pins.PODS
                ? Set.of("Aborting", "Aborted").contains(phase())
                : object.at(kind.suspend()).asBoolean(false);
    }

    /**
     * Returns true if an apply of the manifest has suspended the job, on the client or on the server. The apply then
     * owns the suspend switch, which Spur owns after a start. An apply on the client also owns the annotation with the
     * manifest.
     */
    boolean isSuspendedByApply() {
        String field = kind.suspend().replace("/", "/f:");
        return !kind.suspend().isEmpty()
                && isSuspended()
                && admission.isEmpty()
                && object.at("/metadata/managedFields")
                        .valueStream()
                        .filter(entry -> entry.path("operation").asString("").equals("Apply")
                                || !entry.path("fieldsV1").at(MANIFEST).isMissingNode())
                        .anyMatch(entry -> !entry.path("fieldsV1").at(field).isMissingNode());
    }

    private String phase() {
        return object.at("/status/state/phase").asString("");
    }

    boolean isBeingDeleted() {
        return object.path("metadata").has("deletionTimestamp");
    }

    /** Returns the true conditions, and the phases and states, which include the end state of the kind. */
    Set<String> conditions() {
        JsonNode status = object.path("status");
        Set<String> conditions = new TreeSet<>();
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("status").asString("").equals("True")) {
                conditions.add(condition.path("type").asString(""));
            }
        }
        conditions.add(status.path("jobStatus").asString(""));
        conditions.add(status.path("jobDeploymentStatus").asString(""));
        conditions.add(phase());
        return conditions;
    }

    /** Returns reason and message of the failed condition, as far as the controller states them. */
    String failure() {
        for (JsonNode condition : object.at("/status/conditions")) {
            boolean failed = kind.failed().contains(condition.path("type").asString(""));
            if (failed && condition.path("status").asString("").equals("True")) {
                return (condition.path("reason").asString("Failed") + ": "
                                + condition.path("message").asString(""))
                        .strip();
            }
        }
        String message = object.at("/status/message").asString("");
        return message.isEmpty() ? "the status of the object is failed" : message;
    }

    /** Returns the reason why another manager controls the job; empty if none does. */
    Optional<String> otherManager() {
        if (isQueued() && (admission.isEmpty() || kind.pins() == Pins.PODS)) {
            return Optional.of("its Kueue queue has no admission check of Spur, so Kueue alone decides its start");
        }
        for (String location : kind.managerLocations()) {
            JsonNode found = object.at(location);
            boolean isSet = found.isBoolean() ? found.asBoolean() : !found.isMissingNode() && !found.isNull();
            if (isSet && !OWN_CONTROLLERS.contains(found.asString(""))) {
                return Optional.of("%s assigns it to another manager"
                        .formatted(location.substring(1).replace('/', '.')));
            }
        }
        return Optional.empty();
    }

    /** Returns the completed fraction of the work, if reported. */
    Optional<Double> progress() {
        JsonNode percentage = kind.progress().isEmpty() ? object.path("none") : object.at(kind.progress());
        return percentage.isNumber()
                ? Optional.of(Math.max(0, Math.min(1, percentage.asDouble() / 100)))
                : Optional.empty();
    }

    /**
     * Returns the maximum run time of a start, seconds: the least of that of its kind and, if Kueue admits it, that of
     * Kueue, which counts all starts together; empty without one.
     */
    Optional<Double> deadline() {
        JsonNode seconds = kind.deadline().isEmpty() ? object.path("none") : object.at(kind.deadline());
        String label = object.path("metadata").path("labels").path(MAX_SECONDS).asString("");
        return Stream.of(
                        seconds.isNumber() ? Optional.of(seconds.asDouble()) : Optional.<Double>empty(),
                        admission.isPresent() && label.matches("[0-9]{1,9}")
                                ? Optional.of(Double.valueOf(label))
                                : Optional.<Double>empty())
                .flatMap(Optional::stream)
                .min(Double::compare)
                .map(least -> Math.max(1, least));
    }

    /** Returns the pool: the label of the job, or the node selector of its pods; empty if neither is set. */
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
