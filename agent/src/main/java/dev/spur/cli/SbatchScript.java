package dev.spur.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A script with options of {@code sbatch} in its comments, read as {@code sbatch} reads them: lines that begin with
 * {@code #SBATCH} before the first command, each with any number of options.
 *
 * @param path path as the caller stated it
 * @param text the whole script
 */
record SbatchScript(String path, String text) {
    private static final String INTERPRETER = "#!";
    private static final String MARK = "#SBATCH";

    /**
     * An option in a script.
     *
     * @param form what {@code sbatch} knows about it
     * @param value its value; null without one
     * @param line number of its line, from 1
     */
    record Stated(SbatchOption form, @Nullable String value, int line) {
        /** Returns the option as a text. */
        String text() {
            return "--" + form.name() + (value == null ? "" : "=" + value);
        }
    }

    /** Returns whether a file with this content is a script. */
    static boolean isScript(byte[] bytes) {
        return bytes.length > 2 && bytes[0] == '#' && bytes[1] == '!';
    }

    /** Returns whether a file is a script by its name or its lines, but does not begin with its interpreter. */
    static boolean lacksInterpreter(String path, byte[] bytes) {
        return !isScript(bytes)
                && (path.endsWith(".sh")
                        || path.endsWith(".py")
                        || new String(bytes, StandardCharsets.UTF_8).lines().anyMatch(line -> line.startsWith(MARK)));
    }

    /** Returns the interpreter with its arguments, from the first line. */
    List<String> interpreter() {
        String first = text.lines().findFirst().orElse(INTERPRETER);
        return Arrays.asList(first.substring(INTERPRETER.length()).strip().split("\\s+", 2));
    }

    /** Word of an option, and the number of its line. */
    private record Word(String text, int line) {}

    /**
     * Returns the options, in order.
     *
     * @param errors receives each word that is no option of {@code sbatch}, and each option whose value is missing
     * @throws CommandFailure if the script has the line ends of Windows
     */
    List<Stated> options(Collection<String> errors) {
        if (text.contains("\r\n")) {
            throw CommandFailure.ofInput(
                    "%s, line 1: it has the line ends of Windows, with which programs fail; convert it by dos2unix."
                            .formatted(path));
        }
        List<Word> words = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.startsWith(MARK)) {
                addWords(line.substring(MARK.length()), number, words);
            } else if (!line.isBlank() && !line.strip().startsWith("#")) {
                break;
            }
        }
        List<Stated> options = new ArrayList<>();
        Iterator<Word> rest = words.iterator();
        while (rest.hasNext()) {
            Word word = rest.next();
            try {
                addOptions(word, rest, options);
            } catch (IllegalArgumentException invalid) {
                errors.add("line %d: %s".formatted(word.line(), invalid.getMessage()));
            }
        }
        return options;
    }

    /** Adds the options of a word, and the value of the last one, which may be the next word. */
    private static void addOptions(Word word, Iterator<Word> rest, List<Stated> options) {
        if (word.text().startsWith("--")) {
            options.add(longOption(word, rest));
        } else if (word.text().startsWith("-") && word.text().length() > 1) {
            addShortOptions(word, rest, options);
        } else {
            throw new IllegalArgumentException("'%s' is no option".formatted(word.text()));
        }
    }

    private static Stated longOption(Word word, Iterator<Word> rest) {
        String[] parts = word.text().substring(2).split("=", 2);
        SbatchOption form = SbatchOption.byName(parts[0])
                .orElseThrow(() -> new IllegalArgumentException("sbatch has no option --%s".formatted(parts[0])));
        return new Stated(form, parts.length == 2 ? parts[1] : value(form, rest), word.line());
    }

    /** Several options without a value may share a word, and a value may follow its letter directly. */
    private static void addShortOptions(Word word, Iterator<Word> rest, List<Stated> options) {
        for (int i = 1; i < word.text().length(); i++) {
            char letter = word.text().charAt(i);
            SbatchOption form = SbatchOption.byLetter(letter)
                    .orElseThrow(() -> new IllegalArgumentException("sbatch has no option -%s".formatted(letter)));
            String attached = word.text().substring(i + 1);
            if (form.takes() != SbatchOption.Takes.NOTHING && !attached.isEmpty()) {
                options.add(new Stated(form, attached, word.line()));
                return;
            }
            options.add(new Stated(form, value(form, rest), word.line()));
        }
    }

    private static @Nullable String value(SbatchOption form, Iterator<Word> rest) {
        if (form.takes() != SbatchOption.Takes.VALUE) {
            return null;
        }
        if (!rest.hasNext()) {
            throw new IllegalArgumentException("--%s needs a value".formatted(form.name()));
        }
        return rest.next().text();
    }

    /** Adds the words of a line up to a comment, without quotes and escapes. */
    private static void addWords(String line, int number, List<Word> words) {
        StringBuilder word = new StringBuilder();
        boolean isOpen = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean isEscaped = c == '\\' && i + 1 < line.length();
            char next = isEscaped ? line.charAt(++i) : c;
            if (quote == 0 && (Character.isWhitespace(next) || c == '#')) {
                close(word, isOpen, number, words);
                isOpen = false;
                if (c == '#') {
                    return;
                }
            } else if (!isEscaped && (quote == 0 ? c == '"' || c == '\'' : c == quote)) {
                quote = quote == 0 ? c : 0;
                isOpen = true;
            } else {
                word.append(next);
                isOpen = true;
            }
        }
        close(word, isOpen, number, words);
    }

    private static void close(StringBuilder word, boolean isOpen, int line, List<Word> words) {
        if (isOpen) {
            words.add(new Word(word.toString(), line));
            word.setLength(0);
        }
    }
}
