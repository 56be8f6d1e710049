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
 * Pins pod sets to nodes by their hostname label. It adds one requirement to each term of the required node affinity,
 * or sets a node selector for kinds that permit only that. Other requirements belong to the owner and are preserved.
 */
final class NodePinning {
    /** Location of the required node affinity in a pod specification. */
    static final String TERMS =
            "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";

    private static final String LABEL = "spur.dev/job";

    private final Pins pins;

    NodePinning(Pins pins) {
        this.pins = pins;
    }

    /** Returns the hostnames that a pod set is pinned to; empty if none. */
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

    /** Returns true if Spur wrote an expression of a node affinity. */
    static boolean isOurs(JsonNode expression) {
        return expression.path("key").asString("").equals(KubernetesNodeReader.HOSTNAME)
                && expression.path("operator").asString("").equals("In");
    }

    /** Pins a pod set to a single host, for kinds with node selectors. */
    void pin(ObjectNode object, PodSet role, String host) {
        if (pins == Pins.PATCH) {
            RuntimePatch.pin(object, name(role), host);
        } else {
            role.template().withObject("/spec/nodeSelector").put(KubernetesNodeReader.HOSTNAME, host);
        }
    }

    /** Pins a pod template to a set of hosts. */
    void pin(ObjectNode template, Collection<String> hosts, String job) {
        ArrayNode terms = template.withArray("/spec" + TERMS);
        if (terms.isEmpty()) {
            terms.addObject();
        }
        for (JsonNode term : terms) {
            ArrayNode expressions = ((ObjectNode) term).withArray("/matchExpressions");
            List<JsonNode> retained = new ArrayList<>();
            expressions.forEach(expression -> retained.add(expression));
            expressions.removeAll();
            retained.stream().filter(expression -> !isOurs(expression)).forEach(expressions::add);
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

    /** Returns true if node capacity alone makes the pods spread evenly. */
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
