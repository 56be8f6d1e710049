package dev.spur.service.contract;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
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
    private static final int DEEPEST = 64;
    private static final int LONGEST_STRING = 100_000;
    private static final int LONGEST_NAME = 1_000;
    private static final int LONGEST_NUMBER = 100;
    /** Maximum tokens. A round snapshot takes about 8 bytes per token, so this exceeds the largest allowed snapshot. */
    private static final int MOST_TOKENS = 1_500_000;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxStringLength(LONGEST_STRING)
                            .maxNameLength(LONGEST_NAME)
                            .maxNumberLength(LONGEST_NUMBER)
                            .maxTokenCount(MOST_TOKENS)
                            .build())
                    .build())
            .nodeFactory(new WholeNumbers())
            .build();

    /** Part of a parser message that only states that the source is not shown; it is removed. */
    private static final Pattern START_MARKER = Pattern.compile(" \\(start marker at \\[.*]\\)");

    private BodyReader() {}

    static JsonNode read(byte[] bytes) {
        if (bytes.length == 0) {
            throw malformed("", "is empty");
        }
        JsonNode tree = parse(bytes);
        List<FieldError> errors = new ArrayList<>();
        TextCheck.check(tree, errors);
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.INVALID_REQUEST, errors);
        }
        return tree;
    }

    private static JsonNode parse(byte[] bytes) {
        try (JsonParser parser = MAPPER.createParser(bytes)) {
            try {
                JsonNode tree = MAPPER.readTree(parser);
                if (tree == null || tree.isMissingNode()) {
                    throw malformed("", "is empty");
                }
                if (parser.nextToken() != null) {
                    throw malformed("", "has content after its end");
                }
                return tree;
            } catch (JacksonException e) {
                String place = parser.streamReadContext().pathAsPointer().toString();
                throw malformed(place, "is not well-formed JSON: " + reason(e));
            }
        }
    }

    private static String reason(JacksonException e) {
        TokenStreamLocation location = e.getLocation();
        String where =
                location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
        return START_MARKER.matcher(e.getOriginalMessage()).replaceFirst("") + where;
    }

    private static ProblemException malformed(String pointer, String message) {
        return ProblemException.of(ProblemType.MALFORMED_JSON, FieldError.at(pointer, message));
    }

    /**
     * Parses integers beyond 64 bits as integers in any notation. JSON Schema treats 1e308 as an integer, and only an
     * integer node is compared with the limits of an integer.
     */
    private static final class WholeNumbers extends JsonNodeFactory {
        private static final long serialVersionUID = 1;
        private static final double BEYOND = 0x1p63;

        /** A double of this magnitude has no fraction. */
        @Override
        public NumericNode numberNode(double value) {
            return Math.abs(value) >= BEYOND && Double.isFinite(value)
                    ? BigIntegerNode.valueOf(new BigDecimal(value).toBigInteger())
                    : super.numberNode(value);
        }
    }
}
