package dev.spur.connectors.kubernetes;

import dev.spur.connectors.kubernetes.PodSets.PodSet;
import dev.spur.connectors.kubernetes.WorkloadKind.Pins;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Ties groups of pods to nodes, by the label with their host name: one requirement in each term of the required node
 * affinity, or a node selector where a kind allows no more. What else stands there is the owner's, and stays.
 */
final class NodePinning {
    private static final String TERMS =
            "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";
    private static final String LABEL = "spur.dev/job";

    private final Pins pins;

    NodePinning(Pins pins) {
        this.pins = pins;
    }

    /** Host names that a group of a job is tied to; empty if it is tied to none. */
    List<String> hosts(Workload job, PodSet role) {
        Optional<String> patched = pins == Pins.PATCH ? RuntimePatch.host(job.object(), name(role)) : Optional.empty();
        return patched.map(List::of).orElseGet(() -> hosts(role.template()));
    }

    private static String name(PodSet role) {
        return role.at().path("name").asString("");
    }

    private static List<String> hosts(JsonNode template) {
        JsonNode spec = template.path("spec");
        String selected =
                spec.path("nodeSelector").path(KubernetesNodeReader.HOSTNAME).asString("");
        if (!selected.isEmpty()) {
            return List.of(selected);
        }
        TreeSet<String> hosts = new TreeSet<>();
        for (JsonNode term : spec.at(TERMS)) {
            for (JsonNode expression : term.path("matchExpressions")) {
                if (isOurs(expression)) {
                    expression.path("values").forEach(value -> hosts.add(value.asString("")));
                }
            }
        }
        return List.copyOf(hosts);
    }

    private static boolean isOurs(JsonNode expression) {
        return expression.path("key").asString("").equals(KubernetesNodeReader.HOSTNAME)
                && expression.path("operator").asString("").equals("In");
    }

    /** Ties a group of {@code object} to one host and no other, where its kind allows no more. */
    void tie(ObjectNode object, PodSet role, String host) {
        if (pins == Pins.PATCH) {
            RuntimePatch.tie(object, name(role), host);
        } else {
            role.template().withObject("/spec/nodeSelector").put(KubernetesNodeReader.HOSTNAME, host);
        }
    }

    /** Ties a template to these hosts and no others. */
    void tie(ObjectNode template, Collection<String> hosts, String job) {
        ArrayNode terms = template.withArray("/spec" + TERMS);
        if (terms.isEmpty()) {
            terms.addObject();
        }
        for (JsonNode term : terms) {
            ArrayNode expressions = ((ObjectNode) term).withArray("/matchExpressions");
            List<JsonNode> kept = new ArrayList<>();
            expressions.forEach(expression -> kept.add(expression));
            expressions.removeAll();
            kept.stream().filter(expression -> !isOurs(expression)).forEach(expressions::add);
            ArrayNode values = expressions
                    .addObject()
                    .put("key", KubernetesNodeReader.HOSTNAME)
                    .put("operator", "In")
                    .putArray("values");
            hosts.forEach(values::add);
        }
        if (pins == Pins.SPREAD) {
            spread(template, hosts.size() > 1, job);
        }
    }

    /** True if nothing but the size of nodes is needed to have equally many pods on each. */
    boolean spreads(JsonNode template) {
        return pins == Pins.SPREAD || ofOwner(template).isPresent();
    }

    private static Optional<JsonNode> ofOwner(JsonNode template) {
        for (JsonNode constraint : template.at("/spec/topologySpreadConstraints")) {
            if (constraint.path("topologyKey").asString("").equals(KubernetesNodeReader.HOSTNAME)
                    && constraint.path("maxSkew").asInt(0) == 1
                    && constraint.path("whenUnsatisfiable").asString("").equals("DoNotSchedule")) {
                return Optional.of(constraint);
            }
        }
        return Optional.empty();
    }

    private static void spread(ObjectNode template, boolean several, String job) {
        if (!several || ofOwner(template).isPresent()) {
            return;
        }
        template.withObject("/metadata/labels").put(LABEL, job);
        ObjectNode constraint = JsonNodeFactory.instance.objectNode();
        constraint
                .put("maxSkew", 1)
                .put("topologyKey", KubernetesNodeReader.HOSTNAME)
                .put("whenUnsatisfiable", "DoNotSchedule");
        constraint.withObject("/labelSelector/matchLabels").put(LABEL, job);
        template.withArray("/spec/topologySpreadConstraints").add(constraint);
    }
}
