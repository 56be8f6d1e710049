package dev.spur.service.job.lifecycle;

import dev.spur.service.security.Sha256;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Fingerprint of a request body. It is equal for bodies that differ only in the order of members or the notation of
 * numbers. It is computed before defaults that depend on the cluster or on earlier jobs are filled in: a repeated
 * request keeps its fingerprint.
 */
final class RequestFingerprint {
    private RequestFingerprint() {}

    static String of(JsonNode body) {
        return Sha256.hex(canonical(body));
    }

    private static String canonical(JsonNode node) {
        if (node.isObject()) {
            TreeMap<String, JsonNode> members = new TreeMap<>();
            node.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            return members.entrySet().stream()
                    .filter(member -> !member.getValue().isNull())
                    .map(member -> member.getKey().length() + ":" + member.getKey() + canonical(member.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (node.isArray()) {
            return node.valueStream().map(RequestFingerprint::canonical).collect(Collectors.joining(",", "[", "]"));
        }
        return node.isNumber() ? node.decimalValue().stripTrailingZeros().toString() : node.toString();
    }
}
