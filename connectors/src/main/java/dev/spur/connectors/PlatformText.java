package dev.spur.connectors;

import org.jspecify.annotations.Nullable;

/** Text from a platform, sanitized for display and logs. */
public final class PlatformText {
    /** Maximum length of a sanitized text, in code points. */
    public static final int MAX_LENGTH = 500;

    private static final int REPLACEMENT = 0xFFFD;
    /** Default-ignorable letters and marks of Unicode, and the blank Braille pattern. */
    private static final String INVISIBLE = "\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0";

    private PlatformText() {}

    /**
     * Returns the text on a single line of at most {@value #MAX_LENGTH} code points. White space becomes a space.
     * Invisible characters, such as control, bidirectional formatting and default-ignorable characters, become U+FFFD.
     * A longer text is truncated and ends with an ellipsis.
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
        return isInvisible(character) ? REPLACEMENT : character;
    }

    private static boolean isInvisible(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> INVISIBLE.indexOf(character) >= 0 || isVariationSelector(character);
        };
    }

    private static boolean isVariationSelector(int character) {
        return (character >= 0x180B && character <= 0x180F)
                || (character >= 0xFE00 && character <= 0xFE0F)
                || (character >= 0xE0100 && character <= 0xE01EF);
    }
}
