package dev.spur.connectors.kubernetes;

import dev.spur.connectors.kubernetes.PodSets.PodSet;
import dev.spur.connectors.kubernetes.WorkloadKind.Pins;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The annotation of pods with the planned batch size. Environment variables of a pod template cannot change, but its
 * annotations can while the job is suspended, and a variable of the owner refers to this one (downward API).
 */
final class BatchAnnotation {
    static final String NAME = "spur.dev/batch";
    /** Field to which the variable refers. */
    static final String FIELD = "metadata.annotations['%s']".formatted(NAME);

    private BatchAnnotation() {}

    /** Returns true if a container of each pod set reads the batch size. */
    static boolean isRead(PodSets shape) {
        return shape.roles().stream()
                .allMatch(role -> role.template()
                        .at("/spec/containers")
                        .valueStream()
                        .flatMap(container -> container.path("env").valueStream())
                        .anyMatch(variable -> variable.at("/valueFrom/fieldRef/fieldPath")
                                .asString("")
                                .equals(FIELD)));
    }

    /** Returns true if the owner has set the annotation in a pod template. */
    static boolean isSet(PodSets shape) {
        return shape.roles().stream()
                .anyMatch(role -> annotations(role.template()).has(NAME));
    }

    /** Returns the batch size for the next pods of {@code job}; null if none is set. */
    static @Nullable Integer read(Workload job, PodSet role) {
        String text = job.kind().pins() == Pins.PATCH
                ? RuntimePatch.annotation(job.object(), name(role), NAME)
                : annotations(role.template()).path(NAME).asString("");
        return text.matches("[1-9]\\d{0,8}") ? Integer.valueOf(text) : null;
    }

    /** Sets the batch size for the next pods of a role of {@code job}; null removes it. */
    static void write(Pins pins, ObjectNode job, PodSet role, @Nullable Integer batch) {
        if (pins != Pins.PATCH) {
            write(role.template(), batch);
        } else if (batch != null) {
            RuntimePatch.annotations(job, name(role)).put(NAME, batch.toString());
        }
    }

    /** Sets the batch size in a pod or a pod template; null removes it. */
    static void write(ObjectNode pod, @Nullable Integer batch) {
        if (batch != null) {
            pod.withObject("/metadata/annotations").put(NAME, batch.toString());
        } else if (annotations(pod) instanceof ObjectNode present) {
            present.remove(NAME);
        }
    }

    private static JsonNode annotations(JsonNode pod) {
        return pod.at("/metadata/annotations");
    }

    private static String name(PodSet role) {
        return role.at().path("name").asString("");
    }
}
