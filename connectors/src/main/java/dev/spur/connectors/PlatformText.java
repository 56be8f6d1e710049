package dev.spur.connectors;

import org.jspecify.annotations.Nullable;

/** Text from a platform, made safe for display and for logs. */
public final class PlatformText {
    /** The longest text that is kept, in code points. */
    public static final int MAX_LENGTH = 500;

    private static final int REPLACEMENT = 0xFFFD;

    private PlatformText() {}

    /**
     * The text on one line: white space of any kind becomes a space. Characters without a glyph of their own, such as
     * control characters and those that change the direction of text, become U+FFFD. A longer text is cut and ends with
     * an ellipsis.
     */
    public static String clean(@Nullable String text) {
        String known = text == null ? "no message" : text.strip();
        StringBuilder clean = new StringBuilder();
        known.codePoints().limit(MAX_LENGTH).map(PlatformText::shown).forEach(clean::appendCodePoint);
        boolean cut = known.length() > MAX_LENGTH && known.codePointCount(0, known.length()) > MAX_LENGTH;
        return cut ? clean.append('…').toString() : clean.toString();
    }

    private static int shown(int character) {
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
