package dev.spur.connectors.kubernetes;

import dev.spur.connectors.kubernetes.WorkloadKind.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pods with GPUs that a job requests. All have the same number of GPUs, which is the unit of the job's size.
 *
 * @param unit GPUs of each pod, at least 1
 * @param pods number of pods with GPUs
 * @param fixed number of those pods in pod sets of fixed size
 * @param roles pod sets with GPUs
 */
record PodSets(int unit, int pods, int fixed, List<PodSet> roles) {
    /** Annotation of a pod for KAI Scheduler with the share of a GPU that it takes. */
    private static final String SHARE = "gpu-fraction";

    /**
     * A pod set.
     *
     * @param at JSON object of the pod set
     * @param template its pod template
     * @param pods number of pods
     * @param grows member with the variable number of pods; empty if the number is fixed
     */
    record PodSet(ObjectNode at, ObjectNode template, int pods, Optional<String> grows) {}

    /**
     * Reads the pod sets of a job.
     *
     * @throws KubernetesRejection with the reason if the job has no supported pod sets
     */
    static PodSets of(WorkloadKind kind, JsonNode object) throws KubernetesRejection {
        List<PodSet> roles = new ArrayList<>();
        for (Group group : kind.groups()) {
            for (PodSet role : roles(group, object)) {
                if (role.template().at("/metadata/annotations").has(SHARE)) {
                    throw new KubernetesRejection(
                            "its annotation %s requests a share of a GPU, but Spur plans whole GPUs on Kubernetes"
                                    .formatted(SHARE));
                }
                if (Gpus.ofPod(role.template().path("spec")) > 0
                        && (role.pods() > 0 || role.grows().isPresent())) {
                    roles.add(role);
                }
            }
        }
        TreeSet<Integer> units = new TreeSet<>();
        roles.forEach(role -> units.add(Gpus.ofPod(role.template().path("spec"))));
        if (units.isEmpty()) {
            throw new KubernetesRejection("its pods request no GPUs");
        }
        if (units.size() > 1) {
            throw new KubernetesRejection("all its pods must request the same number of GPUs, but request " + units);
        }
        long growing = roles.stream().filter(role -> role.grows().isPresent()).count();
        int pods = roles.stream().mapToInt(PodSet::pods).sum();
        int fixed = roles.stream()
                .filter(role -> growing != 1 || role.grows().isEmpty())
                .mapToInt(PodSet::pods)
                .sum();
        return new PodSets(units.first(), pods, fixed, List.copyOf(roles));
    }

    private static List<PodSet> roles(Group group, JsonNode object) {
        boolean each = group.at().endsWith("/*");
        String at = each ? group.at().substring(0, group.at().length() - 2) : group.at();
        JsonNode found = object.at(at);
        List<PodSet> roles = new ArrayList<>();
        if (!each) {
            role(group, found, "*").ifPresent(roles::add);
        } else if (found.isArray()) {
            found.forEach(member -> role(group, member, "*").ifPresent(roles::add));
        } else {
            found.propertyStream()
                    .forEach(member ->
                            role(group, member.getValue(), member.getKey()).ifPresent(roles::add));
        }
        return roles;
    }

    private static Optional<PodSet> role(Group group, JsonNode at, String name) {
        JsonNode template = at.at(group.template());
        if (!at.isObject() || !template.isObject()) {
            return Optional.empty();
        }
        int pods = 1;
        for (String count : group.counts()) {
            pods *= at.at(count).asInt(1);
        }
        boolean alone =
                group.counts().stream().skip(1).allMatch(count -> at.at(count).asInt(1) == 1);
        boolean grows = group.grows().equals(name) || (group.grows().equals("*") && alone);
        Optional<String> number = grows ? Optional.of(group.counts().get(0).substring(1)) : Optional.empty();
        return Optional.of(new PodSet((ObjectNode) at, (ObjectNode) template, pods, number));
    }

    /** Returns the total number of GPUs. */
    int slots() {
        return unit * pods;
    }

    /** Returns true if the number of pods is variable. */
    boolean grows() {
        return roles.stream().filter(role -> role.grows().isPresent()).count() == 1;
    }
}
