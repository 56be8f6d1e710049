package dev.spur.connectors.kubernetes;

import dev.spur.connectors.kubernetes.WorkloadKind.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pods with GPUs that a job asks for. Each has as many GPUs as the next: those are its unit, and its size changes
 * by them.
 *
 * @param unit GPUs of each pod, at least 1
 * @param pods pods with GPUs
 * @param fixed those of them whose number does not change
 * @param roles the groups of pods with GPUs
 */
record PodSets(int unit, int pods, int fixed, List<PodSet> roles) {

    /**
     * One group of pods.
     *
     * @param at the group
     * @param template its template of pods
     * @param pods how many there are
     * @param grows the member that holds its number; empty if that does not change
     */
    record PodSet(ObjectNode at, ObjectNode template, int pods, Optional<String> grows) {}

    /** The shape of a job, or why it has none. */
    static PodSets of(WorkloadKind kind, JsonNode object) throws KubernetesRejection {
        List<PodSet> roles = new ArrayList<>();
        for (Group group : kind.groups()) {
            for (PodSet role : roles(group, object)) {
                if (Gpus.ofPod(role.template().path("spec")) > 0
                        && (role.pods() > 0 || role.grows().isPresent())) {
                    roles.add(role);
                }
            }
        }
        TreeSet<Integer> units = new TreeSet<>();
        roles.forEach(role -> units.add(Gpus.ofPod(role.template().path("spec"))));
        if (units.isEmpty()) {
            throw new KubernetesRejection("it asks for no GPUs in its pods");
        }
        if (units.size() > 1) {
            throw new KubernetesRejection("its pods have different numbers of GPUs: " + units);
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

    /** GPUs in all. */
    int slots() {
        return unit * pods;
    }

    /** True if it can have another number of pods. */
    boolean grows() {
        return roles.stream().filter(role -> role.grows().isPresent()).count() == 1;
    }
}
