package dev.spur.service.web.contract;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.BigIntegerNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NumericNode;

/**
 * Parses bytes as JSON; reports the place of a syntax error. The nesting depth is limited to what a round snapshot
 * requires.
 */
final class BodyReader {
    /** Error message of an unsupported text. */
    static final String UNCLEAN = "contains U+0000 or a lone surrogate";

    private static final int DEEPEST = 64;
    private static final int LONGEST_STRING = 100_000;
    private static final int LONGEST_NAME = 1_000;
    private static final int LONGEST_NUMBER = 100;
    /** Maximum tokens. A round snapshot takes about 8 bytes per token, so this exceeds the largest allowed snapshot. */
    private static final int MAX_TOKENS = 1_500_000;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxStringLength(LONGEST_STRING)
                            .maxNameLength(LONGEST_NAME)
                            .maxNumberLength(LONGEST_NUMBER)
                            .maxTokenCount(MAX_TOKENS)
                            .build())
                    .build())
            .nodeFactory(new WholeNumbers())
            .build();

    /**
     * Parts of a parser message that do not concern the author of a body, which are removed: that the source is not
     * shown, and options of the parser that are off.
     */
    private static final Pattern INTERNALS = Pattern.compile(
            " \\(start marker at \\[.*]\\)|: enable .?JsonReadFeature.*| \\(not recognized as one since Feature [^)]*\\)");

    private BodyReader() {}

    static JsonNode read(byte[] bytes) {
        if (bytes.length == 0) {
            throw malformedBody("", "is empty");
        }
        if (!isUtf8(bytes)) {
            throw malformedBody("", "is in UTF-16 or UTF-32, by its first bytes; UTF-8 is required");
        }
        JsonNode tree = parse(bytes);
        List<FieldError> errors = new ArrayList<>();
        checkTexts(tree, errors);
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.INVALID_REQUEST, errors);
        }
        return tree;
    }

    /** JSON in UTF-16 or UTF-32 begins with another byte order mark, or has zero bytes, because it begins in ASCII. */
    private static boolean isUtf8(byte[] bytes) {
        boolean marked = bytes[0] == (byte) 0xfe || bytes[0] == (byte) 0xff;
        return !marked && bytes[0] != 0 && (bytes.length == 1 || bytes[1] != 0);
    }

    private static JsonNode parse(byte[] bytes) {
        try (JsonParser parser = MAPPER.createParser(bytes)) {
            try {
                JsonNode tree = MAPPER.readTree(parser);
                if (tree == null || tree.isMissingNode()) {
                    throw malformedBody("", "is empty");
                }
                if (parser.nextToken() != null) {
                    throw malformedBody("", "has content after its end");
                }
                return tree;
            } catch (JacksonException e) {
                String place = parser.streamReadContext().pathAsPointer().toString();
                throw malformedBody(place, "is not well-formed JSON: " + reason(e));
            }
        }
    }

    private static String reason(JacksonException e) {
        TokenStreamLocation location = e.getLocation();
        String where =
                location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
        return INTERNALS.matcher(e.getOriginalMessage()).replaceAll("") + where;
    }

    private static ProblemException malformedBody(String pointer, String message) {
        return ProblemException.of(ProblemType.MALFORMED_JSON, FieldError.at(pointer, message));
    }

    /**
     * Adds the values that JSON allows but the database or arithmetic does not support: NUL, lone surrogates, and
     * numbers beyond the range of doubles. Pointers cost more than the check, so they are built only for a tree with an
     * error.
     */
    private static void checkTexts(JsonNode tree, List<FieldError> errors) {
        if (!isClean(tree)) {
            checkTexts(tree, "", errors);
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

    private static void checkTexts(JsonNode node, String pointer, List<FieldError> errors) {
        if (errors.size() >= SchemaCheck.MAX_ERRORS) {
            return;
        }
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> entry : node.properties()) {
                String name = entry.getKey();
                if (!isClean(name)) {
                    errors.add(FieldError.at(pointer, "has a member whose name contains U+0000 or a lone surrogate"));
                } else {
                    checkTexts(entry.getValue(), child(pointer, name), errors);
                }
            }
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                checkTexts(node.get(i), pointer + "/" + i, errors);
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

    /**
     * Parses negative zero as zero, and integers beyond 64 bits as integers in any notation. JSON Schema treats 1e308
     * as an integer, and only an integer node is compared with the limits of an integer.
     */
    private static final class WholeNumbers extends JsonNodeFactory {
        private static final long serialVersionUID = 1;
        private static final double BEYOND = 0x1p63;

        /**
         * A double of this magnitude has no fraction. The shortest decimal of it is taken, so that 1e30 is not above a
         * limit of 1e30.
         */
        @Override
        public NumericNode numberNode(double value) {
            return Math.abs(value) >= BEYOND && Double.isFinite(value)
                    ? BigIntegerNode.valueOf(BigDecimal.valueOf(value).toBigInteger())
                    : super.numberNode(value + 0.0);
        }
    }
}
