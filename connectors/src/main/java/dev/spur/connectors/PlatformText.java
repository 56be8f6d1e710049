package dev.spur.connectors;

import org.jspecify.annotations.Nullable;

/** Text from a platform, sanitized for display and logs. */
public final class PlatformText {
    /** Maximum length of a sanitized text, in code points. */
    public static final int MAX_LENGTH = 500;

    private static final int REPLACEMENT = 0xFFFD;

    private PlatformText() {}

    /**
     * Returns the text on a single line of at most {@value #MAX_LENGTH} code points. White space becomes a space.
     * Characters without a glyph, such as control and bidirectional formatting characters, become U+FFFD. A longer text
     * is truncated and ends with an ellipsis.
     */
    public static String clean(@Nullable String text) {
        String known = text == null ? "no message" : text.strip();
        StringBuilder clean = new StringBuilder();
        known.codePoints().limit(MAX_LENGTH).map(PlatformText::printable).forEach(clean::appendCodePoint);
        boolean cut = known.length() > MAX_LENGTH && known.codePointCount(0, known.length()) > MAX_LENGTH;
        return cut ? clean.append('…').toString() : clean.toString();
    }

    private static int printable(int character) {
        if (Character.isWhitespace(character) || Character.isSpaceChar(character)) {
            return ' ';
        }
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> REPLACEMENT;
            default -> character;
        };
    }
}
