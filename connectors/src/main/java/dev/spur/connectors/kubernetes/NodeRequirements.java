package dev.spur.connectors.kubernetes;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Requirements of a pod on its node: node selector, required node affinity, and tolerations of taints; and its
 * preferred node affinity. The hostname to which Spur pins pods does not count.
 */
final class NodeRequirements {
    private static final String SELECTOR = "/nodeSelector";

    private static final String PREFERENCES = "/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution";
    /** Prefixes of taints that state a temporary condition of a node. */
    private static final List<String> TEMPORARY = List.of(
            "node.kubernetes.io/",
            "node.cloudprovider.kubernetes.io/",
            "karpenter.sh/",
            "ToBeDeletedByClusterAutoscaler",
            "DeletionCandidateOfClusterAutoscaler");

    private NodeRequirements() {}

    /** Returns the requirement of a pod specification that a node does not meet; empty if it meets all. */
    static Optional<String> unmet(JsonNode spec, JsonNode node) {
        JsonNode labels = node.at("/metadata/labels");
        Stream<String> selected = spec.at(SELECTOR)
                .propertyStream()
                .filter(label -> !label.getKey().equals(KubernetesNodeReader.HOSTNAME))
                .filter(label -> !labels.path(label.getKey())
                        .asString("")
                        .equals(label.getValue().asString("")))
                .map(label -> "its nodeSelector requires %s=%s"
                        .formatted(label.getKey(), label.getValue().asString("")));
        Stream<String> affinity = isInTerms(spec.at(NodePinning.TERMS), node)
                ? Stream.empty()
                : Stream.of("its required node affinity is not met");
        Stream<String> taints = node.at("/spec/taints")
                .valueStream()
                .filter(NodeRequirements::isPermanent)
                .filter(taint ->
                        spec.path("tolerations").valueStream().noneMatch(toleration -> tolerates(toleration, taint)))
                .map(taint -> "it does not tolerate the taint %s=%s:%s"
                        .formatted(text(taint, "key"), text(taint, "value"), text(taint, "effect")));
        return Stream.of(selected, affinity, taints).flatMap(one -> one).findFirst();
    }

    /**
     * Returns true if a taint keeps pods away for long. Taints of GPU resources do not count, because admission plugins
     * of many clusters add their tolerations to pods.
     */
    private static boolean isPermanent(JsonNode taint) {
        String key = text(taint, "key");
        return !text(taint, "effect").equals("PreferNoSchedule")
                && TEMPORARY.stream().noneMatch(key::startsWith)
                && !Gpus.isResource(key);
    }

    private static boolean tolerates(JsonNode toleration, JsonNode taint) {
        boolean exists = text(toleration, "operator").equals("Exists");
        String key = text(toleration, "key");
        String effect = text(toleration, "effect");
        return (effect.isEmpty() || effect.equals(text(taint, "effect")))
                && (key.equals(text(taint, "key")) || (key.isEmpty() && exists))
                && (exists || text(toleration, "value").equals(text(taint, "value")));
    }

    /**
     * Returns the sum of the weights of the preferences of a pod specification that a node meets, as the scheduler of
     * Kubernetes adds them; an empty preference counts for no node.
     */
    static long preference(JsonNode spec, JsonNode node) {
        return spec.at(PREFERENCES)
                .valueStream()
                .filter(term -> !term.path("preference").isEmpty())
                .filter(term -> isMet(term.path("preference"), node, expression -> true))
                .mapToLong(term -> term.path("weight").asLong(0))
                .sum();
    }

    private static boolean isInTerms(JsonNode terms, JsonNode node) {
        return terms.isEmpty()
                || terms.valueStream()
                        .anyMatch(term -> isMet(term, node, expression -> !NodePinning.isOurs(expression)));
    }

    /** @param counts the match expressions of the term that count */
    private static boolean isMet(JsonNode term, JsonNode node, Predicate<JsonNode> counts) {
        JsonNode labels = node.at("/metadata/labels");
        JsonNode fields = node.path("metadata");
        return term.path("matchExpressions")
                        .valueStream()
                        .filter(counts)
                        .allMatch(expression -> matches(expression, labels.path(text(expression, "key"))))
                && term.path("matchFields")
                        .valueStream()
                        .allMatch(field ->
                                matches(field, fields.path(text(field, "key").replace("metadata.", ""))));
    }

    private static boolean matches(JsonNode expression, JsonNode actual) {
        String value = actual.asString("");
        List<String> values = expression
                .path("values")
                .valueStream()
                .map(one -> one.asString(""))
                .toList();
        return switch (text(expression, "operator")) {
            case "In" -> !actual.isMissingNode() && values.contains(value);
            case "NotIn" -> actual.isMissingNode() || !values.contains(value);
            case "Exists" -> !actual.isMissingNode();
            case "DoesNotExist" -> actual.isMissingNode();
            case "Gt" -> compare(value, values) > 0;
            case "Lt" -> compare(value, values) < 0;
            default -> false;
        };
    }

    /** Compares two integers; 0 unless both are integers. */
    private static int compare(String value, List<String> values) {
        String integer = "-?\\d{1,18}";
        return values.size() == 1 && value.matches(integer) && values.get(0).matches(integer)
                ? Long.compare(Long.parseLong(value), Long.parseLong(values.get(0)))
                : 0;
    }

    private static String text(JsonNode object, String member) {
        return object.path(member).asString("");
    }
}
