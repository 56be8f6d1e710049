package dev.spur.service.contract;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Finds values that JSON allows but the database or arithmetic does not support: NUL, lone surrogates, and numbers
 * beyond the range of doubles.
 */
final class TextCheck {
    /** Error message of an unsupported text. */
    static final String UNCLEAN = "contains U+0000 or a lone surrogate";

    private TextCheck() {}

    /** Pointers cost more than the check, so they are built only for a tree with an error. */
    static void check(JsonNode tree, List<FieldError> errors) {
        if (!isClean(tree)) {
            check(tree, "", errors);
        }
    }

    private static boolean isClean(JsonNode node) {
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> entry : node.properties()) {
                if (!isClean(entry.getKey()) || !isClean(entry.getValue())) {
                    return false;
                }
            }
            return true;
        }
        if (node.isArray()) {
            for (JsonNode item : node) {
                if (!isClean(item)) {
                    return false;
                }
            }
            return true;
        }
        return node.isString() ? isClean(node.asString()) : !node.isNumber() || isFinite(node);
    }

    private static boolean isFinite(JsonNode number) {
        return Double.isFinite(number.asDouble(Double.NaN));
    }

    private static void check(JsonNode node, String pointer, List<FieldError> errors) {
        if (errors.size() >= SchemaCheck.MOST_ERRORS) {
            return;
        }
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> entry : node.properties()) {
                String name = entry.getKey();
                if (!isClean(name)) {
                    errors.add(FieldError.at(pointer, "has a member whose name contains U+0000 or a lone surrogate"));
                } else {
                    check(entry.getValue(), child(pointer, name), errors);
                }
            }
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                check(node.get(i), pointer + "/" + i, errors);
            }
        } else if (node.isString() && !isClean(node.asString())) {
            errors.add(FieldError.at(pointer, UNCLEAN));
        } else if (node.isNumber() && !isFinite(node)) {
            errors.add(FieldError.at(pointer, "exceeds the range of double-precision numbers"));
        }
    }

    /** The pointer to a member. */
    static String child(String pointer, String name) {
        return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    /** True if the text has neither NUL nor a lone surrogate. Pairs are checked only if there is a surrogate. */
    static boolean isClean(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return false;
            }
            if (Character.isSurrogate(c)) {
                if (!Character.isHighSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
