package dev.spur.service.job.lifecycle;

import dev.spur.service.security.Sha256;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Fingerprint of a request body. It is equal for bodies that differ only in the order of members or the notation of
 * numbers. It is computed before defaults that depend on the cluster or on earlier jobs are filled in: a repeated
 * request keeps its fingerprint.
 */
final class RequestFingerprint {
    private RequestFingerprint() {}

    static String of(JsonNode body) {
        StringBuilder canonical = new StringBuilder();
        append(body, canonical);
        return Sha256.hex(canonical.toString());
    }

    private static void append(JsonNode node, StringBuilder to) {
        if (node.isObject()) {
            to.append('{');
            node.properties().stream()
                    .filter(member -> !member.getValue().isNull())
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(member -> {
                        to.append(member.getKey().length()).append(':').append(member.getKey());
                        append(member.getValue(), to);
                        to.append(',');
                    });
            to.append('}');
        } else if (node.isArray()) {
            to.append('[');
            for (JsonNode item : node) {
                append(item, to);
                to.append(',');
            }
            to.append(']');
        } else if (node.isNumber()) {
            to.append(node.decimalValue().stripTrailingZeros());
        } else {
            to.append(node);
        }
    }
}
