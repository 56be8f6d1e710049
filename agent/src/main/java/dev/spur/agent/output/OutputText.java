package dev.spur.agent.output;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Conversion of raw output to text: valid Unicode, no control characters other than tab and line feed, masked secrets,
 * and lines of limited length. A carriage return discards the line before it, as on a terminal.
 */
final class OutputText {
    /** Maximum length of a line. */
    static final int MAX_LINE = 4096;

    private static final int HEAD = 1024;
    private static final int TAIL = 2048;

    /** Control sequences of terminals: colors, cursor movement, titles. */
    private static final Pattern SEQUENCE = Pattern.compile(
            "\u001b(?:\\[[0-?]{0,32}[ -/]{0,4}[@-~]?|\\][^\u0007\u001b\n]{0,200}(?:\u0007|\u001b\\\\)?|[ -_])");

    private OutputText() {}

    /** Returns the printable text of {@code bytes} with masked secrets, in lines of any length. */
    static String of(byte[] bytes, int from, int to, SecretMask mask) {
        String raw = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        return mask.mask(printable(SEQUENCE.matcher(raw).replaceAll("")));
    }

    /** Returns the start of a line whose end is not known yet. */
    static String head(String line) {
        return line.isEmpty()
                ? ""
                : line.substring(0, whole(line, Math.min(line.length() - 1, HEAD))) + " ... (long line)\n";
    }

    private static String printable(String raw) {
        StringBuilder text = new StringBuilder(raw.length());
        int line = 0;
        boolean returned = false;
        for (int i = 0; i < raw.length(); i++) {
            char next = raw.charAt(i);
            if (next == '\r') {
                returned = true;
            } else if (next == '\n') {
                text.append(next);
                line = text.length();
                returned = false;
            } else if (next == '\t' || !Character.isISOControl(next)) {
                if (returned) {
                    text.setLength(line);
                    returned = false;
                }
                text.append(next);
            }
        }
        return text.toString();
    }

    /** Returns the text with the middle of long lines omitted. Every line ends with a line feed. */
    static String cut(String text) {
        StringBuilder all = new StringBuilder(text.length());
        int from = 0;
        while (from < text.length()) {
            int feed = text.indexOf('\n', from);
            int to = feed < 0 ? text.length() : feed;
            if (to - from <= MAX_LINE) {
                all.append(text, from, to);
            } else {
                int head = whole(text, from + HEAD);
                int tail = whole(text, to - TAIL);
                all.append(text, from, head)
                        .append(" ... %d characters omitted ... ".formatted(tail - head))
                        .append(text, tail, to);
            }
            all.append('\n');
            from = to + 1;
        }
        return all.toString();
    }

    /** Returns an index that does not split a surrogate pair. */
    static int whole(String text, int index) {
        return Character.isLowSurrogate(text.charAt(index)) ? index + 1 : index;
    }
}
