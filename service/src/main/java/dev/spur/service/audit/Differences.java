package dev.spur.service.audit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Members in which two JSON trees differ, by JSON pointer, with the old and the new value. Long values are truncated,
 * and secret values are omitted.
 */
final class Differences {
    private static final int MOST_MEMBERS = 50;
    private static final int LONGEST = 200;
    private static final JsonNode NOTHING = JsonNodeFactory.instance.nullNode();
    private static final JsonNode HIDDEN = JsonNodeFactory.instance.stringNode("(hidden)");
    /** Environment variables of commands, which often contain passwords. */
    private static final Pattern SECRET = Pattern.compile(".*/(command|nextCommand)/env/.*");

    private final Map<String, JsonNode[]> found = new LinkedHashMap<>();

    private Differences() {}

    /**
     * Returns the differences. A null tree has no members; a value that is not an object is a member without a name.
     */
    static Map<String, JsonNode[]> between(@Nullable JsonNode before, @Nullable JsonNode after) {
        Differences differences = new Differences();
        differences.compare("", before == null ? NOTHING : before, after == null ? NOTHING : after);
        return differences.found;
    }

    private void compare(String pointer, JsonNode before, JsonNode after) {
        if (before.equals(after) || found.size() >= MOST_MEMBERS) {
            return;
        }
        if (!before.isObject() && !after.isObject()) {
            found.put(pointer, new JsonNode[] {shown(pointer, before), shown(pointer, after)});
            return;
        }
        TreeSet<String> names = new TreeSet<>(before.propertyNames());
        names.addAll(after.propertyNames());
        for (String name : names) {
            compare(
                    pointer + "/" + name.replace("~", "~0").replace("/", "~1"),
                    member(before, name),
                    member(after, name));
        }
    }

    private static JsonNode member(JsonNode of, String name) {
        JsonNode member = of.get(name);
        return member == null ? NOTHING : member;
    }

    private static JsonNode shown(String pointer, JsonNode value) {
        if (value.isNull()) {
            return value;
        }
        if (SECRET.matcher(pointer).matches()) {
            return HIDDEN;
        }
        String text = value.isString() ? value.asString() : value.toString();
        return text.length() <= LONGEST
                ? value
                : JsonNodeFactory.instance.stringNode(
                        "%s… (%d characters)".formatted(text.substring(0, LONGEST), text.length()));
    }
}
