package dev.spur.service.contract;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Finds values that JSON allows and the database or arithmetic does not: NUL, lone surrogates, numbers beyond doubles.
 */
final class TextCheck {
    /** Why a text is refused. */
    static final String UNCLEAN = "has U+0000 or half a surrogate pair";

    private TextCheck() {}

    /** Pointers cost more than the check, so they are made only for a tree with something to report. */
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
                    errors.add(FieldError.at(pointer, "has a member whose name has U+0000 or half a surrogate pair"));
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
            errors.add(FieldError.at(pointer, "is larger than any number that is computed with"));
        }
    }

    /** The pointer to a member. */
    static String child(String pointer, String name) {
        return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    /** Most text has neither; only with a surrogate are pairs looked at. */
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
